package io.frameloom.rdg.compile;

import java.util.Arrays;

/**
 * Whose memory each resource of a heap takes over: of those before it that share bytes with it, the ones whose shared bytes
 * no other of them has taken over in between.
 *
 * <p>Goes through the resources in the order of their first uses with a list of those that may still have a successor: who
 * is covered whole by another is left out from then on, since whoever shares bytes with the former shares them with the
 * latter, too, which is in between. So it is with the part of one that another covers from the begin on or to the end: who
 * shares no more than that part is not looked for among the successors. The part is that of one other alone, since of what
 * two others have each a part of nobody has taken over all.
 */
final class Takeovers {
    private static final int[] NONE = {};
    /** Up to so many are sorted by insertion. */
    private static final int FEW = 16;

    private final long[] offset;
    private final long[] bytes;
    private final Lifetimes lifetimes;
    private final Scratch scratch;
    private int[] direct = new int[16];

    Takeovers(long[] offset, long[] bytes, Lifetimes lifetimes, Scratch scratch) {
        this.offset = offset;
        this.bytes = bytes;
        this.lifetimes = lifetimes;
        this.scratch = scratch;
    }

    /** Writes the predecessors of each resource of a heap to {@code predecessors}, in ascending order. */
    void find(int[] resources, int[][] predecessors) {
        long mark = scratch.mark();
        long[] byFirstUse = scratch.longs(resources.length);
        for (int i = 0; i < resources.length; i++) {
            byFirstUse[i] = ((long) lifetimes.firstPosition(resources[i]) << Integer.SIZE) | resources[i];
        }
        Arrays.sort(byFirstUse, 0, resources.length);
        int[] left = scratch.ints(resources.length);
        int[] hit = scratch.ints(resources.length + 1);
        long[] from = scratch.longs(resources.length);
        long[] to = scratch.longs(resources.length);
        long[] found = new long[16];
        int count = 0;
        for (int place = 0; place < resources.length; place++) {
            int resource = (int) byFirstUse[place];
            long begin = offset[resource];
            long end = begin + bytes[resource];
            int hits = 0;
            for (int k = 0; k < count; k++) {
                hit[hits] = k;
                // Both differences are negative if bytes are shared: counted without a branch, which would be guessed
                // wrong.
                hits += (int) (((from[k] - end) & (begin - to[k])) >>> (Long.SIZE - 1));
            }
            found = hits > found.length ? new long[2 * hits] : found;
            int sharing = 0;
            // From the last on, so that what takes the place of one that is removed has been looked at.
            for (int h = hits - 1; h >= 0; h--) {
                int k = hit[h];
                int former = left[k];
                if (!lifetimes.precedes(former, resource)) {
                    continue;
                }
                found[sharing++] = ((long) lifetimes.lastPosition(former) << Integer.SIZE) | former;
                boolean fromBegin = begin <= offset[former];
                boolean toEnd = offset[former] + bytes[former] <= end;
                if (fromBegin && toEnd) {
                    count--;
                    left[k] = left[count];
                    from[k] = from[count];
                    to[k] = to[count];
                } else if (fromBegin) {
                    from[k] = Math.max(from[k], end);
                } else if (toEnd) {
                    to[k] = Math.min(to[k], begin);
                }
            }
            left[count] = resource;
            from[count] = begin;
            to[count++] = end;
            predecessors[resource] = sharing == 0 ? NONE : direct(resource, found, sharing);
        }
        scratch.release(mark);
    }

    /** Keeps those that none hides. Who hides another is last used later, and hidden itself only by who hides both. */
    private int[] direct(int resource, long[] found, int count) {
        if (count == 1) {
            return new int[] {(int) found[0]};
        }
        sort(found, count);
        if (direct.length < count) {
            direct = new int[2 * count];
        }
        int kept = 0;
        for (int i = count - 1; i >= 0; i--) {
            int former = (int) found[i];
            boolean hidden = false;
            for (int k = 0; k < kept && !hidden; k++) {
                hidden = hides(direct[k], former, resource);
            }
            if (!hidden) {
                direct[kept++] = former;
            }
        }
        for (int i = 0; i < kept; i++) {
            found[i] = direct[i];
        }
        sort(found, kept);
        int[] result = new int[kept];
        for (int i = 0; i < kept; i++) {
            result[i] = (int) found[i];
        }
        return result;
    }

    /** Mostly there are two or three. */
    private static void sort(long[] keys, int count) {
        if (count > FEW) {
            Arrays.sort(keys, 0, count);
            return;
        }
        for (int i = 1; i < count; i++) {
            long key = keys[i];
            int at = i;
            while (at > 0 && keys[at - 1] > key) {
                keys[at] = keys[at - 1];
                at--;
            }
            keys[at] = key;
        }
    }

    private boolean hides(int between, int former, int resource) {
        long from = Math.max(offset[former], offset[resource]);
        long to = Math.min(offset[former] + bytes[former], offset[resource] + bytes[resource]);
        return covers(between, from, to) && lifetimes.precedes(former, between);
    }

    private boolean covers(int resource, long from, long to) {
        return offset[resource] <= from && to <= offset[resource] + bytes[resource];
    }
}
