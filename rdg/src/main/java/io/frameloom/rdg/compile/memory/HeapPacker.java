package io.frameloom.rdg.compile.memory;

import io.frameloom.rdg.compile.graph.Scratch;
import org.jspecify.annotations.Nullable;

/**
 * Packs resources into one heap: dynamic storage allocation, which is NP-hard, by first fit in several orders (as
 * "greedy by size" in "Efficient Memory Management for Deep Neural Net Inference", Y. Pisarchyk and J. Lee, 2020). If
 * asked to search, then where these stay above a lower bound by an {@link OrderSearch}. The best result is kept. Stops
 * as soon as one comes close to a bound.
 */
public final class HeapPacker {
    /**
     * The further orders are tried as long as more than this part of the most bytes around one node is to be gained.
     */
    private static final int WORTH_TRYING = 128;
    /** As {@link #WORTH_TRYING}, of the bytes at the peak of a placement. */
    private static final int WORTH_TRYING_AT_PEAK = 256;

    /** Lower placements are searched for if more than this part of the bound is to be gained. */
    private static final int WORTH_SEARCHING = 100;
    /** A search goes on as long as more than this part of the bound is to be gained. */
    private static final int WORTH_GOING_ON = 1_000;

    private static final long UNKNOWN = -1;
    private static final Order[] ORDERS = Order.values();

    /**
     * A packed heap.
     *
     * @param bytes size of the heap
     * @param bound bytes that no placement can go below
     * @param boundIsExact whether no more than these can be found, see {@link HeapBound#find}
     * @param bytesWithoutAliasing size if nothing were shared
     * @param unsearchedBytes size before the search, or the same if there was none
     * @param mayGain whether a search that was not asked for may find a smaller size
     */
    public record Packed(
            long bytes,
            long bound,
            boolean boundIsExact,
            long bytesWithoutAliasing,
            long unsearchedBytes,
            boolean mayGain) {}

    /** As many as {@link #count} says. */
    private final int[] resources;

    private final int count;
    private final long[] size;
    private final long[] alignment;
    private final long[] bytesOf;
    private final Lifetimes lifetimes;
    private final boolean aliasing;
    private final boolean searching;
    private final Scratch scratch;
    private final int mostConflicts;
    /** In the order of placing; null if there are too many, or if all conflict because nothing is to share memory. */
    private @Nullable Conflicts conflicts;

    HeapPacker(
            int[] resources,
            int count,
            long[] bytesOf,
            long[] alignmentOf,
            Lifetimes lifetimes,
            boolean aliasing,
            boolean searching,
            Scratch scratch) {
        this(resources, count, bytesOf, alignmentOf, lifetimes, Conflicts.MOST, aliasing, searching, scratch);
    }

    /** Packs, and tests pair by pair if there are more conflicts than {@code mostConflicts}. */
    public HeapPacker(
            int[] resources,
            int count,
            long[] bytesOf,
            long[] alignmentOf,
            Lifetimes lifetimes,
            int mostConflicts,
            boolean aliasing,
            boolean searching,
            Scratch scratch) {
        this.scratch = scratch;
        this.resources = resources;
        this.count = count;
        this.bytesOf = bytesOf;
        this.lifetimes = lifetimes;
        this.aliasing = aliasing;
        this.searching = searching;
        this.mostConflicts = mostConflicts;
        int n = count;
        size = scratch.longs(n);
        alignment = scratch.longs(n);
        for (int i = 0; i < n; i++) {
            size[i] = bytesOf[resources[i]];
            alignment[i] = alignmentOf[resources[i]];
        }
    }

    /** Packs and writes the offset of each resource to {@code offsetOf}, which is indexed by resource. */
    public Packed pack(long[] offsetOf) {
        int n = count;
        long[] key = scratch.longs(n);
        int[] byFirstUse = byFirstUse(key);
        int[] sequence = scratch.ints(n);
        int[] former = scratch.ints(n);
        int[] bestSequence = scratch.ints(n);
        long[] offsets = scratch.longs(n);
        long[] best = scratch.longs(n);
        PeakBound peak = new PeakBound(resources, n, size, lifetimes, scratch);
        long heap = Long.MAX_VALUE;
        long bound = 0;
        long clique = UNKNOWN;
        boolean close = n == 0;
        for (int tried = 0; tried < ORDERS.length && !close; tried++) {
            if (ORDERS[tried] == Order.ALIGNMENT && alignsAlike()) {
                continue;
            }
            System.arraycopy(sequence, 0, former, 0, n);
            System.arraycopy(byFirstUse, 0, sequence, 0, n);
            if (ORDERS[tried] == Order.ALIGNMENT) {
                fill(Order.SIZE, key);
                scratch.sort.sort(sequence, n, key);
            }
            if (fill(ORDERS[tried], key)) {
                scratch.sort.sort(sequence, n, key);
            }
            if (tried == 0) {
                conflicts = aliasing ? conflicts(sequence) : null;
            } else if (conflicts != null) {
                rearrange(conflicts, former, sequence);
            }
            long bytes = conflicts == null ? firstFit(sequence, offsets) : firstFit(sequence, offsets, conflicts, heap);
            if (bytes >= heap) {
                continue;
            }
            heap = bytes;
            long[] worse = best;
            best = offsets;
            offsets = worse;
            System.arraycopy(sequence, 0, bestSequence, 0, n);
            if (aliasing) {
                bound = Math.max(bound, peak.find(best, heap));
                close = heap - bound <= bound / WORTH_TRYING_AT_PEAK;
            }
            if (!close) {
                clique = clique == UNKNOWN ? cliqueBound() : clique;
                bound = Math.max(bound, clique);
                close = heap - clique <= clique / WORTH_TRYING;
            }
        }
        long unsearched = heap;
        boolean mayGain = conflicts != null && heap > bound + bound / WORTH_SEARCHING;
        if (searching && conflicts != null && mayGain) {
            long enough = bound + bound / WORTH_GOING_ON;
            OrderSearch search = new OrderSearch(size, alignment, conflicts, sequence, n, scratch);
            heap = search.find(heap, enough, bestSequence, best);
        }
        long bytesWithoutAliasing = withoutAliasing();
        if (heap > bytesWithoutAliasing) {
            heap = sideBySide(offsets);
            best = offsets;
        }
        for (int i = 0; i < n; i++) {
            offsetOf[resources[i]] = best[i];
        }
        boolean exact = heap <= bound || (clique != UNKNOWN && n > AntichainBound.LARGEST);
        return new Packed(
                heap,
                bound,
                exact,
                bytesWithoutAliasing,
                Math.min(unsearched, bytesWithoutAliasing),
                mayGain && !searching);
    }

    private @Nullable Conflicts conflicts(int[] sequence) {
        int[] place = scratch.ints(count);
        for (int s = 0; s < count; s++) {
            place[sequence[s]] = s;
        }
        return Conflicts.find(resources, place, count, lifetimes, mostConflicts, scratch);
    }

    private void rearrange(Conflicts known, int[] former, int[] sequence) {
        long mark = scratch.mark();
        int[] placeOf = scratch.ints(count);
        int[] place = scratch.ints(count);
        for (int s = 0; s < count; s++) {
            placeOf[sequence[s]] = s;
        }
        for (int s = 0; s < count; s++) {
            place[s] = placeOf[former[s]];
        }
        known.arrange(place);
        scratch.release(mark);
    }

    private int[] byFirstUse(long[] key) {
        int n = count;
        for (int i = 0; i < n; i++) {
            key[i] = lifetimes.firstNode(resources[i]);
        }
        int[] sequence = scratch.identity(n);
        scratch.sort.sort(sequence, n, key);
        return sequence;
    }

    /** In what order resources are placed; those that are equal in it come by their first uses. */
    private enum Order {
        SIZE,
        SIZE_TIMES_LENGTH,
        LENGTH,
        FIRST_USE,
        /** Those of one alignment by their sizes: what must not lie anywhere is placed before the holes are odd. */
        ALIGNMENT
    }

    private boolean alignsAlike() {
        for (int i = 1; i < count; i++) {
            if (alignment[i] != alignment[0]) {
                return false;
            }
        }
        return true;
    }

    /** Fills in keys that put the largest first; returns false if first uses are the order. */
    private boolean fill(Order order, long[] key) {
        for (int i = 0; i < count; i++) {
            key[i] = switch (order) {
                case SIZE -> -size[i];
                case SIZE_TIMES_LENGTH -> -size[i] * lifetimes.length(resources[i]);
                case LENGTH -> -lifetimes.length(resources[i]);
                case FIRST_USE -> 0;
                case ALIGNMENT -> -alignment[i];
            };
        }
        return order != Order.FIRST_USE;
    }

    /**
     * Puts each resource at the lowest offset where no placed resource in conflict lies; an exact fit counts. Gives up
     * once the heap is no smaller than {@code limit}.
     */
    private long firstFit(int[] sequence, long[] offsets, Conflicts known, long limit) {
        long mark = scratch.mark();
        // By place in the sequence the first byte and the end: next to each other, since they are read together.
        long[] spot = scratch.longs(2 * count);
        long[] begins = scratch.longs(known.mostOfOne() + 1);
        long[] ends = scratch.longs(known.mostOfOne() + 1);
        long heap = 0;
        for (int s = 0; s < count; s++) {
            int i = sequence[s];
            long at = lowestPlace(s, size[i], alignment[i], known, spot, begins, ends);
            long end = at + size[i];
            offsets[i] = at;
            spot[2 * s] = at;
            spot[2 * s + 1] = end;
            heap = Math.max(heap, end);
            if (heap >= limit) {
                break;
            }
        }
        scratch.release(mark);
        return heap >= limit ? Long.MAX_VALUE : heap;
    }

    /**
     * All that lies in the way of a place ends before any later place that fits. So the next place to try is after all
     * of these, and they are not looked at again.
     */
    private static long lowestPlace(
            int place, long length, long alignment, Conflicts known, long[] spot, long[] begins, long[] ends) {
        long behind = 0;
        int found = 0;
        for (int k = known.begin(place), end = known.begin(place + 1); k < end; k++) {
            int other = 2 * known.other(k);
            long begin = spot[other];
            long until = spot[other + 1];
            long inTheWay = (begin - length) >> (Long.SIZE - 1);
            begins[found] = begin;
            ends[found] = until;
            // Without branches, which would be guessed wrong.
            behind = larger(behind, until & inTheWay);
            found += 1 + (int) inTheWay;
        }
        long at = 0;
        while (behind > at) {
            at = align(behind, alignment);
            behind = at;
            long limit = at + length;
            int left = 0;
            for (int k = 0; k < found; k++) {
                long begin = begins[k];
                long until = ends[k];
                long inTheWay = (begin - limit) >> (Long.SIZE - 1);
                begins[left] = begin;
                ends[left] = until;
                behind = larger(behind, until & inTheWay);
                left += 1 + (int) inTheWay;
            }
            found = left;
        }
        return at;
    }

    /** Returns the larger of two numbers from 0 on, without a branch, which would be guessed wrong. */
    private static long larger(long a, long b) {
        long more = b - a;
        return a + (more & ~(more >> (Long.SIZE - 1)));
    }

    /** For many conflicts: looks at each resource with each other. */
    private long firstFit(int[] sequence, long[] offsets) {
        int[] placed = new int[count];
        int placedCount = 0;
        long heap = 0;
        for (int s = 0; s < count; s++) {
            int i = sequence[s];
            long at = 0;
            for (int k = 0; k < placedCount; k++) {
                int other = placed[k];
                if (!ordered(i, other)) {
                    if (at + size[i] <= offsets[other]) {
                        break;
                    }
                    at = Math.max(at, align(offsets[other] + size[other], alignment[i]));
                }
            }
            offsets[i] = at;
            heap = Math.max(heap, at + size[i]);
            int k = placedCount++;
            while (k > 0 && offsets[placed[k - 1]] > at) {
                placed[k] = placed[k - 1];
                k--;
            }
            placed[k] = i;
        }
        return heap;
    }

    private boolean ordered(int i, int j) {
        return before(i, j) || before(j, i);
    }

    private boolean before(int i, int j) {
        return aliasing && i != j && lifetimes.precedes(resources[i], resources[j]);
    }

    /** The bytes of all, those of the largest alignment first. */
    private long withoutAliasing() {
        long mark = scratch.mark();
        // By alignment, of which there are few: the bytes of all up to the last, aligned, and those of the last.
        long[] known = scratch.longs(count);
        long[] before = scratch.longs(count);
        long[] last = scratch.longs(count);
        int kinds = 0;
        for (int i = 0; i < count; i++) {
            int at = 0;
            while (at < kinds && known[at] != alignment[i]) {
                at++;
            }
            if (at == kinds) {
                known[kinds] = alignment[i];
                before[kinds++] = 0;
            } else {
                before[at] += align(last[at], alignment[i]);
            }
            last[at] = size[i];
        }
        long end = 0;
        for (int placed = 0; placed < kinds; placed++) {
            int largest = 0;
            for (int at = 1; at < kinds; at++) {
                largest = known[at] > known[largest] ? at : largest;
            }
            end = align(end, known[largest]) + before[largest] + last[largest];
            known[largest] = -1;
        }
        scratch.release(mark);
        return end;
    }

    /**
     * Puts all side by side, those of the largest alignment first: one pass for each alignment, of which there are few.
     * Where little is shared, the holes that alignment leaves in the other orders may cost more than sharing gains.
     */
    private long sideBySide(long[] offsets) {
        long end = 0;
        long placed = Long.MAX_VALUE;
        while (true) {
            long largest = -1;
            for (int i = 0; i < count; i++) {
                largest = alignment[i] < placed ? Math.max(largest, alignment[i]) : largest;
            }
            if (largest < 0) {
                return end;
            }
            for (int i = 0; i < count; i++) {
                if (alignment[i] == largest) {
                    offsets[i] = align(end, largest);
                    end = offsets[i] + size[i];
                }
            }
            placed = largest;
        }
    }

    /** The most bytes in use around one node, exact on one queue; all bytes if none share memory. */
    private long cliqueBound() {
        long n = count;
        if (n > 1 && (!aliasing || (conflicts != null && conflicts.pairs() == n * (n - 1) / 2))) {
            long bound = 0;
            for (int i = 0; i < n; i++) {
                bound += size[i];
            }
            return bound;
        }
        return lifetimes.mostInUse(resources, count, bytesOf, scratch);
    }

    static long align(long offset, long alignment) {
        if ((alignment & (alignment - 1)) == 0) {
            return alignment == 0 ? offset : (offset + alignment - 1) & -alignment;
        }
        return (offset + alignment - 1) / alignment * alignment;
    }
}
