package io.frameloom.rdg.compile.validate;

import io.frameloom.rdg.compile.graph.IntList;
import io.frameloom.rdg.compile.graph.Successors;
import java.util.Arrays;

/**
 * Which passes come after which by the declared orders alone: their transitive closure. It is found 64 rows at a time,
 * so it takes the memory of the passes and not of their pairs. O(passes / 64 * orders) for all of it. One thread.
 */
final class DeclaredReach {
    /** Rows that are known at a time: the bits of a long. */
    static final int ROWS = Long.SIZE;

    /** The passes, each after those that are declared before it. Shorter if declared orders form a circle. */
    final int[] order;
    /** By pass its place in {@link #order}. */
    final int[] place;

    private final Successors next;
    /** By place, the rows in which it is reached. */
    private final long[] reachedBy;
    /** Place of the first row. */
    private int first;
    /** Whether any row reaches anything. */
    private boolean any;

    DeclaredReach(Successors next) {
        this.next = next;
        order = next.sorted();
        place = new int[next.passes()];
        for (int i = 0; i < order.length; i++) {
            place[order[i]] = i;
        }
        reachedBy = new long[order.length];
    }

    /** Finds what the passes at {@link #ROWS} places from {@code from} on reach. */
    void rows(int from) {
        first = from;
        int end = Math.min(from + ROWS, order.length);
        any = false;
        for (int i = from; i < end; i++) {
            any |= next.of(order[i]).size() > 0;
        }
        if (!any) {
            return;
        }
        Arrays.fill(reachedBy, from, order.length, 0);
        for (int i = from; i < order.length; i++) {
            long rows = reachedBy[i] | (i < end ? 1L << (i - from) : 0);
            IntList successors = next.of(order[i]);
            for (int s = 0; rows != 0 && s < successors.size(); s++) {
                reachedBy[place[successors.get(s)]] |= rows;
            }
        }
    }

    /** Returns whether {@code later} is declared to come after {@code pass}, whose row is among those found last. */
    boolean reaches(int pass, int later) {
        return any && place[later] > place[pass] && (reachedBy[place[later]] >>> (place[pass] - first) & 1) != 0;
    }
}
