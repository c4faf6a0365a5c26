package io.frameloom.rdg.declare;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts what still reads the declared graph of a plan: plans that were not released, the kept plans of a compiler, and
 * a search for lower heaps. When none is left, the memory goes back to {@link SpareGraphs}. What is dropped without
 * {@link #letGo} leaves the memory to the garbage collector.
 *
 * <p><b>Who may call.</b> Any thread. {@link #letGo}: once for each hold, of which the first comes with the lease.
 *
 * <p><b>Linearization.</b> Each call takes effect at its last access to the count. The count never leaves 0, so a hold
 * either keeps the memory or fails. Each decrement releases what its holder has read and the last one acquires it, so
 * the next graph is written after all reads of this one. A hold is lock-free, the rest wait-free but for the lock of
 * the spare graphs.
 */
public final class GraphLease {
    private final DeclaredGraph graph;
    private final SpareGraphs home;
    private final AtomicInteger holders = new AtomicInteger(1);

    /** A lease with one holder. */
    GraphLease(DeclaredGraph graph, SpareGraphs home) {
        this.graph = graph;
        this.home = home;
    }

    /** Holds the graph once more; returns false, and holds nothing, if its memory is gone. */
    public boolean hold() {
        int count = holders.get();
        while (count > 0 && !holders.compareAndSet(count, count + 1)) {
            count = holders.get();
        }
        return count > 0;
    }

    public void letGo() {
        if (holders.decrementAndGet() == 0) {
            home.give(graph);
        }
    }

    public boolean isOver() {
        return holders.get() == 0;
    }
}
