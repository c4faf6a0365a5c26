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
    private static final int[] NONE = {};

    /** Nodes of all batches, in order of submission, those of each batch together. */
    public final int[] nodes;
    /** Where the nodes of each batch begin, and the number of nodes at the end. */
    public final int[] start;
    /** The batches that each batch waits for. */
    public final int[] waits;
    /** Where the waits of each batch begin, and their number at the end. */
    public final int[] waitStart;
    /** The edge of each wait. */
    public final int[] waitEdges;
    /** Batch of each node, -1 for nodes that are not ordered; in scratch memory, and none in a plan. */
    public int[] batchOf;
    /** Whether a batch waits for each batch. */
    public final boolean[] signals;

    /** Cuts batches; {@code host} is the queue that stands for the host, or -1. */
    public Batching(
            int[] order,
            int ordered,
            int[] queue,
            int queueCount,
            int host,
            int[] from,
            int[] to,
            Synchronization sync,
            Scratch scratch) {
        int nodeCount = queue.length;
        batchOf = scratch.ints(nodeCount, -1);
        long mark = scratch.mark();
        int[] cut = scratch.ints(nodeCount, 0);
        IntList waitedEdges = sync.waits;
        for (int i = 0; i < waitedEdges.size(); i++) {
            int edge = waitedEdges.get(i);
            cut[from[edge]] |= SIGNALS;
            cut[to[edge]] |= WAITS;
        }
        int[] open = new int[queueCount];
        Arrays.fill(open, -1);
        int batches = 0;
        for (int i = 0; i < ordered; i++) {
            int node = order[i];
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
        for (int i = 0; i < ordered; i++) {
            int node = order[i];
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
        nodes = new int[ordered];
        for (int i = 0; i < ordered; i++) {
            int node = order[i];
            nodes[next[batchOf[node]]++] = node;
        }
        waitEdges = new int[waitedEdges.size()];
        waits = new int[waitEdges.length];
        for (int i = 0; i < waitedEdges.size(); i++) {
            int edge = waitedEdges.get(i);
            int wait = nextWait[batchOf[to[edge]]]++;
            waitEdges[wait] = edge;
            waits[wait] = batchOf[from[edge]];
        }
        scratch.release(mark);
    }

    /** Lets go of what only the compiler asks for. */
    public void keepForPlan() {
        batchOf = NONE;
    }

    /** Returns the number of batches. */
    public int count() {
        return signals.length;
    }
}
