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
 *
 * <p>The list is found by offset: each of 64 parts of the heap has a bit for each place of the list whose bytes reach into
 * it.
 */
final class TakeoverSearch {
    /** Up to so many are sorted by insertion. */
    private static final int FEW = 16;
    /** A power of two: parts of a heap, and places of the list to a word. */
    private static final int PARTS = 64;

    private final long[] offset;
    private final long[] bytes;
    private final Lifetimes lifetimes;
    private final Scratch scratch;
    private final int[] begin;
    private final int[] end;
    private final IntList items;
    private int[] direct = new int[FEW];
    private long[] found = new long[FEW];

    /** A search among resources with these offsets and bytes. */
    TakeoverSearch(long[] offset, long[] bytes, Lifetimes lifetimes, Scratch scratch) {
        this.offset = offset;
        this.bytes = bytes;
        this.lifetimes = lifetimes;
        this.scratch = scratch;
        begin = new int[offset.length];
        end = new int[offset.length];
        items = scratch.list();
    }

    /** Returns what was found until now: for resources of heaps that were not searched nothing. */
    Takeovers takeovers() {
        return new Takeovers(begin, end, items.toArray());
    }

    /** Finds those of the first {@code n} resources, which are all of one heap. */
    void find(int[] resources, int n) {
        long mark = scratch.mark();
        long[] byFirstUse = scratch.longs(n);
        long heap = 1;
        for (int i = 0; i < n; i++) {
            int resource = resources[i];
            byFirstUse[i] = ((long) lifetimes.firstPosition(resource) << Integer.SIZE) | resource;
            heap = Math.max(heap, offset[resource] + bytes[resource]);
        }
        IndexSort.sort(byFirstUse, n);
        int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(heap - 1) - Integer.numberOfTrailingZeros(PARTS));
        // By place of the list its resource, and the bytes for which it may have successors.
        int[] left = scratch.ints(n);
        long[] from = scratch.longs(n);
        long[] to = scratch.longs(n);
        long[] bits = scratch.longs(n + 2 * PARTS);
        int[] hit = scratch.ints(n + 1);
        int[] free = scratch.ints(n);
        int frees = 0;
        int used = 0;
        for (int at = 0; at < n; at++) {
            int resource = (int) byFirstUse[at];
            long first = offset[resource];
            long behind = first + bytes[resource];
            int firstPart = (int) (first >> shift);
            int lastPart = (int) ((behind - 1) >> shift);
            int hits = 0;
            for (int base = 0; base < used; base += PARTS) {
                long near = 0;
                for (int part = firstPart; part <= lastPart; part++) {
                    near |= bits[base + part];
                }
                for (; near != 0; near &= near - 1) {
                    int k = base + Long.numberOfTrailingZeros(near);
                    hit[hits] = k;
                    // Both differences are negative if bytes are shared: counted without a branch, which would be
                    // guessed wrong.
                    hits += (int) (((from[k] - behind) & (first - to[k])) >>> (Long.SIZE - 1));
                }
            }
            found = hits > found.length ? new long[2 * hits] : found;
            for (int h = 0; h < hits; h++) {
                int k = hit[h];
                int former = left[k];
                // Whoever shares bytes and is used first precedes: those in conflict share none.
                found[h] = ((long) lifetimes.lastPosition(former) << Integer.SIZE) | former;
                long formerFirst = offset[former];
                long formerEnd = formerFirst + bytes[former];
                if (first <= formerFirst && formerEnd <= behind) {
                    flip(bits, k, (int) (formerFirst >> shift), (int) ((formerEnd - 1) >> shift));
                    free[frees++] = k;
                } else {
                    from[k] = first <= formerFirst ? Math.max(from[k], behind) : from[k];
                    to[k] = formerEnd <= behind ? Math.min(to[k], first) : to[k];
                }
            }
            int k = frees > 0 ? free[--frees] : used++;
            if ((k & (PARTS - 1)) == 0 && k == used - 1) {
                Arrays.fill(bits, k, k + PARTS, 0);
            }
            left[k] = resource;
            from[k] = first;
            to[k] = behind;
            flip(bits, k, firstPart, lastPart);
            begin[resource] = items.size();
            addDirect(resource, hits);
            end[resource] = items.size();
        }
        scratch.release(mark);
    }

    private static void flip(long[] bits, int place, int firstPart, int lastPart) {
        int base = place & -PARTS;
        long bit = 1L << place;
        for (int part = firstPart; part <= lastPart; part++) {
            bits[base + part] ^= bit;
        }
    }

    /**
     * Adds those of the found ones that none hides. Who hides another is last used later, and hidden itself only by who
     * hides both.
     */
    private void addDirect(int resource, int count) {
        if (count < 2) {
            if (count == 1) {
                items.add((int) found[0]);
            }
            return;
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
        sort(direct, kept);
        for (int i = 0; i < kept; i++) {
            items.add(direct[i]);
        }
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

    private static void sort(int[] resources, int count) {
        if (count > FEW) {
            Arrays.sort(resources, 0, count);
            return;
        }
        for (int i = 1; i < count; i++) {
            int resource = resources[i];
            int at = i;
            while (at > 0 && resources[at - 1] > resource) {
                resources[at] = resources[at - 1];
                at--;
            }
            resources[at] = resource;
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
