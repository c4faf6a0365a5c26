package io.frameloom.rdg.compile.memory;

import io.frameloom.rdg.compile.graph.Scratch;

/**
 * Bytes that no placement of a heap can go below, found where one placement is highest. They are of resources of which
 * none precedes another, picked greedily among those that the highest one conflicts with: first from the top of the
 * pile down, then the largest first. Frames of two queues mostly have as many bytes there as the placement is high,
 * which proves that no other is lower. Resources go by their places in {@link Conflicts}.
 */
public final class PeakBound {
    private final int count;
    private final long[] size;
    private final Conflicts conflicts;
    private final Scratch scratch;

    /** Bounds of a heap of resources whose sizes are given by their places. */
    public PeakBound(int count, long[] size, Conflicts conflicts, Scratch scratch) {
        this.count = count;
        this.size = size;
        this.conflicts = conflicts;
        this.scratch = scratch;
    }

    /** Returns the place that ends last in a placement, the first of several. */
    int highest(long[] offsets) {
        int top = 0;
        for (int i = 1; i < count; i++) {
            top = offsets[i] + size[i] > offsets[top] + size[top] ? i : top;
        }
        return top;
    }

    /** Returns the bytes found for a placement, by place; looks no further than to {@code enough}. */
    public long find(long[] offsets, long enough) {
        int top = highest(offsets);
        long mark = scratch.mark();
        int[] near = scratch.ints(count);
        int found = conflicts.of(top, near);
        int[] left = scratch.ints(found);
        long[] key = scratch.longs(found);
        for (int k = 0; k < found; k++) {
            left[k] = near[k];
            key[k] = offsets[near[k]] + size[near[k]];
        }
        long bytes = size[top] + pick(left, found, key);
        if (bytes < enough) {
            for (int k = 0; k < found; k++) {
                key[k] = size[near[k]];
            }
            bytes = Math.max(bytes, size[top] + pick(near, found, key));
        }
        scratch.release(mark);
        return bytes;
    }

    /**
     * Picks the candidate of the greatest key, again and again, of those that conflict with all that are picked.
     * Returns the bytes of these. Changes its arguments.
     */
    private long pick(int[] candidates, int candidateCount, long[] key) {
        long bytes = 0;
        int left = candidateCount;
        while (left > 0) {
            int greatest = 0;
            for (int k = 1; k < left; k++) {
                greatest = key[k] > key[greatest] ? k : greatest;
            }
            int picked = candidates[greatest];
            bytes += size[picked];
            candidates[greatest] = candidates[--left];
            key[greatest] = key[left];
            int kept = 0;
            for (int k = 0; k < left; k++) {
                int candidate = candidates[k];
                candidates[kept] = candidate;
                key[kept] = key[k];
                kept -= (int) conflicts.conflict(Math.min(candidate, picked), Math.max(candidate, picked));
            }
            left = kept;
        }
        return bytes;
    }
}
