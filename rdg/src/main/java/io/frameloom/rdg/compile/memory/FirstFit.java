package io.frameloom.rdg.compile.memory;

import io.frameloom.rdg.compile.graph.Scratch;
import java.util.Arrays;

/**
 * Puts each resource of a heap at the lowest offset where no placed resource in conflict lies; an exact fit counts.
 * Resources go by their places in {@link Conflicts}. Offsets are counted in units, the largest that each alignment is a
 * multiple of, so that a resource is two numbers in one. Lives in scratch memory. One thread.
 *
 * <p>What is placed says so to all that it conflicts with. Each of these knows up to where placed ones cover its heap
 * without a gap, its ground, and a unit below which none lies above the ground. Three in four fit right there, without
 * a look at others.
 */
final class FirstFit {
    /** Of a number of units; rounding up adds less than two units a resource. */
    private static final int BITS = Integer.SIZE - 2;

    private final int count;
    private final long[] size;
    private final Conflicts conflicts;
    /** Binary logarithm of the bytes of a unit. */
    private final int shift;
    /** Units by place. */
    private final int[] length;

    private final int[] alignment;
    /**
     * By place the first unit, and in the lower half the end. Both are 0 of what is not placed, which then is in the
     * way of nothing.
     */
    private final long[] spot;
    /** By place its ground. */
    private final int[] ground;
    /** By place where the lowest begins that did not touch the ground when placed. */
    private final int[] above;

    private final int[] before;
    private final long[] near;

    /** Sizes and alignments are by place. */
    FirstFit(int count, long[] size, long[] alignment, Conflicts conflicts, Scratch scratch) {
        this.count = count;
        this.size = size;
        this.conflicts = conflicts;
        spot = scratch.longs(count);
        ground = scratch.ints(count);
        above = scratch.ints(count);
        before = scratch.ints(count);
        near = scratch.longs(count);
        length = scratch.ints(count);
        this.alignment = scratch.ints(count);
        long all = 0;
        long bytes = 0;
        for (int place = 0; place < count; place++) {
            all |= alignment[place];
            bytes += size[place] + alignment[place];
        }
        // All of them side by side end at an int, which takes larger units if the heap is huge.
        int least = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(bytes) - BITS);
        shift = all == 0 ? least : Math.max(least, Long.numberOfTrailingZeros(all));
        for (int place = 0; place < count; place++) {
            length[place] = (int) ((size[place] + (1L << shift) - 1) >> shift);
            int common = alignment[place] == 0 ? 0 : Math.min(shift, Long.numberOfTrailingZeros(alignment[place]));
            this.alignment[place] = Math.max(1, (int) (alignment[place] >> common));
        }
    }

    /**
     * Places the first {@code length} of a sequence and returns the height of the heap; gives up once that is above
     * {@code limit}.
     */
    long place(int[] sequence, int length, long limit) {
        Arrays.fill(spot, 0, count, 0);
        Arrays.fill(ground, 0, count, 0);
        Arrays.fill(above, 0, count, Integer.MAX_VALUE);
        long height = 0;
        for (int s = 0; s < length && height <= limit; s++) {
            int place = sequence[s];
            int units = this.length[place];
            int at = align(ground[place], alignment[place]);
            if (at + units > above[place]) {
                at = lowest(place, at);
            }
            spot[place] = (long) at << Integer.SIZE | (at + units);
            tell(place, at, at + units);
            height = Math.max(height, ((long) at << shift) + size[place]);
        }
        return height;
    }

    private static int first(long spot) {
        return (int) (spot >>> Integer.SIZE);
    }

    long begin(int place) {
        return (long) first(spot[place]) << shift;
    }

    /** Returns the byte after the last one of a place. */
    long end(int place) {
        return begin(place) + size[place];
    }

    void copyTo(long[] offsets) {
        for (int place = 0; place < count; place++) {
            offsets[place] = begin(place);
        }
    }

    /** Lets those that a placed one conflicts with know where it lies; those that have a place do not mind. */
    private void tell(int place, int begin, int end) {
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
            tell(others[k], begin, end, -1);
        }
        for (int later = place + 1, row = conflicts.ahead(place); later < row; later++) {
            tell(later, begin, end, (int) conflicts.conflict(place, later));
        }
    }

    /** Lets one know what was placed if {@code counts} is -1, not for 0; without branches. */
    private void tell(int other, int begin, int end, int counts) {
        int known = ground[other];
        int touches = (begin - known - 1) >> (Integer.SIZE - 1);
        ground[other] = Math.max(known, end & touches & counts);
        above[other] = Math.min(above[other], begin | ((touches | ~counts) & Integer.MAX_VALUE));
    }

    /**
     * Returns the lowest offset, which is {@code least} or higher. All that lies in the way of an offset ends before
     * any later offset that fits. So the next offset to try is after all of these, and they are not looked at again.
     * Loops are without branches, which would be guessed wrong.
     */
    private int lowest(int place, int least) {
        int units = length[place];
        int end = least + units;
        int behind = least;
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
            long other = spot[others[k]];
            int inTheWay = (first(other) - end) >> (Integer.SIZE - 1);
            near[found] = other;
            behind = Math.max(behind, (int) other & inTheWay);
            found += 1 + inTheWay;
        }
        for (int later = place + 1, row = conflicts.ahead(place); later < row; later++) {
            long other = spot[later] & conflicts.conflict(place, later);
            int inTheWay = (first(other) - end) >> (Integer.SIZE - 1);
            near[found] = other;
            behind = Math.max(behind, (int) other & inTheWay);
            found += 1 + inTheWay;
        }
        int at = least;
        while (behind > at) {
            at = align(behind, alignment[place]);
            behind = at;
            int limit = at + units;
            int left = 0;
            for (int k = 0; k < found; k++) {
                long other = near[k];
                int inTheWay = (first(other) - limit) >> (Integer.SIZE - 1);
                near[left] = other;
                behind = Math.max(behind, (int) other & inTheWay);
                left += 1 + inTheWay;
            }
            found = left;
        }
        return at;
    }

    private static int align(int offset, int alignment) {
        return (int) align((long) offset, alignment);
    }

    static long align(long offset, long alignment) {
        if ((alignment & (alignment - 1)) == 0) {
            return alignment == 0 ? offset : (offset + alignment - 1) & -alignment;
        }
        return (offset + alignment - 1) / alignment * alignment;
    }
}
