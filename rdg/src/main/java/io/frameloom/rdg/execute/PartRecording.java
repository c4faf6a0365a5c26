package io.frameloom.rdg.execute;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.RenderingFormats;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.internal.RepeatedCommand;
import io.frameloom.rdg.declare.PartedBody;
import io.frameloom.taskgraph.RangeBody;
import io.frameloom.taskgraph.TaskFailedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records a pass in parts, on the workers and the calling thread, each into a secondary list of its own. The primary
 * list then executes all of them in order. One object serves the parted passes of a recording group in turn.
 */
final class PartRecording implements RangeBody {
    /** What the parts of one pass have in common. */
    private record Work(
            Frame frame,
            CommandList primary,
            PassRealisation pass,
            PartedBody body,
            @Nullable RenderingFormats formats) {}

    private final FrameSlot slot;
    private final int group;
    private final List<RecordingPassContext> contexts = new ArrayList<>(0);
    private final BitSet taken = new BitSet();
    private @Nullable Work work;
    private CommandList[] lists = new CommandList[0];
    private List<CommandList> ordered = List.of();

    PartRecording(FrameSlot slot, int group) {
        this.slot = slot;
        this.group = group;
    }

    /** Takes the upload memory of the former frame back. */
    void resetUploads() {
        for (int part = 0; part < contexts.size(); part++) {
            contexts.get(part).uploads().reset();
        }
    }

    void closeUploads() {
        contexts.forEach(context -> context.uploads().close());
    }

    /** Records all parts of a pass into {@code primary}, inside of its render pass if it has one. */
    void record(Frame frame, CommandList primary, PassRealisation pass, PartedBody body, boolean parallel) {
        int parts = body.parts();
        while (contexts.size() < parts) {
            contexts.add(new RecordingPassContext(slot, slot.uploads("group " + group + " part " + contexts.size())));
        }
        if (lists.length != parts) {
            lists = new CommandList[parts];
            ordered = Arrays.asList(lists);
        }
        RepeatedCommand<RenderingInfo> rendering = pass.rendering();
        RenderingFormats formats =
                rendering == null ? null : rendering.command().formats();
        work = new Work(frame, primary, pass, body, formats);
        try {
            if (parallel && parts > 1) {
                slot.tasks().parallelFor(body.label(), parts, 1, this);
            } else {
                run(0, parts, 0);
            }
        } catch (TaskFailedException failure) {
            throw unwrapped(failure);
        } finally {
            work = null;
        }
        taken.clear();
        for (int part = 0; part < parts; part++) {
            contexts.get(part).addTaken(taken);
        }
        if (frame.plan().options().diagnostics().validation()) {
            RecordingPassContext.reportUntaken(frame, pass.plan(), taken);
        }
        primary.execute(ordered);
    }

    /** Records parts; on the thread that records the group and on workers. */
    @Override
    public void run(int from, int to, int worker) {
        Work common = work;
        if (common == null) {
            throw new IllegalStateException("parts are recorded after their pass");
        }
        for (int part = from; part < to; part++) {
            lists[part] = record(common, part);
        }
    }

    private CommandList record(Work common, int part) {
        PassRealisation pass = common.pass;
        CommandList list = slot.context()
                .beginSecondary(common.primary.queue(), common.body.label(part), common.formats, pass.uses());
        if (common.formats != null) {
            pass.resetViewport(list);
        }
        RecordingPassContext context = contexts.get(part);
        context.begin(common.frame, pass, list);
        try {
            common.body.record(context, part);
        } finally {
            context.end();
            context.letGo();
        }
        list.end();
        return list;
    }

    private static RuntimeException unwrapped(TaskFailedException failure) {
        Throwable original = Failures.original(failure);
        if (original instanceof RuntimeException unchecked) {
            return unchecked;
        }
        if (original instanceof Error error) {
            throw error;
        }
        return failure;
    }
}
