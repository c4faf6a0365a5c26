package io.frameloom.rdg.execute;

import io.frameloom.gpu.BarrierBatch;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What orders the frame of a slot behind former ones. Filled on the RENDER thread before the frame is launched, then read by its
 * recording tasks and the submit chain.
 */
final class FrameBoundary {
    private @Nullable BatchPoint[] points = new BatchPoint[0];
    private @Nullable BatchPoint[] @Nullable [] waits = new BatchPoint[0][];
    private @Nullable BarrierBatch[] barriers = new BarrierBatch[0];

    /** Becomes the boundary of a frame with so many batches, recording groups and passes, which waits for nothing. */
    void reset(int batches, int groups, int passes) {
        if (points.length < batches) {
            points = new BatchPoint[batches];
        }
        if (waits.length < groups) {
            waits = new BatchPoint[groups][];
        }
        if (barriers.length < passes) {
            barriers = new BarrierBatch[passes];
        }
        Arrays.fill(points, null);
        Arrays.fill(waits, null);
        Arrays.fill(barriers, null);
    }

    void point(int batch, BatchPoint point) {
        points[batch] = point;
    }

    /** Returns what later frames know a batch by. */
    BatchPoint point(int batch) {
        return Objects.requireNonNull(points[batch]);
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
