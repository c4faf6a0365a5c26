package io.frameloom.rdg.compile.order;

import io.frameloom.rdg.compile.graph.Scratch;
import java.util.Arrays;

/**
 * What happens before what on several queues: vector clocks (C. J. Fidge; F. Mattern, 1988; known for render graphs as
 * sufficient synchronisation index sets from "Organizing GPU Work with Directed Acyclic Graphs", P. Tranquillini,
 * 2021). Each node keeps per queue the position of the latest node that is complete before it. {@link Synchronization}
 * fills them. Then they are immutable; any thread.
 */
public final class VectorClocks {
    static final int NONE = -1;

    private final int queueCount;
    private final int[] queue;
    /** Position of each node on its queue, -1 for nodes that are not ordered. */
    private final int[] position;
    /** The nodes of each queue in its order, one queue after the other, and where each begins. */
    private final int[] nodes;

    private final int[] nodeBase;
    /** By node and queue. */
    private final long[] clock;

    /** Clocks of nodes that know nothing yet, in scratch memory. */
    VectorClocks(int[] order, int ordered, int[] queue, int queueCount, Scratch scratch) {
        this.queueCount = queueCount;
        this.queue = queue;
        position = scratch.ints(queue.length, NONE);
        nodes = scratch.ints(ordered);
        nodeBase = new int[queueCount + 1];
        clock = table(queue.length, queueCount, scratch);
        for (int i = 0; i < ordered; i++) {
            int node = order[i];
            position[node] = nodeBase[queue[node] + 1]++;
        }
        for (int q = 0; q < queueCount; q++) {
            nodeBase[q + 1] += nodeBase[q];
        }
        for (int i = 0; i < ordered; i++) {
            int node = order[i];
            nodes[nodeBase[queue[node]] + position[node]] = node;
        }
    }

    /** Returns rows that know nothing. */
    static long[] table(int rows, int queueCount, Scratch scratch) {
        long[] table = scratch.longs(rows * queueCount);
        Arrays.fill(table, 0, rows * queueCount, NONE);
        return table;
    }

    /** Adds to what a row knows what another one does; both are given by where they begin. */
    public static void join(long[] rows, int row, long[] others, int other, int queueCount) {
        for (int q = 0; q < queueCount; q++) {
            rows[row + q] = Math.max(rows[row + q], others[other + q]);
        }
    }

    long[] rows() {
        return clock;
    }

    public int queueCount() {
        return queueCount;
    }

    public int queue(int node) {
        return queue[node];
    }

    /** Returns the position of a node on its queue, -1 if it is not ordered. */
    public int position(int node) {
        return position[node];
    }

    /** Returns the number of ordered nodes of a queue. */
    public int count(int queue) {
        return nodeBase[queue + 1] - nodeBase[queue];
    }

    /** Returns a node of a queue. */
    public int node(int queue, int position) {
        return nodes[nodeBase[queue] + position];
    }

    /** Returns the place of the first node of a queue among all ordered nodes, one queue after the other. */
    public int firstPlace(int queue) {
        return nodeBase[queue];
    }

    /** Returns the number of ordered nodes. */
    public int places() {
        return nodeBase[queueCount];
    }

    /** Returns the position of the latest node of {@code queue} that is complete before {@code node}, -1 for none. */
    public int known(int node, int queue) {
        return (int) clock[node * queueCount + queue];
    }

    /** Returns whether a node is complete before another one starts, or at least begins before it on its queue. */
    public boolean precedes(int earlier, int later) {
        return earlier != later && position[earlier] >= 0 && known(later, queue[earlier]) >= position[earlier];
    }

    /** Returns the position on a queue of the first node that knows a node to be complete, or their number. */
    public int firstAfter(int node, int onQueue) {
        int low = known(node, onQueue) + 1;
        int high = count(onQueue);
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (precedes(node, node(onQueue, middle))) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
