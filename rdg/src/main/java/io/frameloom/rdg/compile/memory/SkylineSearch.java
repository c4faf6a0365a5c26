package io.frameloom.rdg.compile.memory;

import io.frameloom.rdg.compile.graph.Scratch;
import java.util.Arrays;

/**
 * Looks for a lower placement of a heap depth first, for a number of steps. Each resource goes on top of those that it
 * must not share bytes with, never below the one placed before it. A branch ends where some node of the frame has more
 * bytes to come than are left below the best placement (as in "MiniMalloc: A Lightweight Memory Allocator for
 * Hardware-Accelerated Machine Learning", M. D. Moffitt, 2023). First fit places what is large first, and so leaves
 * holes that only other sizes would fill; here what lies low is placed first. Lives in scratch memory. One thread.
 */
final class SkylineSearch {
    /** More resources than this take too long for each step; for these first fit comes close to the bound. */
    static final int MOST = 256;

    /** Steps for each way to search beside those that place every resource once. */
    private static final int STEPS_BACK = 64;

    private static final int NONE = -1;

    private final int[] resources;
    private final Lifetimes lifetimes;
    private final int count;
    private final long[] size;
    private final long[] alignment;
    private final long[] weight;
    /** Where the conflicts of each resource begin in {@link #others}. */
    private final int[] begin;

    private final int[] others;
    /** By place in {@link #others} the skyline of that one before the owner of the list was placed. */
    private final long[] former;

    /** Where each resource is in use on each queue, {@link Lifetimes#inUse}. */
    private final int[] from;

    private final int[] until;
    private final int queues;
    private final int places;
    /**
     * Of the unplaced resources that are in use at a place their bytes, and the lowest offset that one of them may
     * have.
     */
    private final long[] toCome;

    private final long[] lowest;
    private final boolean[] placed;
    /** End of the highest placed resource that each conflicts with. */
    private final long[] skyline;

    private final long[] low;
    private final long[] offsets;
    /** By depth what was placed, the height of the heap before, and the offset that nothing goes below any more. */
    private final int[] chosen;

    private final long[] heights;
    private final long[] floors;

    /** Which of two that may lie equally low is placed first: the one that occupies more, or for longer. */
    private enum Preference {
        SIZE_TIMES_LENGTH,
        LENGTH
    }

    /**
     * A search over the first {@code count} resources, whose conflicts are known by their places in {@code sequence}.
     */
    SkylineSearch(
            int[] resources,
            int count,
            long[] size,
            long[] alignment,
            Lifetimes lifetimes,
            Conflicts conflicts,
            int[] sequence,
            Scratch scratch) {
        this.resources = resources;
        this.lifetimes = lifetimes;
        this.count = count;
        this.size = size;
        this.alignment = alignment;
        weight = scratch.longs(count);
        begin = scratch.ints(count + 1, 0);
        others = scratch.ints(2 * (int) conflicts.pairs());
        former = scratch.longs(2 * (int) conflicts.pairs());
        queues = lifetimes.queueCount();
        places = lifetimes.places();
        from = scratch.ints(count * queues);
        until = scratch.ints(count * queues);
        toCome = scratch.longs(places);
        lowest = scratch.longs(places);
        placed = new boolean[count];
        skyline = scratch.longs(count);
        low = scratch.longs(count);
        offsets = scratch.longs(count);
        chosen = scratch.ints(count);
        heights = scratch.longs(count + 1);
        floors = scratch.longs(count + 1);
        lifetimes.inUse(resources, count, from, until, scratch);
        list(conflicts, sequence, scratch);
    }

    private void list(Conflicts conflicts, int[] sequence, Scratch scratch) {
        for (int place = 0; place < count; place++) {
            for (int k = conflicts.begin(place); k < conflicts.begin(place + 1); k++) {
                begin[sequence[place]]++;
                begin[sequence[conflicts.other(k)]]++;
            }
        }
        int[] next = scratch.ints(count);
        int at = 0;
        for (int i = 0; i < count; i++) {
            int length = begin[i];
            begin[i] = at;
            next[i] = at;
            at += length;
        }
        begin[count] = at;
        for (int place = 0; place < count; place++) {
            int i = sequence[place];
            for (int k = conflicts.begin(place); k < conflicts.begin(place + 1); k++) {
                int other = sequence[conflicts.other(k)];
                others[next[i]++] = other;
                others[next[other]++] = i;
            }
        }
    }

    /**
     * Returns the height of the lowest heap found, and writes its offsets to {@code best}: {@code known} if none is
     * lower, and {@code best} stays as it is. Looks for none below {@code enough}.
     */
    long find(long known, long enough, long[] best) {
        long height = known;
        for (Preference preference : Preference.values()) {
            if (height > enough) {
                for (int i = 0; i < count; i++) {
                    long length = lifetimes.length(resources[i]);
                    weight[i] = preference == Preference.LENGTH ? length : size[i] * length;
                }
                height = search(height, enough, best);
            }
        }
        return height;
    }

    private long search(long known, long enough, long[] best) {
        Arrays.fill(placed, false);
        Arrays.fill(skyline, 0, count, 0);
        heights[0] = 0;
        floors[0] = 0;
        long limit = known;
        int depth = 0;
        int tried = NONE;
        for (int steps = count + STEPS_BACK; steps > 0; steps--) {
            long ceiling = settle(floors[depth]);
            boolean ends = tried == NONE && isHopeless(limit);
            int next = ends ? NONE : candidate(ceiling, tried);
            if (next == NONE) {
                if (depth == 0) {
                    return limit;
                }
                tried = chosen[--depth];
                take(tried);
                continue;
            }
            put(next, depth);
            depth++;
            tried = NONE;
            if (depth == count) {
                limit = heights[depth];
                System.arraycopy(offsets, 0, best, 0, count);
                if (limit <= enough) {
                    return limit;
                }
                tried = chosen[--depth];
                take(tried);
            }
        }
        return limit;
    }

    /** Finds how low each resource may lie, and the least end of one of them; returns that. */
    private long settle(long floor) {
        long ceiling = Long.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            if (!placed[i]) {
                low[i] = HeapPacker.align(Math.max(floor, skyline[i]), alignment[i]);
                ceiling = Math.min(ceiling, low[i] + size[i]);
            }
        }
        return ceiling;
    }

    /** Returns whether what is to come at some place does not fit below the limit. */
    private boolean isHopeless(long limit) {
        Arrays.fill(toCome, 0, places, 0);
        Arrays.fill(lowest, 0, places, Long.MAX_VALUE);
        for (int i = 0; i < count; i++) {
            for (int use = i * queues; use < (i + 1) * queues && !placed[i]; use++) {
                for (int place = from[use]; place < until[use]; place++) {
                    toCome[place] += size[i];
                    lowest[place] = Math.min(lowest[place], low[i]);
                }
            }
        }
        for (int place = 0; place < places; place++) {
            if (toCome[place] > 0 && lowest[place] + toCome[place] >= limit) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns what to try next at this depth, {@link #NONE} if nothing is left. It is nothing that lies above the end
     * of another one, which is placed first.
     */
    private int candidate(long ceiling, int tried) {
        int best = NONE;
        for (int i = 0; i < count; i++) {
            if (!placed[i]
                    && low[i] < ceiling
                    && (tried == NONE || isBefore(tried, i))
                    && (best == NONE || isBefore(i, best))) {
                best = i;
            }
        }
        return best;
    }

    private boolean isBefore(int a, int b) {
        if (low[a] != low[b]) {
            return low[a] < low[b];
        }
        return weight[a] != weight[b] ? weight[a] > weight[b] : a < b;
    }

    private void put(int i, int depth) {
        long end = low[i] + size[i];
        placed[i] = true;
        offsets[i] = low[i];
        chosen[depth] = i;
        heights[depth + 1] = Math.max(heights[depth], end);
        floors[depth + 1] = low[i];
        for (int k = begin[i]; k < begin[i + 1]; k++) {
            former[k] = skyline[others[k]];
            skyline[others[k]] = Math.max(former[k], end);
        }
    }

    private void take(int i) {
        placed[i] = false;
        for (int k = begin[i]; k < begin[i + 1]; k++) {
            skyline[others[k]] = former[k];
        }
    }
}
