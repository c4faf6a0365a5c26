package io.frameloom.rdg.compile;

import java.util.Arrays;

/**
 * When resources are in use, in terms of happens-before over all queues: one precedes another if every use of the first
 * is complete before any use of the second starts. A linear index would be wrong here: passes on different queues overlap.
 */
final class Lifetimes {
    private final int queueCount;
    private final Synchronization sync;
    /** Position of the last use of each resource on each queue, -1 for none. */
    private final int[] last;
    /** Node of the first use of each resource on each queue, -1 for none. */
    private final int[] first;

    private final boolean[] used;

    Lifetimes(SubresourceMap map, Transitions transitions, Synchronization sync, int resources, int queueCount) {
        this.queueCount = queueCount;
        this.sync = sync;
        last = new int[resources * queueCount];
        first = new int[resources * queueCount];
        used = new boolean[resources];
        Arrays.fill(last, -1);
        Arrays.fill(first, -1);
        int passes = map.touchBase.length - 1;
        for (int node : transitions.order) {
            if (node < passes) {
                for (int t = map.touchBase[node]; t < map.touchBase[node + 1]; t++) {
                    use(map.cellResource[map.touchCell[t]], node, transitions.queue[node]);
                }
            } else {
                use(transitions.addedResource[node - passes], node, transitions.queue[node]);
            }
        }
    }

    private void use(int resource, int node, int queue) {
        int at = resource * queueCount + queue;
        if (first[at] < 0) {
            first[at] = node;
        }
        last[at] = sync.indexOnQueue[node];
        used[resource] = true;
    }

    boolean isUsed(int resource) {
        return used[resource];
    }

    /** Returns the node of the first use on any queue, by node number; for a stable order of resources. */
    int firstNode(int resource) {
        int node = Integer.MAX_VALUE;
        for (int q = 0; q < queueCount; q++) {
            int f = first[resource * queueCount + q];
            node = f >= 0 ? Math.min(node, f) : node;
        }
        return node;
    }

    /** Returns the number of positions on all queues between first and last use: a measure of length. */
    long length(int resource) {
        long length = 0;
        for (int q = 0; q < queueCount; q++) {
            int at = resource * queueCount + q;
            length += first[at] < 0 ? 0 : last[at] - sync.indexOnQueue[first[at]] + 1;
        }
        return length;
    }

    /** Returns whether every use of {@code a} happens before every use of {@code b}. */
    boolean precedes(int a, int b) {
        for (int q = 0; q < queueCount; q++) {
            int end = last[a * queueCount + q];
            if (end < 0) {
                continue;
            }
            for (int other = 0; other < queueCount; other++) {
                int start = first[b * queueCount + other];
                if (start < 0) {
                    continue;
                }
                int known = q == other ? sync.indexOnQueue[start] - 1 : sync.known(start, q);
                if (known < end) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns whether a use of {@code resource} happens before, or is, {@code node}, and another after or is it. */
    boolean spans(int resource, int node, int queue) {
        boolean started = false;
        for (int q = 0; q < queueCount; q++) {
            int f = first[resource * queueCount + q];
            if (f >= 0) {
                started |= sync.known(node, q) >= sync.indexOnQueue[f];
            }
        }
        boolean continues = last[resource * queueCount + queue] >= sync.indexOnQueue[node];
        return started && continues;
    }
}
