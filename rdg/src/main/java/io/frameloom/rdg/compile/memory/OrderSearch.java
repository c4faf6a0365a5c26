package io.frameloom.rdg.compile.memory;

import io.frameloom.rdg.compile.graph.Scratch;
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
    private final FirstFit fit;
    private final Conflicts conflicts;
    private final int[] others;

    /** A search over resources that go by their places. */
    OrderSearch(int count, FirstFit fit, Conflicts conflicts, Scratch scratch) {
        this.count = count;
        this.fit = fit;
        this.conflicts = conflicts;
        others = scratch.ints(count);
    }

    /**
     * Returns the height of the lowest heap found, and writes its offsets to {@code best}: {@code known} if none is
     * lower, and {@code best} stays as it is. Looks for none below {@code enough}.
     *
     * @param order places in the order to begin with; changed
     * @param best offsets by place
     */
    long find(long known, long enough, int[] order, long[] best) {
        SplittableRandom random = new SplittableRandom(SEED);
        long lowest = known;
        long height = fit.place(order, count, Long.MAX_VALUE);
        int highest = highest();
        for (int orders = Math.min(ORDERS * count, PLACEMENTS / count); orders > 0 && lowest > enough; orders--) {
            int from = placeOf(order, choice(highest, random));
            int to = random.nextInt(from > 0 ? from : count);
            move(order, from, to);
            long other = fit.place(order, count, height);
            if (other > height) {
                move(order, to, from);
                continue;
            }
            height = other;
            highest = highest();
            if (height < lowest) {
                lowest = height;
                fit.copyTo(best);
            }
        }
        return lowest;
    }

    /** Returns the highest, or in half of the cases one of those that it must not share bytes with. */
    private int choice(int highest, SplittableRandom random) {
        if (random.nextBoolean()) {
            return highest;
        }
        int found = conflicts.of(highest, others);
        return found == 0 ? highest : others[random.nextInt(found)];
    }

    private int highest() {
        int highest = 0;
        for (int i = 1; i < count; i++) {
            highest = fit.end(i) > fit.end(highest) ? i : highest;
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
}
