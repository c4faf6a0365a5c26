package io.frameloom.rdg.compile;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Packs resources into one heap: dynamic storage allocation, which is NP-hard, by first fit in several orders, the best
 * result kept (as "greedy by size" in "Efficient Memory Management for Deep Neural Net Inference", Y. Pisarchyk and J.
 * Lee, 2020). Stops as soon as a result comes close to a lower bound.
 */
final class HeapPacker {
    /** The further orders are tried as long as more than this part of the lower bound is to be gained. */
    private static final int WORTH_TRYING = 128;

    /**
     * A packed heap.
     *
     * @param bytes size of the heap
     * @param lowerBound finds the bytes that no placement can go below
     * @param bytesWithoutAliasing size if nothing were shared
     */
    record Packed(long bytes, HeapBound lowerBound, long bytesWithoutAliasing) {}

    private final int[] resources;
    private final long[] size;
    private final long[] alignment;
    private final long[] bytesOf;
    private final Lifetimes lifetimes;
    private final boolean aliasing;
    /** Null if there are too many, or if all conflict because nothing is to share memory. */
    private final @Nullable Conflicts conflicts;

    HeapPacker(int[] resources, long[] bytesOf, long[] alignmentOf, Lifetimes lifetimes, boolean aliasing) {
        this(
                resources,
                bytesOf,
                alignmentOf,
                lifetimes,
                aliasing ? Conflicts.find(resources, lifetimes) : null,
                aliasing);
    }

    HeapPacker(
            int[] resources,
            long[] bytesOf,
            long[] alignmentOf,
            Lifetimes lifetimes,
            @Nullable Conflicts conflicts,
            boolean aliasing) {
        this.resources = resources;
        this.bytesOf = bytesOf;
        this.lifetimes = lifetimes;
        this.aliasing = aliasing;
        int n = resources.length;
        size = new long[n];
        alignment = new long[n];
        for (int i = 0; i < n; i++) {
            size[i] = bytesOf[resources[i]];
            alignment[i] = alignmentOf[resources[i]];
        }
        this.conflicts = conflicts;
    }

    /** Packs and writes the offset of each resource to {@code offsetOf}, which is indexed by resource. */
    Packed pack(long[] offsetOf) {
        int n = resources.length;
        long[] firstUse = new long[n];
        long[] length = new long[n];
        for (int i = 0; i < n; i++) {
            firstUse[i] = lifetimes.firstNode(resources[i]);
            length[i] = lifetimes.length(resources[i]);
        }
        IndexSort sort = new IndexSort(n);
        int[] byFirstUse = IndexSort.identity(n);
        sort.sort(byFirstUse, firstUse);
        long clique = cliqueBound();
        long[] key = new long[n];
        int[] sequence = new int[n];
        long[] offsets = new long[n];
        long[] best = new long[n];
        long[] endOf = new long[n];
        long bestBytes = Long.MAX_VALUE;
        for (Order candidate : ORDERS) {
            System.arraycopy(byFirstUse, 0, sequence, 0, n);
            if (candidate.fill(key, size, length)) {
                sort.sort(sequence, key);
            }
            long bytes = conflicts == null
                    ? firstFit(sequence, offsets)
                    : firstFit(sequence, offsets, conflicts, endOf, bestBytes);
            if (bytes < bestBytes) {
                bestBytes = bytes;
                long[] worse = best;
                best = offsets;
                offsets = worse;
            }
            if (bestBytes - clique <= clique / WORTH_TRYING) {
                break;
            }
        }
        long heap = n == 0 ? 0 : bestBytes;
        boolean exact = heap <= clique || n > AntichainBound.LARGEST;
        HeapBound bound = exact ? new HeapBound(clique) : new HeapBound(resources, size, lifetimes, aliasing);
        for (int i = 0; i < n; i++) {
            offsetOf[resources[i]] = best[i];
        }
        return new Packed(heap, bound, withoutAliasing());
    }

    private static final Order[] ORDERS = Order.values();

    /** In what order resources are placed; those that are equal in it come by their first uses. */
    private enum Order {
        SIZE,
        SIZE_TIMES_LENGTH,
        LENGTH,
        FIRST_USE;

        /** Fills in keys that put the largest first; returns false if first uses are the order. */
        boolean fill(long[] key, long[] size, long[] length) {
            for (int i = 0; i < key.length; i++) {
                key[i] = switch (this) {
                    case SIZE -> -size[i];
                    case SIZE_TIMES_LENGTH -> -size[i] * length[i];
                    case LENGTH -> -length[i];
                    case FIRST_USE -> 0;
                };
            }
            return this != FIRST_USE;
        }
    }

    /**
     * Puts each resource at the lowest offset where no placed resource in conflict lies; an exact fit counts. Whatever lies
     * in the way ends before any place behind it that fits, so the next place to try is behind all that do. Gives up once
     * the heap is no smaller than {@code limit}.
     */
    private long firstFit(int[] sequence, long[] offsets, Conflicts known, long[] endOf, long limit) {
        // What is not placed yet ends at 0, where it is in nobody's way.
        Arrays.fill(endOf, 0);
        long[] begins = new long[known.mostOfOne()];
        long[] ends = new long[begins.length];
        long heap = 0;
        for (int i : sequence) {
            int count = 0;
            for (int k = known.begin(i); k < known.begin(i + 1); k++) {
                int other = known.other(k);
                if (endOf[other] > 0) {
                    begins[count] = offsets[other];
                    ends[count++] = endOf[other];
                }
            }
            long at = lowestPlace(size[i], alignment[i], begins, ends, count);
            offsets[i] = at;
            endOf[i] = at + size[i];
            heap = Math.max(heap, at + size[i]);
            if (heap >= limit) {
                return Long.MAX_VALUE;
            }
        }
        return heap;
    }

    private static long lowestPlace(long size, long alignment, long[] begins, long[] ends, int count) {
        long at = 0;
        int left = count;
        while (true) {
            long behind = at;
            int kept = 0;
            for (int k = 0; k < left; k++) {
                long end = ends[k];
                if (begins[k] >= at + size) {
                    begins[kept] = begins[k];
                    ends[kept++] = end;
                } else if (end > behind) {
                    behind = end;
                }
            }
            if (behind == at) {
                return at;
            }
            // What begins before the place that was tried ends before the next one, so it is never in the way again.
            left = kept;
            at = align(behind, alignment);
        }
    }

    /** As the other, for so many conflicts that each resource is looked at with each. */
    private long firstFit(int[] sequence, long[] offsets) {
        int[] placed = new int[sequence.length];
        int count = 0;
        long heap = 0;
        for (int i : sequence) {
            long at = 0;
            for (int k = 0; k < count; k++) {
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
            int k = count++;
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

    private long withoutAliasing() {
        int[] sequence = IndexSort.identity(resources.length);
        long[] key = new long[resources.length];
        for (int i = 0; i < key.length; i++) {
            key[i] = -alignment[i];
        }
        new IndexSort(key.length).sort(sequence, key);
        long end = 0;
        for (int i : sequence) {
            end = align(end, alignment[i]) + size[i];
        }
        return end;
    }

    /** The most bytes in use around one node, exact on one queue; all bytes if none share memory. */
    private long cliqueBound() {
        long n = resources.length;
        if (n > 1 && (!aliasing || (conflicts != null && conflicts.pairs() == n * (n - 1) / 2))) {
            long bound = 0;
            for (long bytes : size) {
                bound += bytes;
            }
            return bound;
        }
        return lifetimes.mostInUse(resources, bytesOf);
    }

    private static long align(long offset, long alignment) {
        if ((alignment & (alignment - 1)) == 0) {
            return alignment == 0 ? offset : (offset + alignment - 1) & -alignment;
        }
        return (offset + alignment - 1) / alignment * alignment;
    }
}
