package io.frameloom.gpu.compute;

import java.util.Objects;

/**
 * How a prefix scan is done. The results do not depend on it, except for the rounding of floats in other tiles.
 *
 * @param variant how it goes over its input
 * @param subgroups whether subgroups sum up tiles in registers, where a device can do that; otherwise tiles lie in
 *     shared memory
 * @param threads of a workgroup with subgroups, a power of two from 32 to 1,024; 0 for a default of the device
 * @param itemsPerThread elements that each thread of a workgroup with subgroups holds, a power of two from 4 to 64; 0
 *     for a default of the type
 */
public record ScanOptions(ScanVariant variant, boolean subgroups, int threads, int itemsPerThread) {
    /** The default: reduces and then scans, with subgroups where the device can. */
    public static final ScanOptions DEFAULT = of(ScanVariant.REDUCE_THEN_SCAN);

    /** Refuses sizes that are not as described. */
    public ScanOptions {
        Objects.requireNonNull(variant, "variant");
        if (threads != 0 && !isPower(threads, 32, 1024)) {
            throw new IllegalArgumentException(
                    "a workgroup of a scan has a power of two from 32 to 1024 threads, or 0, got " + threads);
        }
        if (itemsPerThread != 0 && !isPower(itemsPerThread, 4, 64)) {
            throw new IllegalArgumentException(
                    "a thread of a scan has a power of two from 4 to 64 elements, or 0, got " + itemsPerThread);
        }
    }

    private static boolean isPower(int number, int least, int most) {
        return number >= least && number <= most && Integer.bitCount(number) == 1;
    }

    /** Returns a variant with subgroups where the device can, in default sizes. */
    public static ScanOptions of(ScanVariant variant) {
        return new ScanOptions(variant, true, 0, 0);
    }

    /** Returns the same without subgroups. */
    public ScanOptions withoutSubgroups() {
        return new ScanOptions(variant, false, threads, itemsPerThread);
    }

    /** Returns the same with workgroups and threads of other sizes. */
    public ScanOptions withTile(int threadsOfGroup, int itemsOfThread) {
        return new ScanOptions(variant, subgroups, threadsOfGroup, itemsOfThread);
    }
}
