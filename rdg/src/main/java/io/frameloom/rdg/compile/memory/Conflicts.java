package io.frameloom.rdg.compile.memory;

import io.frameloom.rdg.compile.graph.IndexSort;
import io.frameloom.rdg.compile.graph.IntList;
import io.frameloom.rdg.compile.graph.Scratch;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The pairs of resources of one heap of which neither precedes the other, so they never share bytes. By each resource,
 * those before it in the sequence of placement. Found by a sweep over {@link Lifetimes#horizon}s and last uses, which
 * overlap for such pairs; costs what there are of overlaps. Lives in scratch memory, until its user releases that. One
 * thread.
 */
public final class Conflicts {
    /** More pairs than this are not kept; then each question tests its pair. */
    public static final int MOST = 1 << 22;

    /** After this number of resources the sweep forgets those that no later one overlaps. */
    private static final int FORGETTING = 8;

    private final int count;
    /** By step of the sweep the place of the resource that it came to, and where those begin that it met there. */
    private final long[] byHorizon;

    private final int[] begin;
    private final int[] met;
    /** Where the list of each begins, and in {@link #list} its length before. */
    private final int[] start;

    private final int[] next;
    private final int[] others;
    private int mostOfOne;

    private Conflicts(
            int count, long[] byHorizon, int[] begin, IntList met, int[] degree, int[] next, Scratch scratch) {
        this.count = count;
        this.byHorizon = byHorizon;
        this.begin = begin;
        this.met = met.reserve(0);
        this.start = degree;
        this.next = next;
        this.others = scratch.ints(met.size());
    }

    /**
     * Returns the conflicts of the first {@code count} resources, or null if there are more than {@code most}.
     *
     * @param resources resources, best in the order of their first uses
     * @param place by position in {@code resources} the place in the sequence in which they are placed
     */
    public static @Nullable Conflicts find(
            int[] resources, int[] place, int count, Lifetimes lifetimes, int most, Scratch scratch) {
        long[] byHorizon = scratch.longs(count);
        int[] resourceAt = scratch.ints(count);
        int[] begin = scratch.ints(count + 1);
        // By place the number of conflicts with those before it.
        int[] degree = scratch.ints(count + 1, 0);
        // Of those that may still be in use: key of the last use; position of it above the place in the sequence.
        long[] last = scratch.longs(count);
        long[] active = scratch.longs(count);
        for (int i = 0; i < count; i++) {
            byHorizon[i] = ((long) lifetimes.horizon(resources[i]) << Integer.SIZE) | i;
            resourceAt[place[i]] = resources[i];
        }
        IndexSort.sort(byHorizon, count);
        IntList met = scratch.list();
        int open = 0;
        int former = -1;
        int ties = 0;
        for (int step = 0; step < count; step++) {
            int position = (int) byHorizon[step];
            int i = place[position];
            byHorizon[step] += i - position;
            int resource = resources[position];
            int horizon = (int) (byHorizon[step] >>> Integer.SIZE);
            ties = horizon == former ? ties : 0;
            former = horizon;
            if (step % FORGETTING == 0) {
                open = forget(active, last, open, horizon);
            }
            int[] items = met.reserve(open);
            int found = met.size();
            begin[step] = found;
            int own = 0;
            if (lifetimes.keysSayAll()) {
                long complete = lifetimes.completeKey(resource);
                for (int k = 0, certain = open - ties; k < certain; k++) {
                    // Counted without branches, which would be guessed wrong.
                    int conflict = Lifetimes.one(Lifetimes.behind(last[k], complete));
                    int j = (int) active[k];
                    int mine = conflict & ((j - i) >>> (Integer.SIZE - 1));
                    items[found] = j;
                    found += conflict;
                    own += mine;
                    degree[j] += conflict - mine;
                }
            }
            for (int k = lifetimes.keysSayAll() ? open - ties : 0; k < open; k++) {
                int j = (int) active[k];
                // What precedes another has no later horizon: only of equal ones can the later precede the former.
                boolean ordered = lifetimes.precedes(resourceAt[j], resource)
                        || (k >= open - ties && lifetimes.precedes(resource, resourceAt[j]));
                if (!ordered) {
                    items[found++] = j;
                    own += j < i ? 1 : 0;
                    degree[j] += j < i ? 0 : 1;
                }
            }
            degree[i] += own;
            met.resize(found);
            last[open] = lifetimes.lastKey(resource);
            active[open++] = ((long) lifetimes.lastPosition(resource) << Integer.SIZE) | i;
            ties++;
            if (found > most) {
                return null;
            }
        }
        begin[count] = met.size();
        Conflicts conflicts = new Conflicts(count, byHorizon, begin, met, degree, scratch.ints(count), scratch);
        conflicts.list();
        return conflicts;
    }

    /**
     * Leaves out those that are last used before {@code horizon}, which precede all that come; returns how many are
     * left.
     */
    private static int forget(long[] active, long[] last, int open, int horizon) {
        int kept = 0;
        for (int k = 0; k < open; k++) {
            long one = active[k];
            active[kept] = one;
            last[kept] = last[k];
            kept += 1 - (((int) (one >>> Integer.SIZE) - horizon) >>> (Integer.SIZE - 1));
        }
        return kept;
    }

    /**
     * Goes over to another sequence.
     *
     * @param place by place in the sequence until now the place in the other one
     */
    public void arrange(int[] place) {
        for (int step = 0; step < count; step++) {
            int i = place[(int) byHorizon[step]];
            byHorizon[step] = (byHorizon[step] >>> Integer.SIZE << Integer.SIZE) | i;
            for (int p = begin[step]; p < begin[step + 1]; p++) {
                met[p] = place[met[p]];
            }
        }
        Arrays.fill(start, 0, count, 0);
        for (int step = 0; step < count; step++) {
            int i = (int) byHorizon[step];
            int own = 0;
            for (int p = begin[step]; p < begin[step + 1]; p++) {
                int mine = (met[p] - i) >>> (Integer.SIZE - 1);
                own += mine;
                start[met[p]] += 1 - mine;
            }
            start[i] += own;
        }
        list();
    }

    /** Makes the lists, of which {@link #start} holds the lengths. */
    private void list() {
        int at = 0;
        int most = 0;
        for (int i = 0; i < count; i++) {
            int length = start[i];
            most = Math.max(most, length);
            start[i] = at;
            next[i] = at;
            at += length;
        }
        start[count] = at;
        mostOfOne = most;
        int[] lists = others;
        for (int step = 0; step < count; step++) {
            int i = (int) byHorizon[step];
            int own = next[i];
            for (int p = begin[step], end = begin[step + 1]; p < end; p++) {
                int j = met[p];
                int behind = next[j];
                int mine = (j - i) >>> (Integer.SIZE - 1);
                lists[behind + ((own - behind) & -mine)] = Math.min(i, j);
                own += mine;
                next[j] = behind + 1 - mine;
            }
            next[i] = own;
        }
    }

    /**
     * Lists of each resource all that it conflicts with, before and after it.
     *
     * @param sequence the sequence of placement
     * @param begins of zeros; gets where the list of each begins in {@code lists}, and the end
     * @param lists twice as many as there are pairs
     */
    void ofEach(int[] sequence, int[] begins, int[] lists, Scratch scratch) {
        for (int place = 0; place < count; place++) {
            for (int k = start[place]; k < start[place + 1]; k++) {
                begins[sequence[place]]++;
                begins[sequence[others[k]]]++;
            }
        }
        long mark = scratch.mark();
        int[] end = scratch.ints(count);
        int at = 0;
        for (int i = 0; i < count; i++) {
            int length = begins[i];
            begins[i] = at;
            end[i] = at;
            at += length;
        }
        begins[count] = at;
        for (int place = 0; place < count; place++) {
            int i = sequence[place];
            for (int k = start[place]; k < start[place + 1]; k++) {
                int other = sequence[others[k]];
                lists[end[i]++] = other;
                lists[end[other]++] = i;
            }
        }
        scratch.release(mark);
    }

    /** Returns the number of pairs. */
    public long pairs() {
        return begin[count];
    }

    /** Returns the most conflicts that one has with those before it. */
    public int mostOfOne() {
        return mostOfOne;
    }

    /** Returns where the conflicts of one with those before it begin; they end where those of the next one begin. */
    public int begin(int place) {
        return start[place];
    }

    /** Returns the place of one that comes before. */
    public int other(int at) {
        return others[at];
    }
}
