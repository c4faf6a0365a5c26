package io.frameloom.rdg.compile.memory;

import io.frameloom.rdg.compile.barrier.Takeovers;
import io.frameloom.rdg.compile.graph.IndexSort;
import io.frameloom.rdg.compile.graph.IntList;
import io.frameloom.rdg.compile.graph.Scratch;
import java.util.Arrays;

/**
 * Whose memory each resource of a heap takes over. Of the resources before it that share bytes with it, these are the
 * ones whose shared bytes no other has taken over in between.
 *
 * <p>Goes through the resources in the order of their first uses, with a list of those that may still have a successor.
 * A resource that another one covers whole leaves the list: what shares bytes with the former also shares them with the
 * latter, which is in between. The same holds for a part that another one covers from the begin on or to the end: a
 * later resource that shares only that part is no successor. The part must be covered by one other alone, since of a
 * part that two others cover together neither has taken over all. So the shared bytes of a found pair can have been
 * taken over only by a resource in the middle of the former. Only then the pair is checked further.
 *
 * <p>The list is found by offset: each of 64 parts of the heap has a bit for each place of the list whose bytes reach
 * into it.
 */
public final class TakeoverSearch {
    /** Up to this number are sorted by insertion. */
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

    /** A search among resources with these offsets and bytes. What it finds lives in scratch memory. */
    public TakeoverSearch(long[] offset, long[] bytes, Lifetimes lifetimes, Scratch scratch) {
        this.offset = offset;
        this.bytes = bytes;
        this.lifetimes = lifetimes;
        this.scratch = scratch;
        begin = scratch.ints(offset.length, 0);
        end = scratch.ints(offset.length, 0);
        items = scratch.list();
    }

    /** Returns what was found until now: for resources of heaps that were not searched nothing. */
    public Takeovers takeovers() {
        return new Takeovers(begin, end, items.reserve(0));
    }

    /** Finds those of the first {@code n} resources, which are all of one heap. */
    public void find(int[] resources, int n) {
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
        // By place of the list 1 if it is cut: if another has taken over a part between its first and its last byte.
        int[] cut = scratch.ints(n);
        int[] found = scratch.ints(n);
        int[] doubtful = scratch.ints(n);
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
            begin[resource] = items.size();
            int doubts = 0;
            for (int h = 0; h < hits; h++) {
                int k = hit[h];
                int former = left[k];
                found[h] = former;
                if (cut[k] == 0) {
                    items.add(former);
                } else {
                    doubtful[doubts++] = former;
                }
                long formerFirst = offset[former];
                long formerEnd = formerFirst + bytes[former];
                boolean fromBegin = first <= formerFirst;
                boolean toEnd = formerEnd <= behind;
                if (fromBegin && toEnd) {
                    flip(bits, k, (int) (formerFirst >> shift), (int) ((formerEnd - 1) >> shift));
                    free[frees++] = k;
                } else if (fromBegin) {
                    from[k] = Math.max(from[k], behind);
                } else if (toEnd) {
                    to[k] = Math.min(to[k], first);
                } else {
                    cut[k] = 1;
                }
            }
            for (int d = 0; d < doubts; d++) {
                if (!isHidden(doubtful[d], resource, found, hits)) {
                    items.add(doubtful[d]);
                }
            }
            sort(items.reserve(0), begin[resource], items.size());
            end[resource] = items.size();
            int k = frees > 0 ? free[--frees] : used++;
            if ((k & (PARTS - 1)) == 0 && k == used - 1) {
                Arrays.fill(bits, k, k + PARTS, 0);
            }
            left[k] = resource;
            from[k] = first;
            to[k] = behind;
            cut[k] = 0;
            flip(bits, k, firstPart, lastPart);
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

    /** Returns whether one of those found has taken over all that a former one shares with a resource. */
    private boolean isHidden(int former, int resource, int[] found, int count) {
        for (int h = 0; h < count; h++) {
            if (hides(found[h], former, resource)) {
                return true;
            }
        }
        return false;
    }

    /** Mostly there are one or two. */
    private static void sort(int[] resources, int begin, int end) {
        if (end - begin > FEW) {
            Arrays.sort(resources, begin, end);
            return;
        }
        for (int i = begin + 1; i < end; i++) {
            int resource = resources[i];
            int at = i;
            while (at > begin && resources[at - 1] > resource) {
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
