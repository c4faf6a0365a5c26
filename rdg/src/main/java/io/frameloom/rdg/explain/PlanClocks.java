package io.frameloom.rdg.explain;

import io.frameloom.rdg.FramePlan;
import java.util.Arrays;

/** What each pass of a plan knows to be complete: per queue the last pass before it, by queue order and waits. */
public final class PlanClocks {
    private static final int[] NONE = {};

    /** The clocks know the used queues alone. */
    private final int queues;

    private final int[] used;
    private final int[] position;
    private final int[] clock;
    private final int[][] onQueue;

    public PlanClocks(FramePlan plan) {
        used = new int[plan.queues().queues().size()];
        Arrays.fill(used, -1);
        int count = 0;
        for (FramePlan.Batch batch : plan.batches()) {
            used[batch.queue()] = used[batch.queue()] < 0 ? count++ : used[batch.queue()];
        }
        queues = count;
        int passes = plan.passes().size();
        position = new int[passes];
        Arrays.fill(position, -1);
        clock = new int[passes * queues];
        Arrays.fill(clock, -1);
        onQueue = new int[queues][passes];
        int[] counts = new int[queues];
        for (FramePlan.Batch batch : plan.batches()) {
            int q = used[batch.queue()];
            boolean first = true;
            for (int pass : batch.passes()) {
                position[pass] = counts[q];
                if (counts[q] > 0) {
                    merge(pass, onQueue[q][counts[q] - 1]);
                }
                if (first) {
                    for (FramePlan.BatchWait wait : batch.waits()) {
                        FramePlan.Batch source = plan.batches().get(wait.batch());
                        merge(pass, source.passes().get(source.passes().size() - 1));
                    }
                    first = false;
                }
                clock[pass * queues + q] = counts[q];
                onQueue[q][counts[q]++] = pass;
            }
        }
        for (int q = 0; q < queues; q++) {
            onQueue[q] = Arrays.copyOf(onQueue[q], counts[q]);
        }
    }

    /**
     * Returns whether {@code earlier} is complete before {@code later} starts, or at least begins before it on its
     * queue.
     */
    public boolean precedes(FramePlan plan, int earlier, int later) {
        return earlier != later
                && position[earlier] >= 0
                && clock[later * queues + used[plan.passes().get(earlier).queue()]] >= position[earlier];
    }

    /** Returns the last pass of a queue that a pass knows to be complete, itself on its own queue, or -1. */
    public int known(int pass, int queue) {
        int at = used[queue] < 0 ? -1 : clock[pass * queues + used[queue]];
        return at < 0 ? -1 : onQueue[used[queue]][at];
    }

    /** Returns the position of the first pass of another queue that a pass does not know to be complete. */
    public int firstBeside(int queue, int pass) {
        return used[queue] < 0 ? 0 : clock[pass * queues + used[queue]] + 1;
    }

    /** Returns the position of the first pass of another queue that knows a pass to be complete, or their number. */
    public int firstBehind(FramePlan plan, int queue, int pass) {
        int low = firstBeside(queue, pass);
        int[] others = passes(queue);
        int high = others.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (precedes(plan, pass, others[middle])) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** Returns the position of a pass on its queue, -1 if it does not run. */
    public int position(int pass) {
        return position[pass];
    }

    /** Returns the passes of a queue in order. */
    public int[] passes(int queue) {
        return used[queue] < 0 ? NONE : onQueue[used[queue]];
    }

    private void merge(int pass, int source) {
        for (int q = 0; q < queues; q++) {
            clock[pass * queues + q] = Math.max(clock[pass * queues + q], clock[source * queues + q]);
        }
    }
}
