package io.frameloom.gpu.record;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.DeviceEventSet;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.LevelBinding;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.SubmissionObserver;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The synchronisation of a command list: passes with their declared uses, and barriers, in order. Backends keep one per
 * command list while the device has a {@link SubmissionObserver}.
 *
 * <p>Used by the thread that records the list; handed over to the submitting thread with the list itself.
 */
public final class CommandLog {
    private final String list;
    private final List<SubmissionRecord.Command> commands = new ArrayList<>();
    private SubmissionRecord.@Nullable Pass openPass;
    /** Where the open pass stands among the commands. */
    private int openAt;
    /** Undeclared uses by the open pass, or by the list since the last one: reads that are judged, and all others. */
    private final Set<CommandUse> undeclared = new HashSet<>(0);
    /** Uses by commands outside of passes, for the pass in which another list may execute this one. */
    private final Set<CommandUse> outside = new LinkedHashSet<>(0);

    /** The parts that the render passes of the open pass, or of the list outside of passes, clear and leave. */
    private final LeftContents left = new LeftContents();

    /**
     * An empty log.
     *
     * @param list label of the command list, for messages
     */
    public CommandLog(String list) {
        this.list = list;
    }

    /** Returns a log of what a binding changes. */
    public static CommandLog of(LevelBinding binding) {
        CommandLog log = new CommandLog(binding.label());
        for (LevelBinding.Change change : binding.changes()) {
            Texture texture = change.texture();
            SubresourceRange range =
                    Objects.requireNonNull(texture.sparse()).range(texture.description(), change.level());
            log.commands.add(new SubmissionRecord.Bind(texture, range, change.isResident()));
        }
        return log;
    }

    /** Notes a pass; none is open. */
    public void beginPass(String name, List<ResourceUse> uses) {
        openPass = new SubmissionRecord.Pass(name, List.copyOf(uses));
        undeclared.clear();
        left.clear();
        openAt = commands.size();
        commands.add(openPass);
    }

    public void endPass() {
        SubmissionRecord.Pass pass = Objects.requireNonNull(openPass);
        if (!left.cleared().isEmpty()) {
            commands.set(
                    openAt, new SubmissionRecord.Pass(pass.name(), pass.uses(), false, List.copyOf(left.cleared())));
        }
        left.addTo(commands, pass);
        left.clear();
        openPass = null;
        undeclared.clear();
    }

    /** Notes what the list's queue takes without contents, outside of passes. */
    public void discard(List<ResourceUse> uses) {
        for (ResourceUse use : uses) {
            commands.add(new SubmissionRecord.Discard(use));
        }
    }

    /** Notes that a command uses a resource, in a way that another call gives or that is unknown. */
    public void mention(Resource resource) {
        note(new CommandUse(resource, null, false, 0, 0, null));
    }

    /**
     * Notes that shaders of a draw, dispatch or trace find a resource bound.
     *
     * @param stages the stages that its declaration has, 0 if any will do
     */
    public void bound(Resource resource, boolean mayWrite, int stages) {
        note(new CommandUse(resource, null, mayWrite, 0, 0, null, stages));
    }

    /** Notes that the kernel of a dispatch may take what a bindless table has. */
    public void takes(SubmissionRecord.TableContents contents) {
        SubmissionRecord.Pass pass = openPass;
        commands.add(new SubmissionRecord.TableUse(
                pass == null ? null : pass.name(), pass == null ? List.of() : pass.uses(), contents));
    }

    /** Notes that a command uses bytes of a buffer; 0 if their number is not known. */
    public void use(Buffer buffer, long offset, long bytes, Access access) {
        note(new CommandUse(buffer, access, access.writes(), offset, bytes, null));
    }

    public void use(Texture texture, SubresourceRange range, Access access) {
        note(new CommandUse(texture, access, access.writes(), 0, 0, range));
    }

    /**
     * Uses that the open pass declares need no note. Upload buffers may be read undeclared: the host writes them unseen
     * in any case, and frame contexts keep the memory that they give out until it was used.
     */
    private void note(CommandUse use) {
        if (use.isFree()) {
            return;
        }
        SubmissionRecord.Pass pass = openPass;
        if (pass == null) {
            outside.add(use);
        } else if (use.isCoveredBy(pass.uses())) {
            return;
        }
        ResourceUse.OfBuffer read = pass == null ? null : use.read();
        if (undeclared.add(read == null ? new CommandUse(use.resource(), null, false, 0, 0, null) : use)) {
            boolean other = pass != null && use.isNamedBy(pass.uses());
            commands.add(new SubmissionRecord.Undeclared(
                    pass == null ? null : pass.name(), use.resource(), other ? use.describe() : null, read));
        }
    }

    /**
     * Notes the end of a render pass, and the contents that it leaves in its attachments.
     *
     * @param empty whether nothing was drawn or cleared in it
     */
    public void rendered(RenderingInfo info, boolean empty) {
        left.rendered(info, empty);
    }

    /** Notes a barrier, and after it the rest of the open pass if there is one; nothing if the batch is empty. */
    public void barrier(BarrierBatch batch) {
        if (batch.isEmpty()) {
            return;
        }
        commands.add(new SubmissionRecord.Barrier(batch));
        if (openPass != null) {
            commands.add(new SubmissionRecord.Pass(openPass.name(), openPass.uses(), true, List.of()));
        }
    }

    public void setEvent(DeviceEventSet events, int index, BarrierBatch batch) {
        commands.add(new SubmissionRecord.SetEvent(events, index, batch));
    }

    public void waitEvent(DeviceEventSet events, int index, BarrierBatch batch) {
        commands.add(new SubmissionRecord.WaitEvent(events, index, batch));
    }

    /** Notes everything in the log of a list that this one executes, inside of the open pass if there is one. */
    public void append(CommandLog executed) {
        if (openPass != null && executed.commands.stream().allMatch(CommandLog::isUse)) {
            executed.outside.forEach(this::note);
            for (SubmissionRecord.Command command : executed.commands) {
                if (command instanceof SubmissionRecord.TableUse use) {
                    takes(use.contents());
                }
            }
            left.append(executed.left);
            return;
        }
        if (openPass != null) {
            throw new IllegalStateException("command list '" + list + "' executes list '" + executed.list
                    + "', which has passes or barriers of its own, inside pass '" + openPass.name()
                    + "'; end the pass first");
        }
        outside.addAll(executed.outside);
        commands.addAll(executed.commands);
    }

    private static boolean isUse(SubmissionRecord.Command command) {
        return command instanceof SubmissionRecord.Undeclared || command instanceof SubmissionRecord.TableUse;
    }

    public List<SubmissionRecord.Command> commands() {
        return List.copyOf(commands);
    }

    /**
     * Makes the record of a submission.
     *
     * @param value timeline value it will reach
     * @param logs logs of its lists, in order
     */
    public static SubmissionRecord record(GpuQueue queue, Submission submission, long value, List<CommandLog> logs) {
        List<SubmissionRecord.Command> all = new ArrayList<>();
        for (CommandLog log : logs) {
            all.addAll(log.commands);
        }
        return new SubmissionRecord(
                queue,
                submission.label(),
                submission.waits(),
                value,
                all,
                submission.signalStages(),
                submission.acquires(),
                submission.presents(),
                submission.externalWaits(),
                submission.externalSignals());
    }
}
