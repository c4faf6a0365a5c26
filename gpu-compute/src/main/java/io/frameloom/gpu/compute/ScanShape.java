package io.frameloom.gpu.compute;

import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.DeviceLimits.SubgroupOperation;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The sizes in the shaders of a scan: elements of a thread and of a tile, words of elements and of totals.
 *
 * @param segmented whether totals carry a flag after their value
 * @param threads of a workgroup
 * @param lanes invocations of a subgroup, {@link #ANY} if known only at run time, 0 for tiles in shared memory
 */
record ScanShape(ScanOperator operator, boolean segmented, int threads, int itemsPerThread, int lanes) {
    /** Subgroups whose size is known only at run time. */
    static final int ANY = -1;

    private static final int FEW = 128;
    private static final int MANY = 256;
    private static final int BYTES_FOR_MANY = 1 << 15;
    private static final int SMALLEST_SUBGROUP = 4;
    private static final int LARGEST_SUBGROUP = 128;
    /** The subgroup operations of the shaders of this package, which count on all invocations. */
    static final Set<SubgroupOperation> NEEDED = Set.of(
            SubgroupOperation.BASIC,
            SubgroupOperation.BALLOT,
            SubgroupOperation.SHUFFLE,
            SubgroupOperation.SHUFFLE_RELATIVE);

    /** Returns the shape of the portable form for a device. */
    static ScanShape reduceThenScan(
            ScanOperator operator, boolean segmented, ScanOptions options, DeviceLimits.Compute limits) {
        return withSubgroups(operator, segmented, options, limits, MANY, 1).orElse(inShared(operator, segmented, FEW));
    }

    /** Returns the shape of a scan with look-back for a device: larger tiles, so fewer to look back over. */
    static ScanShape lookBack(
            ScanOperator operator, boolean segmented, ScanOptions options, DeviceLimits.Compute limits) {
        int most = mostThreads(limits);
        boolean room = limits.maxSharedBytes() >= BYTES_FOR_MANY && most >= MANY;
        // With flags beside them, twice the elements take more registers than several workgroups of a processor have.
        return withSubgroups(operator, segmented, options, limits, MANY, segmented ? 1 : 2)
                .orElse(inShared(operator, segmented, room ? MANY : FEW));
    }

    /** Shared memory of few threads stays below the 16 KiB, and these within the 128, that every device has. */
    private static ScanShape inShared(ScanOperator operator, boolean segmented, int threads) {
        int items = switch (operator.type().words()) {
            case 1 -> segmented ? 8 : 16;
            case 2 -> segmented ? 4 : 8;
            default -> 4;
        };
        return new ScanShape(operator, segmented, threads, items, 0);
    }

    private static int mostThreads(DeviceLimits.Compute limits) {
        return Math.min(limits.maxInvocations(), limits.maxGroupSize().x());
    }

    private static Optional<ScanShape> withSubgroups(
            ScanOperator operator,
            boolean segmented,
            ScanOptions options,
            DeviceLimits.Compute limits,
            int usual,
            int times) {
        int threads = options.threads() == 0 ? usual : options.threads();
        int smallest = limits.minSubgroupSize();
        int largest = limits.maxSubgroupSize();
        // Workgroups of whole subgroups, whatever size of them a device takes.
        boolean whole = smallest >= SMALLEST_SUBGROUP && largest <= LARGEST_SUBGROUP && threads % largest == 0;
        if (!options.subgroups() || !whole || threads > mostThreads(limits) || !canCountLanes(limits)) {
            return Optional.empty();
        }
        int items = options.itemsPerThread();
        if (items == 0) {
            items = times * Math.max(4, 16 / operator.type().words());
        }
        return Optional.of(new ScanShape(operator, segmented, threads, items, smallest == largest ? smallest : ANY));
    }

    /** Returns whether the shaders of this package can exchange values in the subgroups of a device. */
    static boolean canCountLanes(DeviceLimits.Compute limits) {
        return limits.fullSubgroups() && limits.subgroupOperations().containsAll(NEEDED);
    }

    int words() {
        return operator.type().words();
    }

    int tile() {
        return threads * itemsPerThread;
    }

    /** Returns the words of an element of a level: the user's, or a total with its flag. */
    int words(boolean leaf) {
        return leaf || !segmented ? words() : words() + 1;
    }

    /** Returns the number of published words of a tile: two for each of its sum's, one for the flag. */
    int statusParts() {
        return 2 * words() + (segmented ? 1 : 0);
    }

    /** Returns the files that the shaders include. */
    Map<String, String> includes() {
        Map<String, String> files = Stream.of(
                        "scan_items.glsl",
                        "scan_tile.glsl",
                        "scan_registers.glsl",
                        "scan_look_threads.glsl",
                        "scan_look_lanes.glsl")
                .collect(Collectors.toMap(file -> file, ComputeShaders::text));
        files.put("operator.glsl", operator.glsl());
        return files;
    }

    Map<String, String> defines(boolean leaf, boolean reduce) {
        Map<String, String> defines = new HashMap<>();
        defines.put("SCAN_TYPE", operator.type().glsl());
        defines.put(operator.type().componentDefine(), "");
        defines.put("SCAN_WORDS", Integer.toString(words()));
        defines.put("SCAN_ITEMS", Integer.toString(itemsPerThread));
        defines.put("SCAN_THREADS", Integer.toString(threads));
        int[] identity = operator.identity();
        for (int w = 0; w < 4; w++) {
            int word = w < identity.length ? identity[w] : 0;
            defines.put("SCAN_IDENTITY_" + w, Integer.toUnsignedString(word) + "u");
        }
        if (lanes != 0) {
            defines.put("SCAN_SUBGROUPS", "");
        }
        if (lanes > 0) {
            defines.put("SCAN_LANES", lanes + "u");
        }
        if (operator.commutes() && !segmented) {
            defines.put("SCAN_COMMUTES", "");
        }
        if (segmented) {
            defines.put("SCAN_SEGMENTED", "");
            if (leaf) {
                defines.put("SCAN_HEADS", "");
            }
        }
        if (reduce) {
            defines.put("SCAN_REDUCE", "");
        }
        return defines;
    }
}
