package io.frameloom.rdg.compile;

import java.util.Arrays;

/**
 * Whose memory each resource of a heap takes over: of those before it that share bytes with it, the ones whose shared bytes
 * no other of them has taken over in between.
 *
 * <p>Goes through the resources in the order of their first uses with a list of those that may still have a successor: who
 * is covered whole by another is left out from then on, since whoever shares bytes with the former shares them with the
 * latter, too, which is in between.
 */
final class Takeovers {
    private static final int[] NONE = {};

    private final long[] offset;
    private final long[] bytes;
    private final Lifetimes lifetimes;
    private int[] direct = new int[16];

    Takeovers(long[] offset, long[] bytes, Lifetimes lifetimes) {
        this.offset = offset;
        this.bytes = bytes;
        this.lifetimes = lifetimes;
    }

    /** Writes the predecessors of each resource of a heap to {@code predecessors}, in ascending order. */
    void find(int[] resources, int[][] predecessors) {
        long[] byFirstUse = new long[resources.length];
        for (int i = 0; i < resources.length; i++) {
            byFirstUse[i] = ((long) lifetimes.firstPosition(resources[i]) << Integer.SIZE) | resources[i];
        }
        Arrays.sort(byFirstUse);
        int[] left = new int[resources.length];
        long[] from = new long[resources.length];
        long[] to = new long[resources.length];
        long[] found = new long[16];
        int count = 0;
        for (long entry : byFirstUse) {
            int resource = (int) entry;
            long begin = offset[resource];
            long end = begin + bytes[resource];
            int sharing = 0;
            int kept = 0;
            for (int k = 0; k < count; k++) {
                int former = left[k];
                if (from[k] < end && begin < to[k] && lifetimes.precedes(former, resource)) {
                    found = sharing == found.length ? Arrays.copyOf(found, 2 * sharing) : found;
                    found[sharing++] = ((long) lifetimes.lastPosition(former) << Integer.SIZE) | former;
                    if (begin <= from[k] && to[k] <= end) {
                        continue;
                    }
                }
                left[kept] = former;
                from[kept] = from[k];
                to[kept++] = to[k];
            }
            count = kept;
            left[count] = resource;
            from[count] = begin;
            to[count++] = end;
            predecessors[resource] = sharing == 0 ? NONE : direct(resource, found, sharing);
        }
    }

    /** Keeps those that none hides. Who hides another is last used later, and hidden itself only by who hides both. */
    private int[] direct(int resource, long[] found, int count) {
        if (count == 1) {
            return new int[] {(int) found[0]};
        }
        Arrays.sort(found, 0, count);
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
        int[] result = Arrays.copyOf(direct, kept);
        Arrays.sort(result);
        return result;
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
