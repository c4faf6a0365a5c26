package io.frameloom.rdg.compile;

import java.util.Arrays;

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
    private final Lifetimes lifetimes;
    private final int[] order;
    private final int[] queue;
    private final boolean[][] before;

    HeapPacker(
            int[] resources,
            long[] bytesOf,
            long[] alignmentOf,
            Lifetimes lifetimes,
            int[] order,
            int[] queue,
            boolean aliasing) {
        this.resources = resources;
        this.lifetimes = lifetimes;
        this.order = order;
        this.queue = queue;
        int n = resources.length;
        size = new long[n];
        alignment = new long[n];
        before = new boolean[n][n];
        for (int i = 0; i < n; i++) {
            size[i] = bytesOf[resources[i]];
            alignment[i] = alignmentOf[resources[i]];
            for (int j = 0; aliasing && j < n; j++) {
                before[i][j] = i != j && lifetimes.precedes(resources[i], resources[j]);
            }
        }
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
            long bytes = firstFit(sequence, offsets);
            if (bytes < bestBytes) {
                bestBytes = bytes;
                best = offsets;
            }
            if (bestBytes <= clique) {
                break;
            }
        }
        long heap = n == 0 ? 0 : bestBytes;
        long bound = heap <= clique ? clique : AntichainBound.compute(before, size, clique);
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

    /** Puts each resource at the lowest offset where no placed resource in conflict lies; an exact fit counts. */
    private long firstFit(Integer[] sequence, long[] offsets) {
        int n = sequence.length;
        int[] placed = new int[n];
        int count = 0;
        long heap = 0;
        for (int i : sequence) {
            long at = 0;
            for (int k = 0; k < count; k++) {
                int other = placed[k];
                if (!before[i][other] && !before[other][i]) {
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

    /**
     * The most bytes in use around one node: resources with a use before or at it and one after or at it conflict with
     * each other. Exact on one queue.
     */
    private long cliqueBound() {
        long bound = 0;
        if (resources.length > 1 && !anyOrdered()) {
            for (long bytes : size) {
                bound += bytes;
            }
            return bound;
        }
        for (int node : order) {
            long bytes = 0;
            for (int i = 0; i < resources.length; i++) {
                if (lifetimes.spans(resources[i], node, queue[node])) {
                    bytes += size[i];
                }
            }
            bound = Math.max(bound, bytes);
        }
        return bound;
    }

    private boolean anyOrdered() {
        for (boolean[] row : before) {
            for (boolean ordered : row) {
                if (ordered) {
                    return true;
                }
            }
        }
        return false;
    }

    private static long align(long offset, long alignment) {
        return alignment <= 1 ? offset : (offset + alignment - 1) / alignment * alignment;
    }
}
