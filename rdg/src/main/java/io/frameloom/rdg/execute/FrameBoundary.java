package io.frameloom.rdg.execute;

import io.frameloom.gpu.BarrierBatch;
import org.jspecify.annotations.Nullable;

/**
 * What orders one frame behind former ones. Filled on the RENDER thread before the frame is launched, then read by its
 * recording tasks and the submit chain.
 */
final class FrameBoundary {
    private final BatchPoint[] points;
    private final @Nullable BatchPoint[] @Nullable [] waits;
    private final @Nullable BarrierBatch[] barriers;

    /** The boundary of a frame with so many batches, recording groups and passes, which waits for nothing. */
    FrameBoundary(int batches, int groups, int passes) {
        points = new BatchPoint[batches];
        waits = new BatchPoint[groups][];
        barriers = new BarrierBatch[passes];
    }

    void point(int batch, BatchPoint point) {
        points[batch] = point;
    }

    /** Returns what later frames know a batch by. */
    BatchPoint point(int batch) {
        return points[batch];
    }

    void waits(int group, @Nullable BatchPoint[] byQueue) {
        waits[group] = byQueue;
    }

    /** Returns by queue what must be complete before a recording group begins, or null if nothing. */
    @Nullable
    BatchPoint @Nullable [] waits(int group) {
        return waits[group];
    }

    void barrier(int pass, BarrierBatch barrier) {
        barriers[pass] = barrier;
    }

    /** Returns the barrier before a pass, ahead of the plan's own, that orders it behind former frames on its queue. */
    @Nullable
    BarrierBatch barrier(int pass) {
        return barriers[pass];
    }
}
