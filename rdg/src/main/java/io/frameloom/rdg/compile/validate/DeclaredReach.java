package io.frameloom.rdg.compile.validate;

import io.frameloom.rdg.compile.graph.IntList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;

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

    private final List<IntList> next;
    /** By place, the rows in which it is reached. */
    private final long[] reachedBy;
    /** Place of the first row. */
    private int first;
    /** Whether any row reaches anything. */
    private boolean any;

    DeclaredReach(List<IntList> next) {
        this.next = next;
        order = sorted(next);
        place = new int[next.size()];
        for (int i = 0; i < order.length; i++) {
            place[order[i]] = i;
        }
        reachedBy = new long[order.length];
    }

    /** Returns the passes in a declared order; of those that may come next, the first one does. None of a circle. */
    static int[] sorted(List<IntList> next) {
        int passes = next.size();
        int[] missing = new int[passes];
        for (IntList successors : next) {
            for (int i = 0; i < successors.size(); i++) {
                missing[successors.get(i)]++;
            }
        }
        PriorityQueue<Integer> ready = new PriorityQueue<>();
        for (int p = 0; p < passes; p++) {
            if (missing[p] == 0) {
                ready.add(p);
            }
        }
        IntList order = new IntList(passes);
        while (!ready.isEmpty()) {
            int pass = ready.remove();
            order.add(pass);
            IntList successors = next.get(pass);
            for (int i = 0; i < successors.size(); i++) {
                if (--missing[successors.get(i)] == 0) {
                    ready.add(successors.get(i));
                }
            }
        }
        return order.toArray();
    }

    /** Finds what the passes at {@link #ROWS} places from {@code from} on reach. */
    void rows(int from) {
        first = from;
        int end = Math.min(from + ROWS, order.length);
        any = false;
        for (int i = from; i < end; i++) {
            any |= next.get(order[i]).size() > 0;
        }
        if (!any) {
            return;
        }
        Arrays.fill(reachedBy, from, order.length, 0);
        for (int i = from; i < order.length; i++) {
            long rows = reachedBy[i] | (i < end ? 1L << (i - from) : 0);
            IntList successors = next.get(order[i]);
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
