package io.frameloom.rdg.execute.touch;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Gives batches out as {@link BatchPoint}s and uses those again that are no longer referred to. RENDER thread only. The
 * boundary of a frame keeps what its tasks read until the next frame of its slot begins. So the submit chain need not
 * count references.
 */
public final class BatchPoints {
    private final int queues;
    private final Deque<BatchPoint> spare = new ArrayDeque<>();

    public BatchPoints(int queues) {
        this.queues = queues;
    }

    /** Returns a batch without references; the clock is copied. */
    public BatchPoint take(int queue, long sequence, long[] clock) {
        BatchPoint point = spare.isEmpty() ? new BatchPoint(queues) : spare.pop();
        point.queue = queue;
        point.sequence = sequence;
        System.arraycopy(clock, 0, point.clock, 0, queues);
        point.point = null;
        Arrays.fill(point.seenByHost, 0);
        return point;
    }

    public BatchPoint retain(BatchPoint point) {
        point.references++;
        return point;
    }

    public void release(BatchPoint point) {
        if (--point.references == 0) {
            point.hostTask = null;
            spare.push(point);
        }
    }
}
