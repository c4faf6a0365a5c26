package io.frameloom.gpu;

import java.util.List;

/**
 * A batch for one queue.
 *
 * @param label name for messages and traces
 * @param lists finished command lists, in order
 * @param waits points of other queues to wait for
 */
public record Submission(String label, List<CommandList> lists, List<Wait> waits) {
    /** Copies the lists. */
    public Submission {
        lists = List.copyOf(lists);
        waits = List.copyOf(waits);
    }

    /**
     * A wait for a point.
     *
     * @param point point
     * @param stages mask of the {@link PipelineStage}s of this submission that wait
     */
    public record Wait(TimelinePoint point, int stages) {}
}
