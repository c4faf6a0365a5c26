package io.frameloom.rdg.compile.memory;

import io.frameloom.rdg.compile.graph.Scratch;
import java.util.Arrays;

/**
 * Puts each resource of a heap at the lowest offset where no placed resource in conflict lies; an exact fit counts.
 * Resources go by their places in {@link Conflicts}. Lives in scratch memory. One thread.
 */
final class FirstFit {
    private final int count;
    private final long[] size;
    private final long[] alignment;
    private final Conflicts conflicts;
    /**
     * By place the first byte and the end: next to each other, since they are read together. Both are 0 of what is not
     * placed, which then is in the way of nothing.
     */
    private final long[] spot;

    private final int[] before;
    private final long[] begins;
    private final long[] ends;

    /** Sizes and alignments are by place. */
    FirstFit(int count, long[] size, long[] alignment, Conflicts conflicts, Scratch scratch) {
        this.count = count;
        this.size = size;
        this.alignment = alignment;
        this.conflicts = conflicts;
        spot = scratch.longs(2 * count);
        before = scratch.ints(count);
        begins = scratch.longs(count);
        ends = scratch.longs(count);
    }

    /** Places in a sequence and returns the height of the heap; gives up once that is above {@code limit}. */
    long place(int[] sequence, long limit) {
        Arrays.fill(spot, 0, 2 * count, 0);
        long height = 0;
        for (int s = 0; s < count && height <= limit; s++) {
            int place = sequence[s];
            long at = lowest(place);
            long end = at + size[place];
            spot[2 * place] = at;
            spot[2 * place + 1] = end;
            height = Math.max(height, end);
        }
        return height;
    }

    /** Returns the first byte of a place. */
    long begin(int place) {
        return spot[2 * place];
    }

    /** Returns the byte after the last one of a place. */
    long end(int place) {
        return spot[2 * place + 1];
    }

    /** Writes the first byte of each place. */
    void copyTo(long[] offsets) {
        for (int place = 0; place < count; place++) {
            offsets[place] = spot[2 * place];
        }
    }

    /**
     * All that lies in the way of an offset ends before any later offset that fits. So the next offset to try is after
     * all of these, and they are not looked at again. Loops are without branches, which would be guessed wrong.
     */
    private long lowest(int place) {
        long length = size[place];
        long behind = 0;
        int found = 0;
        int[] others = conflicts.met();
        int from = 0;
        int to;
        if (conflicts.isKept()) {
            from = conflicts.start(place);
            to = conflicts.start(place + 1);
        } else {
            others = before;
            to = conflicts.before(place, before);
        }
        for (int k = from; k < to; k++) {
            int other = 2 * others[k];
            long begin = spot[other];
            long end = spot[other + 1];
            long inTheWay = (begin - length) >> (Long.SIZE - 1);
            begins[found] = begin;
            ends[found] = end;
            behind = larger(behind, end & inTheWay);
            found += 1 + (int) inTheWay;
        }
        for (int other = place + 1, row = conflicts.ahead(place); other < row; other++) {
            long conflict = conflicts.conflict(place, other);
            long begin = spot[2 * other] & conflict;
            long end = spot[2 * other + 1] & conflict;
            long inTheWay = (begin - length) >> (Long.SIZE - 1);
            begins[found] = begin;
            ends[found] = end;
            behind = larger(behind, end & inTheWay);
            found += 1 + (int) inTheWay;
        }
        long at = 0;
        while (behind > at) {
            at = align(behind, alignment[place]);
            behind = at;
            long limit = at + length;
            int left = 0;
            for (int k = 0; k < found; k++) {
                long begin = begins[k];
                long end = ends[k];
                long inTheWay = (begin - limit) >> (Long.SIZE - 1);
                begins[left] = begin;
                ends[left] = end;
                behind = larger(behind, end & inTheWay);
                left += 1 + (int) inTheWay;
            }
            found = left;
        }
        return at;
    }

    /** Returns the larger of two numbers from 0 on, without a branch. */
    private static long larger(long a, long b) {
        long more = b - a;
        return a + (more & ~(more >> (Long.SIZE - 1)));
    }

    static long align(long offset, long alignment) {
        if ((alignment & (alignment - 1)) == 0) {
            return alignment == 0 ? offset : (offset + alignment - 1) & -alignment;
        }
        return (offset + alignment - 1) / alignment * alignment;
    }
}
