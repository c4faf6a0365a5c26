package io.frameloom.rdg.compile.memory;

import io.frameloom.rdg.compile.graph.IntList;
import io.frameloom.rdg.compile.graph.Scratch;

/**
 * The pairs of resources of one heap of which neither precedes the other, so they never share bytes. Each resource has
 * a place: resources are in the order of their {@link Lifetimes#horizon}s, and of their first uses where these are
 * equal. So a resource precedes none that has an earlier place.
 *
 * <p>A sweep over the places keeps with each resource those before it that it conflicts with. Those after it lie in one
 * row, up to the last resource whose horizon is no later than its last use. {@link #conflict} says which of these are
 * in conflict. Lives in scratch memory, until its user releases that. One thread.
 */
public final class Conflicts {
    /** More pairs than this are not kept; then each question tests its pair. */
    public static final int MOST = 1 << 22;

    /** After this number of resources the sweep forgets those that no later one overlaps. */
    private static final int FORGETTING = 8;

    private final int count;
    /** The resources in the order of their first uses. */
    final int[] inOrder;
    /** By place the resource. */
    final int[] resources;
    /** The places in the order of first uses. */
    final int[] byFirstUse;

    private final Lifetimes lifetimes;
    /** Numbers of {@link #last} and {@link #complete} for each place. */
    private final int words;

    private final long[] last;
    private final long[] complete;
    /** By place the end of the row of those after it that may be in conflict with it. */
    private final int[] ahead;
    /** Where those before it that one conflicts with begin in {@link #met}. */
    private final int[] start;

    private final int[] met;
    private final boolean kept;

    /**
     * Finds the conflicts of the first {@code count} resources.
     *
     * @param most the pairs that are kept at most; if there are more, each question tests its pairs
     */
    public Conflicts(int[] resources, int count, Lifetimes lifetimes, int most, Scratch scratch) {
        this.count = count;
        this.lifetimes = lifetimes;
        this.resources = scratch.ints(count);
        byFirstUse = scratch.ints(count);
        ahead = scratch.ints(count);
        start = scratch.ints(count + 1);
        inOrder = lifetimes.byFirstUse(resources, count, scratch);
        sort(scratch);
        words = lifetimes.words();
        last = scratch.longs(words * count);
        complete = scratch.longs(words * count);
        for (int place = 0; place < count; place++) {
            lifetimes.copyKeys(this.resources[place], last, complete, words * place);
        }
        IntList found = scratch.list();
        kept = sweep(found, most, scratch);
        met = found.reserve(0);
    }

    private void sort(Scratch scratch) {
        long mark = scratch.mark();
        int positions = lifetimes.positions();
        int[] horizon = scratch.ints(count);
        // By position the number of earlier horizons; counted up while sorting, that of earlier and equal ones.
        int[] at = scratch.ints(positions + 1, 0);
        for (int i = 0; i < count; i++) {
            horizon[i] = lifetimes.horizon(inOrder[i]);
            at[horizon[i] + 1]++;
        }
        for (int p = 0; p < positions; p++) {
            at[p + 1] += at[p];
        }
        for (int i = 0; i < count; i++) {
            int place = at[horizon[i]]++;
            resources[place] = inOrder[i];
            byFirstUse[i] = place;
        }
        for (int place = 0; place < count; place++) {
            ahead[place] = at[lifetimes.lastPosition(resources[place])];
        }
        scratch.release(mark);
    }

    /** Returns false if there are more than {@code most}. */
    private boolean sweep(IntList pairs, int most, Scratch scratch) {
        int[] active = scratch.ints(count);
        int open = 0;
        for (int place = 0; place < count; place++) {
            if (place % FORGETTING == 0) {
                open = forget(active, open, place);
            }
            int[] items = pairs.reserve(open);
            int found = pairs.size();
            start[place] = found;
            for (int k = 0; k < open; k++) {
                int other = active[k];
                items[found] = other;
                // Counted without a branch, which would be guessed wrong.
                found -= (int) conflict(other, place);
            }
            if (found > most) {
                return false;
            }
            pairs.resize(found);
            active[open++] = place;
        }
        start[count] = pairs.size();
        return true;
    }

    /** Leaves out those that precede all from a place on; returns how many are left. */
    private int forget(int[] active, int open, int place) {
        int left = 0;
        for (int k = 0; k < open; k++) {
            int other = active[k];
            active[left] = other;
            left += (place - ahead[other]) >>> (Integer.SIZE - 1);
        }
        return left;
    }

    /** Returns -1 if two conflict, else 0. */
    long conflict(int earlier, int later) {
        // Loops over others ask once whether there are more than two queues, not for each pair.
        long behind = words == 1 ? Lifetimes.behind(last[earlier], complete[later]) : behind(earlier, later);
        return (behind | behind << Integer.SIZE) >> (Long.SIZE - 1);
    }

    private long behind(int earlier, int later) {
        long behind = 0;
        for (int w = 0; w < words; w++) {
            behind |= Lifetimes.behind(last[words * earlier + w], complete[words * later + w]);
        }
        return behind;
    }

    /** Returns whether there are lists of those before each one. */
    boolean isKept() {
        return kept;
    }

    /** Returns whether every two conflict, as far as pairs are kept. */
    boolean isOfAll() {
        return kept && start[count] == (long) count * (count - 1) / 2;
    }

    /** Returns where those before a place that it conflicts with begin in {@link #met}; up to those of the next one. */
    int start(int place) {
        return start[place];
    }

    /** Returns places one after the other, as {@link #start} says. */
    int[] met() {
        return met;
    }

    /** Returns the end of the row of places after one that may be in conflict with it. */
    int ahead(int place) {
        return ahead[place];
    }

    /** Writes the places before one that it conflicts with; returns how many there are. */
    int before(int place, int[] found) {
        if (kept) {
            int length = start[place + 1] - start[place];
            System.arraycopy(met, start[place], found, 0, length);
            return length;
        }
        int length = 0;
        for (int other = 0; other < place; other++) {
            found[length] = other;
            length -= (int) conflict(other, place);
        }
        return length;
    }

    /** Writes all places that one conflicts with; returns how many there are. */
    public int of(int place, int[] found) {
        int length = before(place, found);
        for (int other = place + 1; other < ahead[place]; other++) {
            found[length] = other;
            length -= (int) conflict(place, other);
        }
        return length;
    }

    public int resource(int place) {
        return resources[place];
    }
}
