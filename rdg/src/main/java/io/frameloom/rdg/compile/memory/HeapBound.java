package io.frameloom.rdg.compile.memory;

import io.frameloom.rdg.compile.graph.Scratch;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that no placement of a heap can go below. They are known, or a flow finds them on request, since that takes
 * longer than all of the rest of a small graph. Equal if the bytes are. Any thread; two that ask first at once find the
 * same.
 */
public final class HeapBound implements LongSupplier {
    private static final long UNKNOWN = -1;

    private final int @Nullable [] resources;
    private final long[] bytesOf;
    private final @Nullable Lifetimes lifetimes;
    private final boolean aliasing;
    private final long atLeast;
    private volatile long bytes;

    HeapBound(long bytes) {
        this.resources = null;
        this.bytesOf = new long[0];
        this.atLeast = bytes;
        this.lifetimes = null;
        this.aliasing = false;
        this.bytes = bytes;
    }

    /**
     * Finds the bytes of resources, given by resource, that are not below {@code atLeast}; none of it lives in scratch
     * memory.
     */
    HeapBound(int[] resources, long[] bytesOf, Lifetimes lifetimes, boolean aliasing, long atLeast) {
        this.resources = resources;
        this.bytesOf = bytesOf;
        this.atLeast = atLeast;
        this.lifetimes = lifetimes;
        this.aliasing = aliasing;
        this.bytes = UNKNOWN;
    }

    @Override
    public long getAsLong() {
        long known = bytes;
        if (known == UNKNOWN && resources != null && lifetimes != null) {
            known = Math.max(atLeast, find(resources, lifetimes));
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

    private long find(int[] members, Lifetimes uses) {
        if (members.length > AntichainBound.LARGEST) {
            return uses.mostInUse(members, members.length, bytesOf, new Scratch());
        }
        long[] size = new long[members.length];
        for (int i = 0; i < size.length; i++) {
            size[i] = bytesOf[members[i]];
        }
        return AntichainBound.compute(before(members, uses), size);
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
