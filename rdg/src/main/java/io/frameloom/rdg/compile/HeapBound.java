package io.frameloom.rdg.compile;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that no placement of a heap can go below: known, or found by a flow when somebody asks, since that takes longer
 * than all of the rest of a small graph. Equal if the bytes are. Any thread; two that ask first at once find the same.
 */
final class HeapBound implements LongSupplier {
    private static final long UNKNOWN = -1;

    private final int @Nullable [] resources;
    private final long[] size;
    private final @Nullable Lifetimes lifetimes;
    private final boolean aliasing;
    private volatile long bytes;

    HeapBound(long bytes) {
        this.resources = null;
        this.size = new long[0];
        this.lifetimes = null;
        this.aliasing = false;
        this.bytes = bytes;
    }

    HeapBound(int[] resources, long[] size, Lifetimes lifetimes, boolean aliasing) {
        this.resources = resources;
        this.size = size;
        this.lifetimes = lifetimes;
        this.aliasing = aliasing;
        this.bytes = UNKNOWN;
    }

    @Override
    public long getAsLong() {
        long known = bytes;
        if (known == UNKNOWN && resources != null && lifetimes != null) {
            known = AntichainBound.compute(before(resources, lifetimes), size);
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

    private boolean[][] before(int[] members, Lifetimes uses) {
        int n = members.length;
        boolean[][] before = new boolean[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                before[i][j] = aliasing && i != j && uses.precedes(members[i], members[j]);
            }
        }
        return before;
    }
}
