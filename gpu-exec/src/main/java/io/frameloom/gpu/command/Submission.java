package io.frameloom.gpu.command;

import java.util.List;

/**
 * A batch for one queue.
 *
 * <p>A submission usually reaches its point when everything in it is done. With narrower {@link #signalStages} it takes
 * two values of the queue's timeline. The point that {@link GpuQueue#submit} returns is reached when the commands of
 * this submission have passed those stages, the next value when everything is done. Points of one queue are always
 * reached in order.
 *
 * @param label name for messages and traces
 * @param lists finished command lists, in order
 * @param waits points of other queues to wait for
 * @param signalStages mask of the {@link PipelineStage}s that must be done before the point is reached
 * @param externalWaits points of external semaphores to wait for
 * @param externalSignals points of external semaphores to signal
 * @param acquires swapchain images whose acquisition to wait for
 * @param presents swapchain images that may be presented when everything is done
 */
public record Submission(
        String label,
        List<CommandList> lists,
        List<Wait> waits,
        int signalStages,
        List<ExternalPoint> externalWaits,
        List<ExternalPoint> externalSignals,
        List<Acquire> acquires,
        List<AcquiredImage> presents) {
    public Submission {
        lists = List.copyOf(lists);
        waits = List.copyOf(waits);
        externalWaits = List.copyOf(externalWaits);
        externalSignals = List.copyOf(externalSignals);
        acquires = List.copyOf(acquires);
        presents = List.copyOf(presents);
    }

    /** A submission that reaches its point at its end, without external semaphores and swapchain images. */
    public Submission(String label, List<CommandList> lists, List<Wait> waits) {
        this(label, lists, waits, PipelineStage.ALL_COMMANDS.bit(), List.of(), List.of(), List.of(), List.of());
    }

    /** As this, reaching its point as soon as {@code stages} are done. */
    public Submission signalling(int stages) {
        return new Submission(label, lists, waits, stages, externalWaits, externalSignals, acquires, presents);
    }

    /** As this, waiting for and signalling external semaphores. */
    public Submission with(List<ExternalPoint> waitFor, List<ExternalPoint> signal) {
        return new Submission(label, lists, waits, signalStages, waitFor, signal, acquires, presents);
    }

    /**
     * As this, waiting for the acquisition of swapchain images, and signalling that images may be presented when
     * everything is done.
     */
    public Submission presenting(List<Acquire> waitFor, List<? extends AcquiredImage> signal) {
        return new Submission(
                label, lists, waits, signalStages, externalWaits, externalSignals, waitFor, List.copyOf(signal));
    }

    /** Returns whether the point is reached before everything is done. */
    public boolean signalsEarly() {
        return (signalStages & PipelineStage.ALL_COMMANDS.bit()) == 0;
    }

    /**
     * Checks the signal stages against the queue that is to execute this.
     *
     * @throws IllegalArgumentException naming the stages that the queue does not have
     */
    public void checkSignals(GpuQueue queue) {
        int possible = stagesOf(queue);
        if (signalStages == PipelineStage.NONE || (signalStages & ~possible) != 0) {
            throw new IllegalArgumentException("submission '" + label + "' signals when "
                    + PipelineStage.describe(signalStages) + " is done, but queue '" + queue.name() + "' signals by "
                    + PipelineStage.describe(possible));
        }
    }

    /**
     * Checks the stages that wait, and those of external points, against the queue that is to execute this.
     *
     * @throws IllegalArgumentException naming the stages that the queue does not have
     */
    public void checkWaits(GpuQueue queue) {
        for (int i = 0; i < waits.size(); i++) {
            Wait wait = waits.get(i);
            checkStages(queue, "waits for queue '", wait.point().queue().name(), wait.stages());
        }
        for (int i = 0; i < externalWaits.size(); i++) {
            ExternalPoint point = externalWaits.get(i);
            checkStages(queue, "waits for " + kind(point), point.semaphore().name(), point.stages());
        }
        for (int i = 0; i < externalSignals.size(); i++) {
            ExternalPoint point = externalSignals.get(i);
            checkStages(queue, "signals " + kind(point), point.semaphore().name(), point.stages());
        }
    }

    private static String kind(ExternalPoint point) {
        return point.isOfTimeline() ? "timeline '" : "semaphore '";
    }

    private void checkStages(GpuQueue queue, String what, String name, int stages) {
        int possible = stagesOf(queue);
        if (stages == PipelineStage.NONE || (stages & ~possible) != 0) {
            throw new IllegalArgumentException("submission '" + label + "' " + what + name + "' at stages "
                    + PipelineStage.describe(stages) + ", but queue '" + queue.name() + "' has "
                    + PipelineStage.describe(possible) + "; name at least one of these and no other");
        }
    }

    private static int stagesOf(GpuQueue queue) {
        return PipelineStage.of(queue.kind()) & ~PipelineStage.HOST.bit();
    }

    /**
     * A wait for a point.
     *
     * @param stages mask of the {@link PipelineStage}s of this submission that wait
     */
    public record Wait(TimelinePoint point, int stages) {}

    /**
     * A wait for the acquisition of a swapchain image.
     *
     * @param stages mask of the {@link PipelineStage}s of this submission that wait; a transition of the image needs
     *     them as its source stages
     */
    public record Acquire(AcquiredImage image, int stages) {}
}
