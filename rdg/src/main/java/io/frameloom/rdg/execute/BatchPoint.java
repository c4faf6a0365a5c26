package io.frameloom.rdg.execute;

import io.frameloom.gpu.TimelinePoint;
import org.jspecify.annotations.Nullable;

/**
 * A batch of a frame as later frames wait for it, known before it is submitted.
 *
 * <p>Everything but {@link #point} is written on the RENDER thread before the frame is launched and constant from then on;
 * the point belongs to the submit chain.
 */
final class BatchPoint {
    final int queue;
    /** Position among all batches that the executor plans for the queue, from 1. */
    final long sequence;
    /** By queue the newest batch that is complete when this one is; its own queue's are those known by waits alone. */
    final long[] clock;
    /** Where the batch ends, or null while it is not submitted, and for ever if its frame fails before. */
    @Nullable
    TimelinePoint point;

    BatchPoint(int queue, long sequence, long[] clock) {
        this.queue = queue;
        this.sequence = sequence;
        this.clock = clock;
    }
}
