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
    private final long[] offset;
    private final long[] bytes;
    private final Lifetimes lifetimes;

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
        long[] found = new long[16];
        int count = 0;
        for (long entry : byFirstUse) {
            int resource = (int) entry;
            int sharing = 0;
            int kept = 0;
            for (int k = 0; k < count; k++) {
                int former = left[k];
                boolean shares = overlap(former, resource) && lifetimes.precedes(former, resource);
                if (shares) {
                    found = sharing == found.length ? Arrays.copyOf(found, 2 * sharing) : found;
                    found[sharing++] = ((long) lifetimes.lastPosition(former) << Integer.SIZE) | former;
                }
                if (!shares || !covers(resource, offset[former], offset[former] + bytes[former])) {
                    left[kept++] = former;
                }
            }
            count = kept;
            left[count++] = resource;
            predecessors[resource] = direct(resource, found, sharing);
        }
    }

    /** Keeps those that none hides. Who hides another is last used later, and hidden itself only by who hides both. */
    private int[] direct(int resource, long[] found, int count) {
        Arrays.sort(found, 0, count);
        int[] direct = new int[count];
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

    private boolean overlap(int a, int b) {
        return offset[a] < offset[b] + bytes[b] && offset[b] < offset[a] + bytes[a];
    }
}
