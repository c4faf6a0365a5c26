package io.frameloom.rdg.execute.touch;

import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.taskgraph.GraphEvent;
import org.jspecify.annotations.Nullable;

/**
 * A batch of a frame as later frames wait for it, known before it is submitted. Made and taken back by {@link
 * BatchPoints}.
 *
 * <p>{@link #point} and {@link #seenByHost} belong to the submit chain. The RENDER thread writes everything else before
 * the frame is launched; it is constant from then on. A pass of the host has no point.
 */
public final class BatchPoint {
    private static final long[] NOTHING_SEEN = {};

    public int queue;
    /** Position among all batches that the executor plans for the queue, from 1. */
    public long sequence;
    /** By queue the newest batch that is complete when this one is; its own queue's are those known by waits alone. */
    public final long[] clock;
    /** How many know it. RENDER thread only. */
    int references;
    /** Where the batch ends, or null while it is not submitted, and for ever if its frame fails before. */
    public @Nullable TimelinePoint point;

    /** Of a pass of the host its task, else null. RENDER thread only. */
    public @Nullable GraphEvent hostTask;

    /** Of a pass of the host by queue the newest value that the host has seen when it runs. The submit chain's. */
    public long[] seenByHost = NOTHING_SEEN;

    BatchPoint(int queues) {
        this.clock = new long[queues];
    }

    /** Returns whether this batch is complete when the later one with that clock is. */
    public boolean isKnownTo(long[] later) {
        return sequence <= later[queue];
    }
}
