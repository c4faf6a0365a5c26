package io.frameloom.gpu.compute;

import io.frameloom.gpu.DeviceLimits;
import java.util.HashMap;
import java.util.Map;

/**
 * How the shaders of a scan are cut: elements of a thread and of a tile, words of elements and of totals.
 *
 * @param operator operator
 * @param segmented whether totals carry a flag behind their value
 * @param threads of a workgroup
 */
record ScanShape(ScanOperator operator, boolean segmented, int threads) {
    private static final int FEW = 128;
    private static final int MANY = 256;
    private static final int BYTES_FOR_MANY = 1 << 15;

    /** Shared memory stays below the 16 KiB, and workgroups within the 128 invocations, that every device has. */
    static ScanShape portable(ScanOperator operator, boolean segmented) {
        return new ScanShape(operator, segmented, FEW);
    }

    /** Larger tiles, where a device has the room: fewer of them to look back over. */
    static ScanShape lookBack(ScanOperator operator, boolean segmented, DeviceLimits.Compute limits) {
        boolean room = limits.maxSharedBytes() >= BYTES_FOR_MANY
                && Math.min(limits.maxInvocations(), limits.maxGroupSize().x()) >= MANY;
        return new ScanShape(operator, segmented, room ? MANY : FEW);
    }

    int words() {
        return operator.type().words();
    }

    int itemsPerThread() {
        return switch (words()) {
            case 1 -> segmented ? 8 : 16;
            case 2 -> segmented ? 4 : 8;
            default -> 4;
        };
    }

    int tile() {
        return threads * itemsPerThread();
    }

    /** Returns the words of an element of a level: the user's, or a total with its flag. */
    int words(boolean leaf) {
        return leaf || !segmented ? words() : words() + 1;
    }

    /** Returns how many words tell what a tile has published: two for each of its sum's, one for the flag. */
    int statusParts() {
        return 2 * words() + (segmented ? 1 : 0);
    }

    /** Returns the files that the shaders include. */
    Map<String, String> includes() {
        return Map.of("operator.glsl", operator.glsl(), "scan_tile.glsl", ComputeShaders.text("scan_tile.glsl"));
    }

    Map<String, String> defines(boolean leaf, boolean reduce) {
        Map<String, String> defines = new HashMap<>();
        defines.put("SCAN_TYPE", operator.type().glsl());
        defines.put(operator.type().componentDefine(), "");
        defines.put("SCAN_WORDS", Integer.toString(words()));
        defines.put("SCAN_ITEMS", Integer.toString(itemsPerThread()));
        defines.put("SCAN_THREADS", Integer.toString(threads));
        int[] identity = operator.identity();
        for (int w = 0; w < 4; w++) {
            int word = w < identity.length ? identity[w] : 0;
            defines.put("SCAN_IDENTITY_" + w, Integer.toUnsignedString(word) + "u");
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
