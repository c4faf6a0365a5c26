package io.frameloom.rdg.compile;

import java.util.Arrays;

/**
 * Cuts each queue's nodes into batches, after a node that signals and before a node that waits, and orders the batches
 * for submission by the position of their first node: a batch then never precedes what it waits for. Each pass of the host
 * is a batch.
 */
final class Batching {
    private static final int[] NONE = {};
    private static final int SIGNALS = 1;
    private static final int WAITS = 2;

    /** Nodes of each batch, in order of submission. */
    final int[][] nodes;
    /** Waiting edges of each batch. */
    final int[][] waitEdges;
    /** Batch of each node, -1 for nodes that are not ordered. */
    final int[] batchOf;
    /** Whether a batch waits for each batch. */
    final boolean[] signals;

    /** Cuts batches; {@code host} is the queue that stands for the host, or -1. */
    Batching(int[] order, int[] queue, int queueCount, int host, int[] from, int[] to, boolean[] waited) {
        this(order, queue, queueCount, host, from, to, waited, new Scratch());
    }

    Batching(
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
        int[] members = scratch.ints(batches, 0);
        int[] waits = scratch.ints(batches, 0);
        for (int node : order) {
            members[batchOf[node]]++;
        }
        signals = new boolean[batches];
        for (int i = 0; i < waitedEdges.size(); i++) {
            int e = waitedEdges.get(i);
            waits[batchOf[to[e]]]++;
            signals[batchOf[from[e]]] = true;
        }
        nodes = new int[batches][];
        waitEdges = new int[batches][];
        for (int b = 0; b < batches; b++) {
            nodes[b] = new int[members[b]];
            waitEdges[b] = waits[b] == 0 ? NONE : new int[waits[b]];
        }
        Arrays.fill(members, 0, batches, 0);
        for (int node : order) {
            int b = batchOf[node];
            nodes[b][members[b]++] = node;
        }
        Arrays.fill(waits, 0, batches, 0);
        for (int i = 0; i < waitedEdges.size(); i++) {
            int e = waitedEdges.get(i);
            int b = batchOf[to[e]];
            waitEdges[b][waits[b]++] = e;
        }
        scratch.release(mark);
    }
}
