package io.frameloom.rdg.compile.memory;

import io.frameloom.rdg.compile.graph.Scratch;

/**
 * Bytes that no placement of a heap can go below, found where one placement is highest. They are of resources of which
 * none precedes another, picked greedily among those that the highest one conflicts with: first from the top of the
 * pile down, then the largest first. Frames of two queues mostly have as many bytes there as the placement is high,
 * which proves that no other is lower.
 */
public final class PeakBound {
    private final int[] resources;
    private final int count;
    private final long[] size;
    private final Lifetimes lifetimes;
    private final Scratch scratch;

    /** Bounds of a heap of the first {@code count} resources, whose sizes are given by their positions. */
    public PeakBound(int[] resources, int count, long[] size, Lifetimes lifetimes, Scratch scratch) {
        this.resources = resources;
        this.count = count;
        this.size = size;
        this.lifetimes = lifetimes;
        this.scratch = scratch;
    }

    /** Returns the bytes found for a placement; looks no further than to {@code enough}. */
    public long find(long[] offsets, long enough) {
        int n = count;
        int top = 0;
        for (int i = 1; i < n; i++) {
            top = offsets[i] + size[i] > offsets[top] + size[top] ? i : top;
        }
        long mark = scratch.mark();
        int[] near = scratch.ints(n);
        int found = conflicting(top, near);
        long[] key = scratch.longs(n);
        int[] picked = scratch.ints(n);
        for (int k = 0; k < found; k++) {
            key[near[k]] = -(offsets[near[k]] + size[near[k]]);
        }
        scratch.sort.sort(near, found, key);
        long bytes = size[top] + pick(near, found, picked);
        if (bytes < enough) {
            for (int k = 0; k < found; k++) {
                key[near[k]] = -size[near[k]];
            }
            scratch.sort.sort(near, found, key);
            bytes = Math.max(bytes, size[top] + pick(near, found, picked));
        }
        scratch.release(mark);
        return bytes;
    }

    private int conflicting(int index, int[] near) {
        int found = 0;
        for (int other = 0; other < count; other++) {
            if (other != index && conflict(other, index)) {
                near[found++] = other;
            }
        }
        return found;
    }

    /** Picks from the first on whatever conflicts with all that is picked; returns the bytes. */
    private long pick(int[] candidates, int candidateCount, int[] picked) {
        long bytes = 0;
        int picks = 0;
        for (int k = 0; k < candidateCount; k++) {
            int candidate = candidates[k];
            boolean fits = true;
            for (int p = 0; p < picks && fits; p++) {
                fits = conflict(candidate, picked[p]);
            }
            if (fits) {
                picked[picks++] = candidate;
                bytes += size[candidate];
            }
        }
        return bytes;
    }

    private boolean conflict(int i, int j) {
        return !lifetimes.precedes(resources[i], resources[j]) && !lifetimes.precedes(resources[j], resources[i]);
    }
}
