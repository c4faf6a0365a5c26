package io.frameloom.gpu.compute;

import java.util.Arrays;

/**
 * The levels of a scan: level 0 is the user's elements; each further one holds the totals of the tiles of the one
 * before, in scratch memory, until one tile is enough.
 *
 * @param counts elements by level
 * @param offsets first byte in the scratch memory by level; 0 for level 0
 * @param scratchBytes size of the scratch memory
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ScanLevels(long[] counts, long[] offsets, long scratchBytes) {
    /** Enough for any length that a scan takes, less than 2^58 elements: tiles have at least 128. */
    private static final int MOST = 9;

    static ScanLevels of(long length, int tile, int totalBytes, StorageLimits limits) {
        long[] counts = new long[MOST];
        long[] offsets = new long[MOST];
        counts[0] = length;
        int levels = 1;
        long bytes = 0;
        while (counts[levels - 1] > tile) {
            counts[levels] = (counts[levels - 1] + tile - 1) / tile;
            offsets[levels] = bytes;
            bytes = limits.aligned(bytes + counts[levels] * totalBytes);
            levels++;
        }
        return new ScanLevels(
                Arrays.copyOf(counts, levels),
                Arrays.copyOf(offsets, levels),
                Math.max(bytes, limits.aligned(totalBytes)));
    }

    int top() {
        return counts.length - 1;
    }
}
