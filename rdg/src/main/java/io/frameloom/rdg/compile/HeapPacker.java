package io.frameloom.rdg.compile;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Packs resources into one heap: dynamic storage allocation, which is NP-hard, by first fit in several orders, the best
 * result kept (as "greedy by size" in "Efficient Memory Management for Deep Neural Net Inference", Y. Pisarchyk and J.
 * Lee, 2020). Stops as soon as a result reaches the lower bound.
 */
final class HeapPacker {
    /**
     * A packed heap.
     *
     * @param bytes size of the heap
     * @param lowerBound bytes that no placement can go below
     * @param bytesWithoutAliasing size if nothing were shared
     */
    record Packed(long bytes, long lowerBound, long bytesWithoutAliasing) {}

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
        Integer[] sequence = new Integer[n];
        for (int i = 0; i < n; i++) {
            sequence[i] = i;
        }
        int[] firstUse = new int[n];
        long[] length = new long[n];
        for (int i = 0; i < n; i++) {
            firstUse[i] = lifetimes.firstNode(resources[i]);
            length[i] = lifetimes.length(resources[i]);
        }
        long clique = cliqueBound();
        long[] best = new long[n];
        long bestBytes = Long.MAX_VALUE;
        for (Order candidate : Order.values()) {
            Arrays.sort(sequence, (a, b) -> {
                int byKey = candidate.compare(a, b, size, length, firstUse);
                return byKey != 0
                        ? byKey
                        : firstUse[a] != firstUse[b]
                                ? Integer.compare(firstUse[a], firstUse[b])
                                : Integer.compare(a, b);
            });
            long[] offsets = new long[n];
            long bytes = conflicts == null ? firstFit(sequence, offsets) : firstFit(sequence, offsets, conflicts);
            if (bytes < bestBytes) {
                bestBytes = bytes;
                best = offsets;
            }
            if (bestBytes <= clique) {
                break;
            }
        }
        long heap = n == 0 ? 0 : bestBytes;
        long bound = heap <= clique || n > AntichainBound.LARGEST ? clique : AntichainBound.compute(before(), size);
        for (int i = 0; i < n; i++) {
            offsetOf[resources[i]] = best[i];
        }
        return new Packed(heap, bound, withoutAliasing());
    }

    private enum Order {
        SIZE,
        SIZE_TIMES_LENGTH,
        LENGTH,
        FIRST_USE;

        int compare(int a, int b, long[] size, long[] length, int[] firstUse) {
            return switch (this) {
                case SIZE -> Long.compare(size[b], size[a]);
                case SIZE_TIMES_LENGTH -> Long.compare(size[b] * length[b], size[a] * length[a]);
                case LENGTH -> Long.compare(length[b], length[a]);
                case FIRST_USE -> Integer.compare(firstUse[a], firstUse[b]);
            };
        }
    }

    /**
     * Puts each resource at the lowest offset where no placed resource in conflict lies; an exact fit counts. Begins and ends of
     * what is in the way are sorted each by itself: behind the first k ends nothing of the first k lies, and a gap before
     * the next begin is one only if they all end before it.
     */
    private long firstFit(Integer[] sequence, long[] offsets, Conflicts known) {
        boolean[] placed = new boolean[sequence.length];
        long[] begins = new long[16];
        long[] ends = new long[16];
        long heap = 0;
        for (int i : sequence) {
            int count = 0;
            int degree = known.begin(i + 1) - known.begin(i);
            if (begins.length < degree) {
                begins = new long[2 * degree];
                ends = new long[2 * degree];
            }
            for (int k = known.begin(i); k < known.begin(i + 1); k++) {
                int other = known.other(k);
                if (placed[other]) {
                    begins[count] = offsets[other];
                    ends[count++] = offsets[other] + size[other];
                }
            }
            Arrays.sort(begins, 0, count);
            Arrays.sort(ends, 0, count);
            long at = 0;
            for (int k = 0; k < count && at + size[i] > begins[k]; k++) {
                at = align(ends[k], alignment[i]);
            }
            offsets[i] = at;
            placed[i] = true;
            heap = Math.max(heap, at + size[i]);
        }
        return heap;
    }

    /** As the other, for so many conflicts that each resource is looked at with each. */
    private long firstFit(Integer[] sequence, long[] offsets) {
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

    private boolean[][] before() {
        int n = resources.length;
        boolean[][] before = new boolean[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                before[i][j] = before(i, j);
            }
        }
        return before;
    }

    private long withoutAliasing() {
        Integer[] sequence = new Integer[resources.length];
        for (int i = 0; i < sequence.length; i++) {
            sequence[i] = i;
        }
        Arrays.sort(sequence, (a, b) -> Long.compare(alignment[b], alignment[a]));
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
        return alignment <= 1 ? offset : (offset + alignment - 1) / alignment * alignment;
    }
}
