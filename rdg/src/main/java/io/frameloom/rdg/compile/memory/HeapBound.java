package io.frameloom.rdg.compile.memory;

import io.frameloom.rdg.compile.graph.Scratch;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that no placement of a heap can go below. They are known, or found on request, since that takes longer than
 * all of the rest of a small graph. Equal if the bytes are. Any thread; two that ask first at once find the same.
 */
public final class HeapBound implements LongSupplier {
    private static final long UNKNOWN = -1;

    private final LongSupplier finding;
    private volatile long bytes = UNKNOWN;

    /** A bound that is found on request. */
    public HeapBound(LongSupplier finding) {
        this.finding = finding;
    }

    @Override
    public long getAsLong() {
        long known = bytes;
        if (known == UNKNOWN) {
            known = finding.getAsLong();
            bytes = known;
        }
        return known;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof HeapBound bound && getAsLong() == bound.getAsLong();
    }

    @Override
    public int hashCode() {
        return Long.hashCode(getAsLong());
    }

    /**
     * Finds the bytes that no placement of a packed heap can go below.
     *
     * @param members resources of the heap
     * @param aliasing whether any of them share memory
     */
    public static long find(
            HeapPacker.Packed packed, int[] members, long[] bytesOf, Lifetimes lifetimes, boolean aliasing) {
        return packed.boundIsExact()
                ? packed.bound()
                : Math.max(packed.bound(), find(members, bytesOf, lifetimes, aliasing));
    }

    private static long find(int[] members, long[] bytesOf, Lifetimes lifetimes, boolean aliasing) {
        if (members.length > AntichainBound.LARGEST) {
            return lifetimes.mostInUse(members, members.length, bytesOf, new Scratch());
        }
        long[] size = new long[members.length];
        for (int i = 0; i < size.length; i++) {
            size[i] = bytesOf[members[i]];
        }
        return AntichainBound.compute(before(members, lifetimes, aliasing), size);
    }

    private static boolean[][] before(int[] members, Lifetimes lifetimes, boolean aliasing) {
        int n = members.length;
        boolean[][] before = new boolean[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                before[i][j] = aliasing && i != j && lifetimes.precedes(members[i], members[j]);
            }
        }
        return before;
    }
}
