package io.frameloom.rdg.compile;

import org.jspecify.annotations.Nullable;

/**
 * The pairs of resources of one heap of which neither precedes the other, so that they never share bytes. Found by a sweep
 * over {@link Lifetimes#horizon}s and last uses, which overlap for such pairs; costs what there are of overlaps. Lives in
 * scratch memory, until its user releases that.
 */
final class Conflicts {
    /** More pairs than this are not kept; whoever asks then tests pair by pair. */
    static final int MOST = 1 << 22;

    private final int[] start;
    private final int[] others;
    private final int pairs;
    private final int mostOfOne;

    /** Puts the lists of those that come earlier by horizon together with their opposites. */
    private Conflicts(int n, int[] degree, long[] byHorizon, int[] begin, IntList earlier, Scratch scratch) {
        pairs = earlier.size();
        start = scratch.ints(n + 1);
        int[] next = scratch.ints(n);
        int at = 0;
        int highest = 0;
        for (int i = 0; i < n; i++) {
            start[i] = at;
            next[i] = at;
            highest = Math.max(highest, degree[i]);
            at += degree[i];
        }
        start[n] = at;
        mostOfOne = highest;
        others = scratch.ints(at);
        int[] items = earlier.reserve(0);
        for (int place = 0; place < n; place++) {
            int i = (int) byHorizon[place];
            int own = next[i];
            for (int p = begin[place]; p < begin[place + 1]; p++) {
                int j = items[p];
                others[own++] = j;
                others[next[j]++] = i;
            }
            next[i] = own;
        }
    }

    /** Returns the conflicts by position in {@code resources}, or null if there are too many. */
    static @Nullable Conflicts find(int[] resources, Lifetimes lifetimes, Scratch scratch) {
        return find(resources, lifetimes, MOST, scratch);
    }

    static @Nullable Conflicts find(int[] resources, Lifetimes lifetimes, int most, Scratch scratch) {
        int n = resources.length;
        boolean keysSayAll = lifetimes.keysSayAll();
        long[] byHorizon = scratch.longs(n);
        int[] begin = scratch.ints(n + 1);
        int[] degree = scratch.ints(n + 1, 0);
        // Of those that may still be in use: position here, position of the last use, and key of it.
        int[] active = scratch.ints(n);
        int[] end = scratch.ints(n);
        long[] last = scratch.longs(n);
        for (int i = 0; i < n; i++) {
            byHorizon[i] = ((long) lifetimes.horizon(resources[i]) << Integer.SIZE) | i;
        }
        IndexSort.sort(byHorizon, n);
        IntList earlier = scratch.list();
        int count = 0;
        int former = -1;
        int ties = 0;
        for (int place = 0; place < n; place++) {
            int i = (int) byHorizon[place];
            int resource = resources[i];
            long complete = lifetimes.completeKey(resource);
            int horizon = (int) (byHorizon[place] >>> Integer.SIZE);
            ties = horizon == former ? ties : 0;
            former = horizon;
            int[] items = earlier.reserve(count);
            int found = earlier.size();
            begin[place] = found;
            int kept = 0;
            for (int k = 0; k < count; k++) {
                long key = last[k];
                int j = active[k];
                int until = end[k];
                active[kept] = j;
                end[kept] = until;
                last[kept] = key;
                kept += 1 - ((until - horizon) >>> (Integer.SIZE - 1));
                // Counted without a branch, which would be guessed wrong.
                int conflict = Lifetimes.one(Lifetimes.behind(key, complete));
                if (!keysSayAll) {
                    conflict = lifetimes.precedes(resources[j], resource) ? 0 : 1;
                }
                if (k >= count - ties && conflict != 0 && lifetimes.precedes(resource, resources[j])) {
                    // Whoever precedes another has no later horizon: only here can i precede j.
                    conflict = 0;
                }
                items[found] = j;
                found += conflict;
                degree[j] += conflict;
            }
            degree[i] += found - begin[place];
            earlier.resize(found);
            count = kept;
            last[count] = lifetimes.lastKey(resource);
            end[count] = lifetimes.lastPosition(resource);
            active[count++] = i;
            ties++;
            if (found > most) {
                return null;
            }
        }
        begin[n] = earlier.size();
        return new Conflicts(n, degree, byHorizon, begin, earlier, scratch);
    }

    /** Returns the number of pairs. */
    long pairs() {
        return pairs;
    }

    /** Returns the most conflicts that a resource has. */
    int mostOfOne() {
        return mostOfOne;
    }

    /** Returns where the conflicts of one begin; they end where those of the next one begin. */
    int begin(int index) {
        return start[index];
    }

    int other(int at) {
        return others[at];
    }
}
