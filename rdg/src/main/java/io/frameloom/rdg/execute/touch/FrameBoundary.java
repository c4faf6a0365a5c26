package io.frameloom.rdg.execute.touch;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.internal.RepeatedCommand;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What orders the frame of a slot after former ones. Filled on the RENDER thread before the frame is launched, then
 * read by its recording tasks and the submit chain. Its arrays serve every frame of the slot.
 */
public final class FrameBoundary {
    private @Nullable BatchPoint[] points = new BatchPoint[0];
    private @Nullable BatchPoint[][] waits = new BatchPoint[0][];
    private boolean[] waiting = new boolean[0];
    private @Nullable RepeatedCommand<BarrierBatch>[] barriers = none(0);

    /**
     * Becomes the boundary of a frame with these numbers of batches, recording groups and passes, which waits for
     * nothing.
     */
    public void reset(BatchPoints pool, int batches, int groups, int passes) {
        release(pool, points);
        for (int group = 0; group < waits.length; group++) {
            if (waiting[group]) {
                release(pool, waits[group]);
                waiting[group] = false;
            }
        }
        if (points.length < batches) {
            points = new BatchPoint[batches];
        }
        if (waits.length < groups) {
            int known = waits.length;
            waits = Arrays.copyOf(waits, groups);
            Arrays.fill(waits, known, groups, new BatchPoint[0]);
            waiting = new boolean[groups];
        }
        if (barriers.length < passes) {
            barriers = none(passes);
        }
        Arrays.fill(barriers, null);
    }

    @SuppressWarnings("unchecked") // nothing else is put in
    private static @Nullable RepeatedCommand<BarrierBatch>[] none(int passes) {
        return (RepeatedCommand<BarrierBatch>[]) new RepeatedCommand<?>[passes];
    }

    private static void release(BatchPoints pool, @Nullable BatchPoint[] held) {
        for (int i = 0; i < held.length; i++) {
            BatchPoint point = held[i];
            if (point != null) {
                held[i] = null;
                pool.release(point);
            }
        }
    }

    public void point(BatchPoints pool, int batch, BatchPoint point) {
        points[batch] = pool.retain(point);
    }

    public BatchPoint point(int batch) {
        return Objects.requireNonNull(points[batch]);
    }

    /** Lets a recording group wait for a batch of another queue, one for each. */
    public void waitFor(BatchPoints pool, int group, BatchPoint point) {
        int queues = point.clock.length;
        if (waits[group].length < queues) {
            waits[group] = new BatchPoint[queues];
        }
        waits[group][point.queue] = pool.retain(point);
        waiting[group] = true;
    }

    /** Returns by queue what must be complete before a recording group begins, or null if nothing. */
    public @Nullable BatchPoint @Nullable [] waits(int group) {
        return waiting[group] ? waits[group] : null;
    }

    public void barrier(int pass, RepeatedCommand<BarrierBatch> barrier) {
        barriers[pass] = barrier;
    }

    /** Returns the barrier before a pass, ahead of the plan's own, that orders it after former frames on its queue. */
    public @Nullable RepeatedCommand<BarrierBatch> barrier(int pass) {
        return barriers[pass];
    }
}
