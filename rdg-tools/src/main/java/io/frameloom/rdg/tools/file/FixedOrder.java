package io.frameloom.rdg.tools.file;

import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.rdg.compile.graph.Scratch;
import io.frameloom.rdg.compile.graph.Successors;
import io.frameloom.rdg.compile.order.Batching;
import io.frameloom.rdg.compile.order.Synchronization;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Waits and batches of a graph whose orders are all given: which pass depends on which, and in what order each queue
 * executes.
 */
public final class FixedOrder {
    private final int[] queue;
    private final int[] from;
    private final int[] to;
    private final List<int[]> chains;
    private final int[] order;
    private final Synchronization sync;
    private final Batching batching;

    /**
     * Finds the waits.
     *
     * @param queue queue of each pass
     * @param chains passes of each queue in order
     * @param from earlier pass of each dependency
     * @param to later pass of each dependency
     */
    public FixedOrder(int[] queue, List<int[]> chains, int[] from, int[] to) {
        this.queue = queue.clone();
        this.from = from.clone();
        this.to = to.clone();
        this.chains = chains.stream().map(int[]::clone).toList();
        order = sorted();
        boolean complete = order.length == queue.length;
        int[] sorted = complete ? order : new int[0];
        Scratch scratch = new Scratch();
        int edges = this.from.length;
        sync = new Synchronization(
                sorted, sorted.length, this.queue, chains.size(), edges, this.from, this.to, scratch);
        batching =
                new Batching(sorted, sorted.length, this.queue, chains.size(), -1, this.from, this.to, sync, scratch);
    }

    /** Returns whether an order exists: whether the queues do not wait for each other in a circle. */
    public boolean exists() {
        return order.length == queue.length;
    }

    /**
     * Returns passes that wait for each other in a circle: each comes before the next one, and the last before the
     * first. The first has the lowest index. None if an order exists.
     */
    public int[] circle() {
        boolean[] left = new boolean[queue.length];
        Arrays.fill(left, true);
        for (int pass : order) {
            left[pass] = false;
        }
        // What is left over waits for something that is left over, so that going back never ends but in a circle.
        int[] before = new int[queue.length];
        int first = -1;
        for (int[] chain : chains) {
            for (int i = 1; i < chain.length; i++) {
                before[chain[i]] = left[chain[i - 1]] ? chain[i - 1] : before[chain[i]];
            }
        }
        for (int e = 0; e < from.length; e++) {
            before[to[e]] = left[from[e]] ? from[e] : before[to[e]];
        }
        for (int p = 0; p < left.length && first < 0; p++) {
            first = left[p] ? p : -1;
        }
        if (first < 0) {
            return new int[0];
        }
        for (int i = 0; i < left.length; i++) {
            first = before[first];
        }
        int lowest = first;
        int length = 1;
        for (int p = before[first]; p != first; p = before[p]) {
            lowest = Math.min(lowest, p);
            length++;
        }
        int[] circle = new int[length];
        for (int i = length - 1, p = before[lowest]; i >= 0; i--, p = before[p]) {
            circle[i] = p;
        }
        return circle;
    }

    /** Returns the passes in an order that queues and dependencies allow. */
    public int[] order() {
        return order.clone();
    }

    /** Returns whether a dependency is a wait between queues. */
    public boolean waited(int dependency) {
        return sync.isWaited(dependency);
    }

    /**
     * Returns for each dependency whether it is a wait between queues if each wait holds back the stages of its pass
     * alone.
     *
     * @param stages mask of the stages of each pass, 0 if unknown
     */
    public boolean[] waitedInExactStages(int[] stages) {
        int[] used = new int[queue.length];
        for (int p = 0; p < used.length; p++) {
            used[p] = stages[p] == 0 ? PipelineStage.ALL_COMMANDS.bit() : stages[p];
        }
        int[] edgeStages = new int[to.length];
        for (int e = 0; e < to.length; e++) {
            edgeStages[e] = used[to[e]];
        }
        int[] onQueue = new int[chains.size()];
        Synchronization exact = new Synchronization(
                order,
                order.length,
                queue,
                chains.size(),
                from.length,
                from,
                to,
                edgeStages,
                onQueue,
                used,
                new Scratch());
        boolean[] waited = new boolean[from.length];
        for (int e = 0; e < waited.length; e++) {
            waited[e] = exact.isWaited(e);
        }
        return waited;
    }

    /** Returns the position on {@code queue} of the last pass that {@code pass} knows to be complete, or -1. */
    public int known(int pass, int queue) {
        return sync.clocks.known(pass, queue);
    }

    /** Returns the batches in order of submission. */
    public List<int[]> batches() {
        return IntStream.range(0, batching.count())
                .mapToObj(b -> Arrays.copyOfRange(batching.nodes, batching.start[b], batching.start[b + 1]))
                .toList();
    }

    /** Returns the number of batches that another one waits for. */
    public int signals() {
        int count = 0;
        for (boolean signal : batching.signals) {
            count += signal ? 1 : 0;
        }
        return count;
    }

    private int[] sorted() {
        Successors next = new Successors(queue.length);
        for (int[] chain : chains) {
            for (int i = 1; i < chain.length; i++) {
                next.add(chain[i - 1], chain[i]);
            }
        }
        for (int e = 0; e < from.length; e++) {
            next.add(from[e], to[e]);
        }
        return next.sorted();
    }
}
