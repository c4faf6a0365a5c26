package io.frameloom.rdg.compile.order;

import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.rdg.compile.graph.Scratch;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the waits between queues that are necessary and together sufficient: the cross-queue edges of the transitive
 * reduction of queue order and dependencies, which is unique (A. V. Aho, M. R. Garey, J. D. Ullman, "The transitive
 * reduction of a directed graph", 1972).
 *
 * <p>One sweep with vector clocks (C. J. Fidge; F. Mattern, 1988; known for render graphs as sufficient synchronisation
 * index sets from "Organizing GPU Work with Directed Acyclic Graphs", P. Tranquillini, 2021): each node keeps per queue
 * the latest node known to be complete. Of its dependencies only the closest per queue counts. It needs a wait unless
 * its own queue has waited for it or another candidate knows it. O(edges + nodes x queues^2).
 *
 * <p>Valid for signals and waits over all commands: such a signal covers everything before it on its queue and such a
 * wait everything after it.
 */
public final class Synchronization {
    private static final int NONE = -1;

    private final int queueCount;
    private final int nodes;
    /** Position of each node on its queue, -1 for nodes that are not ordered. */
    public final int[] indexOnQueue;
    /** For each edge whether it crosses queues and needs a wait. */
    public final boolean[] waited;

    private final int[] clock;
    /** For each edge the stages that wait, null if all do. */
    public final int @Nullable [] stages;

    /** Takes over waits of exact stages. */
    public Synchronization(ExactWaits exact, int queueCount) {
        this.queueCount = queueCount;
        nodes = exact.indexOnQueue.length;
        indexOnQueue = exact.indexOnQueue;
        waited = exact.waited;
        clock = exact.clock;
        stages = exact.stages;
    }

    /**
     * Computes the waits.
     *
     * @param order nodes in a topological order that agrees with every queue's order
     * @param queue queue of each node
     * @param from earlier node of each edge
     * @param to later node of each edge
     */
    public Synchronization(int[] order, int[] queue, int queueCount, int[] from, int[] to) {
        this(order, queue, queueCount, from, to, new Scratch());
    }

    /** Clocks in scratch memory, valid until that is reset. The edges that are waited for outlive it. */
    public Synchronization(int[] order, int[] queue, int queueCount, int[] from, int[] to, Scratch scratch) {
        this.queueCount = queueCount;
        stages = null;
        nodes = queue.length;
        indexOnQueue = scratch.ints(nodes, NONE);
        clock = scratch.ints(nodes * queueCount, NONE);
        waited = new boolean[from.length];
        long mark = scratch.mark();
        int[] edgeStart = scratch.ints(nodes + 1, 0);
        int[] edges = scratch.ints(to.length);
        groupCrossing(from, to, queue, edgeStart, scratch.ints(nodes), edges);

        int[] last = new int[queueCount];
        Arrays.fill(last, NONE);
        int[] count = new int[queueCount];
        int[] candidate = new int[queueCount];
        for (int node : order) {
            int own = queue[node];
            indexOnQueue[node] = count[own]++;
            if (last[own] != NONE) {
                System.arraycopy(clock, last[own] * queueCount, clock, node * queueCount, queueCount);
            }
            last[own] = node;
            Arrays.fill(candidate, NONE);
            for (int i = edgeStart[node]; i < edgeStart[node + 1]; i++) {
                int source = from[edges[i]];
                int q = queue[source];
                if (candidate[q] == NONE || indexOnQueue[from[candidate[q]]] < indexOnQueue[source]) {
                    candidate[q] = edges[i];
                }
            }
            boolean crossed = edgeStart[node] < edgeStart[node + 1];
            for (int q = 0; crossed && q < queueCount; q++) {
                if (candidate[q] != NONE && !covered(node, q, candidate, from)) {
                    waited[candidate[q]] = true;
                }
            }
            for (int q = 0; crossed && q < queueCount; q++) {
                if (candidate[q] != NONE) {
                    merge(node, from[candidate[q]]);
                }
            }
            clock[node * queueCount + own] = indexOnQueue[node];
        }
        scratch.release(mark);
    }

    private Synchronization(Synchronization other) {
        queueCount = other.queueCount;
        nodes = other.nodes;
        indexOnQueue = Arrays.copyOf(other.indexOnQueue, nodes);
        clock = Arrays.copyOf(other.clock, nodes * queueCount);
        waited = other.waited;
        stages = other.stages;
    }

    /** Returns a copy outside of scratch memory. */
    public Synchronization kept() {
        return new Synchronization(this);
    }

    /** Returns the position of the latest node of {@code queue} that is complete before {@code node}, -1 for none. */
    public int known(int node, int queue) {
        return clock[node * queueCount + queue];
    }

    /** Returns the mask of the stages in which an edge that needs a wait is waited for; all for null. */
    public static int waitStages(int @Nullable [] stages, int edge) {
        return stages == null ? PipelineStage.ALL_COMMANDS.bit() : stages[edge];
    }

    private boolean covered(int node, int q, int[] candidate, int[] from) {
        int wanted = indexOnQueue[from[candidate[q]]];
        if (clock[node * queueCount + q] >= wanted) {
            return true;
        }
        for (int other = 0; other < queueCount; other++) {
            if (other != q && candidate[other] != NONE && clock[from[candidate[other]] * queueCount + q] >= wanted) {
                return true;
            }
        }
        return false;
    }

    private void merge(int node, int source) {
        for (int q = 0; q < queueCount; q++) {
            int at = node * queueCount + q;
            clock[at] = Math.max(clock[at], clock[source * queueCount + q]);
        }
    }

    /** Groups the edges between queues by their targets. */
    private static void groupCrossing(int[] from, int[] to, int[] queue, int[] start, int[] next, int[] edges) {
        int crossing = 0;
        for (int e = 0; e < to.length; e++) {
            // Without a branch, which would be guessed wrong.
            int crosses = queue[from[e]] == queue[to[e]] ? 0 : 1;
            edges[crossing] = e;
            crossing += crosses;
            start[to[e] + 1] += crosses;
        }
        int nodes = queue.length;
        for (int n = 0; n < nodes; n++) {
            start[n + 1] += start[n];
        }
        // The edges of the compiler's phases are in the order of their targets, but for those of added nodes.
        boolean sorted = true;
        for (int i = 1; i < crossing; i++) {
            sorted &= to[edges[i - 1]] <= to[edges[i]];
        }
        if (sorted) {
            return;
        }
        System.arraycopy(start, 0, next, 0, nodes);
        for (int e = 0; e < to.length; e++) {
            if (queue[from[e]] != queue[to[e]]) {
                edges[next[to[e]]++] = e;
            }
        }
    }

    static int[] groupByTarget(int[] to, int nodes, int[] start) {
        int[] edges = new int[to.length];
        for (int target : to) {
            start[target + 1]++;
        }
        for (int n = 0; n < nodes; n++) {
            start[n + 1] += start[n];
        }
        int[] next = Arrays.copyOf(start, nodes);
        for (int e = 0; e < to.length; e++) {
            edges[next[to[e]]++] = e;
        }
        return edges;
    }
}
