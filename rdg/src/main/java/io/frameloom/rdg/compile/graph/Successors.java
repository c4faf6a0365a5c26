package io.frameloom.rdg.compile.graph;

import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.Arrays;
import java.util.PriorityQueue;

/** Which passes come directly after which. One thread. */
public final class Successors {
    private final IntList[] next;

    /** No orders between a number of passes. */
    public Successors(int passes) {
        next = new IntList[passes];
        Arrays.setAll(next, pass -> new IntList(4));
    }

    /**
     * Returns the orders that a graph declares. What is declared on one side of a pass with undeclared accesses stays
     * there.
     */
    public static Successors declared(DeclaredGraph graph) {
        int passes = graph.passes();
        Successors declared = new Successors(passes);
        for (int p = 0; p < passes; p++) {
            for (int at = graph.firstAfter(p); at < graph.firstAfter(p + 1); at++) {
                declared.add(graph.after(at), p);
            }
        }
        int fence = -1;
        for (int p = 0; p < passes; p++) {
            boolean isFence = graph.has(p, PassFlag.UNTRACKED_ACCESS);
            if (fence >= 0) {
                declared.add(fence, p);
            }
            for (int before = fence + 1; isFence && before < p; before++) {
                declared.add(before, p);
            }
            fence = isFence ? p : fence;
        }
        return declared;
    }

    public void add(int earlier, int later) {
        next[earlier].add(later);
    }

    /** Returns the passes directly after a pass; one that was added twice is in it twice. */
    public IntList of(int pass) {
        return next[pass];
    }

    public int passes() {
        return next.length;
    }

    /** Returns by pass how often it comes directly after another. */
    public int[] predecessors() {
        int[] count = new int[next.length];
        for (IntList successors : next) {
            for (int i = 0; i < successors.size(); i++) {
                count[successors.get(i)]++;
            }
        }
        return count;
    }

    /**
     * Returns the passes in order; of those that may come next, the first one does (A. B. Kahn, "Topological sorting of
     * large networks", 1962). Passes of a circle, and those after it, are left out.
     */
    public int[] sorted() {
        int[] missing = predecessors();
        PriorityQueue<Integer> ready = new PriorityQueue<>();
        for (int p = 0; p < missing.length; p++) {
            if (missing[p] == 0) {
                ready.add(p);
            }
        }
        IntList order = new IntList(missing.length);
        while (!ready.isEmpty()) {
            int pass = ready.remove();
            order.add(pass);
            for (int i = 0; i < next[pass].size(); i++) {
                if (--missing[next[pass].get(i)] == 0) {
                    ready.add(next[pass].get(i));
                }
            }
        }
        return order.toArray();
    }
}
