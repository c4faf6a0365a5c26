package io.frameloom.rdg.compile;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The pairs of resources of one heap of which neither precedes the other, so that they never share bytes. Found by a sweep
 * over {@link Lifetimes#horizon}s and last uses, which overlap for such pairs; costs what there are of overlaps.
 */
final class Conflicts {
    /** More pairs than this are not kept; whoever asks then tests pair by pair. */
    static final int MOST = 1 << 22;

    private final int[] start;
    private final int[] others;
    private final int mostOfOne;

    private Conflicts(int[] start, int[] others, int mostOfOne) {
        this.start = start;
        this.mostOfOne = mostOfOne;
        this.others = others;
    }

    /** Returns the conflicts by position in {@code resources}, or null if there are too many. */
    static @Nullable Conflicts find(int[] resources, Lifetimes lifetimes) {
        return find(resources, lifetimes, MOST);
    }

    static @Nullable Conflicts find(int[] resources, Lifetimes lifetimes, int most) {
        int n = resources.length;
        long[] byHorizon = new long[n];
        int[] end = new int[n];
        for (int i = 0; i < n; i++) {
            byHorizon[i] = ((long) lifetimes.horizon(resources[i]) << Integer.SIZE) | i;
            end[i] = lifetimes.lastPosition(resources[i]);
        }
        Arrays.sort(byHorizon);
        IntList pairs = new IntList(8 * n);
        int[] degree = new int[n + 1];
        int[] active = new int[n];
        int count = 0;
        for (long entry : byHorizon) {
            int i = (int) entry;
            int horizon = (int) (entry >>> Integer.SIZE);
            int kept = 0;
            for (int k = 0; k < count; k++) {
                int j = active[k];
                if (end[j] < horizon) {
                    continue;
                }
                active[kept++] = j;
                if (!lifetimes.precedes(resources[i], resources[j])
                        && !lifetimes.precedes(resources[j], resources[i])) {
                    pairs.add(i);
                    pairs.add(j);
                    degree[i + 1]++;
                    degree[j + 1]++;
                }
            }
            count = kept;
            active[count++] = i;
            if (pairs.size() / 2 > most) {
                return null;
            }
        }
        int mostOfOne = 0;
        for (int i = 0; i < n; i++) {
            mostOfOne = Math.max(mostOfOne, degree[i + 1]);
            degree[i + 1] += degree[i];
        }
        int[] next = Arrays.copyOf(degree, n);
        int[] others = new int[pairs.size()];
        for (int p = 0; p < pairs.size(); p += 2) {
            int i = pairs.get(p);
            int j = pairs.get(p + 1);
            others[next[i]++] = j;
            others[next[j]++] = i;
        }
        return new Conflicts(degree, others, mostOfOne);
    }

    /** Returns the number of pairs. */
    long pairs() {
        return others.length / 2;
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
