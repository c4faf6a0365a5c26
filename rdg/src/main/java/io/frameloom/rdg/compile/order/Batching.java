package io.frameloom.rdg.compile.order;

import io.frameloom.rdg.compile.graph.IntList;
import io.frameloom.rdg.compile.graph.Scratch;
import java.util.Arrays;

/**
 * Cuts each queue's nodes into batches, after a node that signals and before a node that waits. Batches are submitted
 * in the order of their first nodes, so a batch never precedes what it waits for. Each pass of the host is a batch.
 */
public final class Batching {
    private static final int SIGNALS = 1;
    private static final int WAITS = 2;

    /** Nodes of all batches, in order of submission, those of each batch together. */
    public final int[] nodes;
    /** Where the nodes of each batch begin, and the number of nodes at the end. */
    public final int[] start;
    /** Waiting edges of all batches. */
    public final int[] waitEdges;
    /** Where the waiting edges of each batch begin, and their number at the end. */
    public final int[] waitStart;
    /** Batch of each node, -1 for nodes that are not ordered. */
    public final int[] batchOf;
    /** Whether a batch waits for each batch. */
    public final boolean[] signals;

    /** Cuts batches; {@code host} is the queue that stands for the host, or -1. */
    public Batching(
            int[] order,
            int[] queue,
            int queueCount,
            int host,
            int[] from,
            int[] to,
            boolean[] waited,
            Scratch scratch) {
        int nodeCount = queue.length;
        long mark = scratch.mark();
        int[] cut = scratch.ints(nodeCount, 0);
        IntList waitedEdges = scratch.list();
        for (int e = 0; e < waited.length; e++) {
            if (waited[e]) {
                waitedEdges.add(e);
                cut[from[e]] |= SIGNALS;
                cut[to[e]] |= WAITS;
            }
        }
        batchOf = new int[nodeCount];
        Arrays.fill(batchOf, -1);
        int[] open = new int[queueCount];
        Arrays.fill(open, -1);
        int batches = 0;
        for (int node : order) {
            int q = queue[node];
            if (open[q] < 0 || (cut[node] & WAITS) != 0) {
                open[q] = batches++;
            }
            batchOf[node] = open[q];
            if ((cut[node] & SIGNALS) != 0 || q == host) {
                open[q] = -1;
            }
        }
        start = new int[batches + 1];
        waitStart = new int[batches + 1];
        signals = new boolean[batches];
        for (int node : order) {
            start[batchOf[node] + 1]++;
        }
        for (int i = 0; i < waitedEdges.size(); i++) {
            int edge = waitedEdges.get(i);
            waitStart[batchOf[to[edge]] + 1]++;
            signals[batchOf[from[edge]]] = true;
        }
        int[] next = scratch.ints(batches);
        int[] nextWait = scratch.ints(batches);
        for (int b = 0; b < batches; b++) {
            next[b] = start[b];
            nextWait[b] = waitStart[b];
            start[b + 1] += start[b];
            waitStart[b + 1] += waitStart[b];
        }
        nodes = new int[order.length];
        for (int node : order) {
            nodes[next[batchOf[node]]++] = node;
        }
        waitEdges = new int[waitedEdges.size()];
        for (int i = 0; i < waitedEdges.size(); i++) {
            int edge = waitedEdges.get(i);
            waitEdges[nextWait[batchOf[to[edge]]]++] = edge;
        }
        scratch.release(mark);
    }

    /** Returns the number of batches. */
    public int count() {
        return signals.length;
    }
}
