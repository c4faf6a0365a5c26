package io.frameloom.rdg.execute;

import io.frameloom.gpu.CommandList;
import io.frameloom.gpu.RenderingFormats;
import io.frameloom.gpu.RenderingInfo;
import io.frameloom.taskgraph.TaskFailedException;
import io.frameloom.taskgraph.TaskGraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records a pass in parts: each into a secondary list of its own, on the workers and the calling thread, then all of them
 * in order into the primary list. One object serves the parted passes of a recording group in turn.
 */
final class PartRecording {
    private final FrameSlot slot;
    private final List<RecordingPassContext> contexts = new ArrayList<>(0);

    PartRecording(FrameSlot slot) {
        this.slot = slot;
    }

    /** Records all parts of a pass into {@code primary}, inside of its render pass if it has one. */
    void record(Frame frame, CommandList primary, PassRealisation pass, PartedBody body, boolean parallel) {
        int parts = body.parts();
        while (contexts.size() < parts) {
            contexts.add(new RecordingPassContext(slot));
        }
        RenderingInfo rendering = pass.rendering();
        RenderingFormats formats = rendering == null ? null : rendering.formats();
        @Nullable CommandList[] lists = new CommandList[parts];
        TaskGraph tasks = slot.tasks();
        if (parallel && parts > 1) {
            try {
                tasks.parallelFor(pass.label() + " in parts", parts, 1, (from, to, worker) -> {
                    for (int part = from; part < to; part++) {
                        lists[part] = recordPart(frame, primary, pass, body, formats, part);
                    }
                });
            } catch (TaskFailedException failure) {
                throw unwrapped(failure);
            }
        } else {
            for (int part = 0; part < parts; part++) {
                lists[part] = recordPart(frame, primary, pass, body, formats, part);
            }
        }
        primary.execute(List.copyOf(Arrays.asList(lists)));
    }

    private CommandList recordPart(
            Frame frame,
            CommandList primary,
            PassRealisation pass,
            PartedBody body,
            @Nullable RenderingFormats formats,
            int part) {
        CommandList list =
                slot.context().beginSecondary(primary.queue(), pass.label() + " part " + part, formats, pass.uses());
        if (formats != null) {
            list.setViewport(0, 0, pass.width(), pass.height());
            list.setScissor(0, 0, pass.width(), pass.height());
        }
        RecordingPassContext context = contexts.get(part);
        context.begin(frame, pass, list);
        try {
            body.record(context, part);
        } finally {
            context.end();
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
