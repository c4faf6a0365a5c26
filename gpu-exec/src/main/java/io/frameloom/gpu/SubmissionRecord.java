package io.frameloom.gpu;

import java.util.List;

/**
 * What was submitted, as seen by a {@link SubmissionObserver}: enough to judge it without the compiler that made it.
 *
 * @param queue queue
 * @param label label of the submission
 * @param waits waits
 * @param value timeline value it reaches
 * @param commands passes and barriers of all lists, in order
 * @param signalStages mask of the stages after which the value is reached; if they are not ALL_COMMANDS, the next value is
 *     reached when everything is done
 * @param acquires swapchain images whose acquisition it waits for
 * @param presents swapchain images that may be presented when everything is done
 * @param externalWaits points of somebody else's timelines that it waits for
 * @param externalSignals points of somebody else's timelines that it signals
 */
public record SubmissionRecord(
        GpuQueue queue,
        String label,
        List<Submission.Wait> waits,
        long value,
        List<Command> commands,
        int signalStages,
        List<Submission.Acquire> acquires,
        List<SwapchainImage> presents,
        List<ExternalPoint> externalWaits,
        List<ExternalPoint> externalSignals) {

    /** A submission without swapchain images and external timelines. */
    public SubmissionRecord(
            GpuQueue queue,
            String label,
            List<Submission.Wait> waits,
            long value,
            List<Command> commands,
            int signalStages) {
        this(queue, label, waits, value, commands, signalStages, List.of(), List.of(), List.of(), List.of());
    }

    /** A submission that reaches its value when everything is done. */
    public SubmissionRecord(
            GpuQueue queue, String label, List<Submission.Wait> waits, long value, List<Command> commands) {
        this(queue, label, waits, value, commands, PipelineStage.ALL_COMMANDS.bit());
    }

    /** As this, with other waits and commands. */
    public SubmissionRecord with(List<Submission.Wait> otherWaits, List<Command> otherCommands) {
        return new SubmissionRecord(
                queue,
                label,
                otherWaits,
                value,
                otherCommands,
                signalStages,
                acquires,
                presents,
                externalWaits,
                externalSignals);
    }

    /** A recorded command that matters for synchronisation. */
    public sealed interface Command {}

    /**
     * A pass with its declared uses. A barrier inside of a pass cuts it: what comes behind the barrier is recorded as the same
     * pass, continued, with all its uses again.
     *
     * @param name name
     * @param uses uses
     * @param continued whether this is the rest of the last pass, behind the barrier before this
     */
    public record Pass(String name, List<ResourceUse> uses, boolean continued) implements Command {
        /** A pass from its begin on. */
        public Pass(String name, List<ResourceUse> uses) {
            this(name, uses, false);
        }
    }

    /**
     * A barrier.
     *
     * @param batch barriers
     */
    public record Barrier(BarrierBatch batch) implements Command {}
}
