package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.parts.PrerequisiteCounter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The unmet prerequisites of many nodes, four bytes each, armed all at once for every run.
 *
 * <p>{@link #arm()} by one thread while no other has access; {@link #arrive} by any thread that
 * completed a prerequisite. <b>Linearization.</b> At the read-modify-write; for the shortcut at its load. <b>Memory
 * order.</b> As {@link PrerequisiteCounter}: every arrival is a volatile read-modify-write, so that the last one sees
 * what all did before. Loading what is left with acquire semantics reads from the release sequence of all earlier
 * arrivals ({@code CountsStress}). <b>Progress.</b> Wait-free.
 */
public final class PrerequisiteCounts {
    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

    /** Of no nodes. */
    static final PrerequisiteCounts NONE = new PrerequisiteCounts(new int[0]);

    private final int[] initial;
    private final int[] left;
    private final int first;
    private final int length;

    /** Counts for nodes that have so many prerequisites each. */
    public PrerequisiteCounts(int[] initial) {
        this.initial = initial;
        left = initial.clone();
        int from = 0;
        while (from < initial.length && initial[from] == 0) {
            from++;
        }
        int to = initial.length;
        while (to > from && initial[to - 1] == 0) {
            to--;
        }
        first = from;
        length = to - from;
    }

    /** Sets every count to the number of prerequisites. */
    public void arm() {
        System.arraycopy(initial, first, left, first, length);
    }

    /** Takes off one. Returns whether this was the last one; one caller gets true. */
    public boolean arrive(int node) {
        return leftAcquire(node) == 1 || (int) INTS.getAndAdd(left, node, -1) == 1;
    }

    /** Takes off several, 1 or more. Returns whether these were the last ones; one caller gets true. */
    public boolean arrive(int node, int count) {
        return leftAcquire(node) == count || (int) INTS.getAndAdd(left, node, -count) == count;
    }

    private int leftAcquire(int node) {
        return (int) INTS.getAcquire(left, node);
    }
}
