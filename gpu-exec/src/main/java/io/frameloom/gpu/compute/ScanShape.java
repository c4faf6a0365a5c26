package io.frameloom.gpu.compute;

import java.util.HashMap;
import java.util.Map;

/**
 * How the shaders of a scan are cut: elements of a thread and of a tile, words of elements and of totals. Shared memory
 * stays below the 16 KiB, and workgroups within the 128 invocations, that every device has.
 *
 * @param operator operator
 * @param segmented whether totals carry a flag behind their value
 */
record ScanShape(ScanOperator operator, boolean segmented) {
    static final int THREADS = 128;

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
        return THREADS * itemsPerThread();
    }

    /** Returns the words of an element of a level: the user's, or a total with its flag. */
    int words(boolean leaf) {
        return leaf || !segmented ? words() : words() + 1;
    }

    Map<String, String> defines(boolean leaf, boolean reduce) {
        Map<String, String> defines = new HashMap<>();
        defines.put("SCAN_TYPE", operator.type().glsl());
        defines.put(operator.type().componentDefine(), "");
        defines.put("SCAN_WORDS", Integer.toString(words()));
        defines.put("SCAN_ITEMS", Integer.toString(itemsPerThread()));
        defines.put("SCAN_THREADS", Integer.toString(THREADS));
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
