package io.frameloom.gpu;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a command list says about its synchronisation: passes with their declared uses, and barriers, in order. Backends
 * keep one per command list while the device has a {@link SubmissionObserver}.
 *
 * <p>Used by the thread that records the list; handed over to the submitting thread with the list itself.
 */
public final class CommandLog {
    private final String list;
    private final List<SubmissionRecord.Command> commands = new ArrayList<>();
    private SubmissionRecord.@Nullable Pass openPass;

    /**
     * An empty log.
     *
     * @param list label of the command list, for messages
     */
    public CommandLog(String list) {
        this.list = list;
    }

    /**
     * Notes a pass.
     *
     * @throws IllegalStateException if another pass is open
     */
    public void beginPass(String name, List<ResourceUse> uses) {
        if (openPass != null) {
            throw new IllegalStateException("command list '" + list + "' begins pass '" + name + "' inside pass '"
                    + openPass.name() + "'; end that one first");
        }
        openPass = new SubmissionRecord.Pass(name, List.copyOf(uses));
        commands.add(openPass);
    }

    /**
     * Notes the end of the open pass.
     *
     * @throws IllegalStateException if no pass is open
     */
    public void endPass() {
        if (openPass == null) {
            throw new IllegalStateException("command list '" + list + "' ends a pass, but none is open");
        }
        openPass = null;
    }

    /** Notes a barrier, and behind it the rest of the open pass if there is one; nothing if the batch is empty. */
    public void barrier(BarrierBatch batch) {
        if (batch.isEmpty()) {
            return;
        }
        commands.add(new SubmissionRecord.Barrier(batch));
        if (openPass != null) {
            commands.add(new SubmissionRecord.Pass(openPass.name(), openPass.uses(), true));
        }
    }

    /** Notes everything in the log of a list that this one executes, inside of the open pass if there is one. */
    public void append(CommandLog executed) {
        if (openPass != null && !executed.commands.isEmpty()) {
            throw new IllegalStateException("command list '" + list + "' executes list '" + executed.list
                    + "', which has passes or barriers of its own, inside pass '" + openPass.name()
                    + "'; end the pass first");
        }
        commands.addAll(executed.commands);
    }

    /** Returns the commands so far, in order. */
    public List<SubmissionRecord.Command> commands() {
        return List.copyOf(commands);
    }

    /**
     * Makes the record of a submission.
     *
     * @param queue queue
     * @param submission submission
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
