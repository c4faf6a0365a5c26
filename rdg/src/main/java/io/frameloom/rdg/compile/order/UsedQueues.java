package io.frameloom.rdg.compile.order;

import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.compile.graph.IntList;
import java.util.ArrayList;
import java.util.List;

/**
 * The queues on which passes run, and the graphics queue, in their order. A device may have many more, and the phases
 * of the compiler keep numbers for each pass and each resource on each queue.
 */
public final class UsedQueues {
    /** The queues that the phases know. */
    public final QueueTopology topology;

    /** By queue of the device its index among the used ones, -1 for others. */
    private final int[] used;
    /** By used queue its index among those of the device. */
    private final int[] original;

    /** Queues on which passes run; {@code passQueue} is -1 for those that do not. */
    public UsedQueues(int[] passQueue, QueueTopology queues) {
        List<QueueTopology.Queue> all = queues.queues();
        boolean[] runs = new boolean[all.size()];
        runs[0] = true;
        for (int q : passQueue) {
            if (q >= 0) {
                runs[q] = true;
            }
        }
        used = new int[runs.length];
        IntList kept = new IntList(runs.length);
        for (int q = 0; q < runs.length; q++) {
            used[q] = runs[q] ? kept.size() : -1;
            if (runs[q]) {
                kept.add(q);
            }
        }
        original = kept.toArray();
        topology = original.length == runs.length ? queues : only(all);
    }

    private QueueTopology only(List<QueueTopology.Queue> all) {
        List<QueueTopology.Queue> kept = new ArrayList<>(original.length);
        for (int q : original) {
            kept.add(all.get(q));
        }
        return new QueueTopology(kept);
    }

    /** Puts the used queues in place of those of the device. */
    public void compact(int[] passQueue) {
        for (int p = 0; p < passQueue.length; p++) {
            passQueue[p] = passQueue[p] < 0 ? -1 : used[passQueue[p]];
        }
    }

    /** Returns the queue of the device, -1 for -1. */
    public int original(int queue) {
        return queue < 0 ? -1 : original[queue];
    }
}
