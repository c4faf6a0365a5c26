package io.frameloom.rdg.execute;

import io.frameloom.gpu.TimelinePoint;
import org.jspecify.annotations.Nullable;

/**
 * A batch of a frame as later frames wait for it, known before it is submitted. Made and taken back by {@link BatchPoints}.
 *
 * <p>Everything but {@link #point} is written on the RENDER thread before the frame is launched and constant from then on;
 * the point belongs to the submit chain.
 */
final class BatchPoint {
    int queue;
    /** Position among all batches that the executor plans for the queue, from 1. */
    long sequence;
    /** By queue the newest batch that is complete when this one is; its own queue's are those known by waits alone. */
    final long[] clock;
    /** How many know it. RENDER thread only. */
    int references;
    /** Where the batch ends, or null while it is not submitted, and for ever if its frame fails before. */
    @Nullable
    TimelinePoint point;

    BatchPoint(int queues) {
        this.clock = new long[queues];
    }
}
