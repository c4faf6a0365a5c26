package io.frameloom.rdg.compile.memory;

import io.frameloom.rdg.compile.graph.Scratch;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Looks for a lower placement of a heap by first fit in other orders (hill climbing, as in the memory planner of Apache
 * TVM). Each order differs from the one before in that one resource is placed earlier: the highest, or one that it must
 * not share bytes with. It stays if the heap gets no higher. Equal heaps are searched alike: the choices come from a
 * generator with a fixed seed. Lives in scratch memory. One thread.
 */
final class OrderSearch {
    /** Placements of one resource, all orders together: what a search may take. */
    private static final int PLACEMENTS = 1 << 20;

    /** Orders that are tried for each resource: few resources need few. */
    private static final int ORDERS = 64;

    private static final long SEED = 1;

    private final int count;
    private final long[] size;
    private final long[] alignment;
    /** Where the conflicts of each resource begin in {@link #others}. */
    private final int[] begin;

    private final int[] others;
    private final boolean[] placed;
    private final long[] offsets;
    private final long[] begins;
    private final long[] ends;

    /** A search over resources whose conflicts are known by their places in {@code sequence}. */
    OrderSearch(long[] size, long[] alignment, Conflicts conflicts, int[] sequence, int count, Scratch scratch) {
        this.count = count;
        this.size = size;
        this.alignment = alignment;
        begin = scratch.ints(count + 1, 0);
        others = scratch.ints(2 * (int) conflicts.pairs());
        placed = new boolean[count];
        offsets = scratch.longs(count);
        conflicts.ofEach(sequence, begin, others, scratch);
        int most = 0;
        for (int i = 0; i < count; i++) {
            most = Math.max(most, begin[i + 1] - begin[i]);
        }
        begins = scratch.longs(most);
        ends = scratch.longs(most);
    }

    /**
     * Returns the height of the lowest heap found, and writes its offsets to {@code best}: {@code known} if none is
     * lower, and {@code best} stays as it is. Looks for none below {@code enough}.
     *
     * @param order the order to begin with; changed
     */
    long find(long known, long enough, int[] order, long[] best) {
        SplittableRandom random = new SplittableRandom(SEED);
        long lowest = known;
        long height = firstFit(order, Long.MAX_VALUE);
        int highest = highest();
        for (int orders = Math.min(ORDERS * count, PLACEMENTS / count); orders > 0 && lowest > enough; orders--) {
            int from = placeOf(order, choice(highest, random));
            int to = random.nextInt(from > 0 ? from : count);
            move(order, from, to);
            long other = firstFit(order, height);
            if (other > height) {
                move(order, to, from);
                continue;
            }
            height = other;
            highest = highest();
            if (height < lowest) {
                lowest = height;
                System.arraycopy(offsets, 0, best, 0, count);
            }
        }
        return lowest;
    }

    /** Returns the highest, or in half of the cases one of those that it must not share bytes with. */
    private int choice(int highest, SplittableRandom random) {
        int conflicts = begin[highest + 1] - begin[highest];
        return conflicts == 0 || random.nextBoolean() ? highest : others[begin[highest] + random.nextInt(conflicts)];
    }

    private int highest() {
        int highest = 0;
        for (int i = 1; i < count; i++) {
            highest = offsets[i] + size[i] > offsets[highest] + size[highest] ? i : highest;
        }
        return highest;
    }

    private int placeOf(int[] order, int resource) {
        int place = 0;
        while (order[place] != resource) {
            place++;
        }
        return place;
    }

    private static void move(int[] order, int from, int to) {
        int moved = order[from];
        if (to < from) {
            System.arraycopy(order, to, order, to + 1, from - to);
        } else {
            System.arraycopy(order, from + 1, order, from, to - from);
        }
        order[to] = moved;
    }

    /** Puts each resource at the lowest offset that is free; gives up once the heap is higher than {@code limit}. */
    private long firstFit(int[] order, long limit) {
        Arrays.fill(placed, false);
        long height = 0;
        for (int s = 0; s < count && height <= limit; s++) {
            int i = order[s];
            int found = 0;
            for (int k = begin[i]; k < begin[i + 1]; k++) {
                int other = others[k];
                if (placed[other]) {
                    begins[found] = offsets[other];
                    ends[found++] = offsets[other] + size[other];
                }
            }
            offsets[i] = lowestPlace(size[i], alignment[i], found);
            placed[i] = true;
            height = Math.max(height, offsets[i] + size[i]);
        }
        return height;
    }

    private long lowestPlace(long length, long align, int conflicts) {
        int found = conflicts;
        long at = 0;
        boolean moved = true;
        while (moved) {
            long after = at;
            int left = 0;
            for (int k = 0; k < found; k++) {
                if (begins[k] < at + length) {
                    after = Math.max(after, ends[k]);
                } else {
                    begins[left] = begins[k];
                    ends[left++] = ends[k];
                }
            }
            found = left;
            moved = after > at;
            at = moved ? HeapPacker.align(after, align) : at;
        }
        return at;
    }
}
