package io.frameloom.rdg.declare;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The memory of declared graphs whose plans were released, for the graphs of later plans. Any thread. */
public final class SpareGraphs {
    private final int most;
    /** Guarded by this. */
    private final Deque<DeclaredGraph> graphs = new ArrayDeque<>();

    /** No memory yet; what is more than {@code most} graphs is left to the garbage collector. */
    public SpareGraphs(int most) {
        this.most = most;
    }

    /** Returns a graph as it is now, for one plan that holds its {@linkplain DeclaredGraph#lease lease}. */
    public DeclaredGraph copy(DeclaredGraph declared) {
        return declared.copyInto(take(), this);
    }

    private synchronized @Nullable DeclaredGraph take() {
        return graphs.pollLast();
    }

    synchronized void give(DeclaredGraph graph) {
        if (graphs.size() < most) {
            graphs.addLast(graph);
        }
    }
}
