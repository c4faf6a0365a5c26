package io.frameloom.gpu.compute;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * What a scan with look-back is made to suffer, to see that it gets on: tiles that publish nothing, as if the device did
 * not let their workgroups get on, tiles that are taken in an order in which those before may not have begun, and less
 * patience with tiles that are late.
 *
 * @param stuck GLSL that says whether {@code tile} publishes nothing; empty for none
 * @param isStuck the same for the virtual GPU
 * @param inGroupOrder whether a workgroup takes the tile of its number, instead of the next
 * @param patience looks in vain at a tile before it is reduced by whoever needs it
 */
record LookBackTrial(String stuck, IntPredicate isStuck, boolean inGroupOrder, int patience) {
    private static final int PATIENCE = 16;

    /** Nothing: what is shipped. */
    static final LookBackTrial NONE = new LookBackTrial("", tile -> false, false, PATIENCE);

    static final LookBackTrial HALF_STUCK =
            new LookBackTrial("tile % 2u == 1u", tile -> tile % 2 == 1, false, PATIENCE);

    Map<String, String> defines(ScanShape shape) {
        Map<String, String> defines = new HashMap<>(shape.defines(true, false));
        defines.put("SCAN_PATIENCE", patience + "u");
        if (!stuck.isEmpty()) {
            defines.put("SCAN_STUCK", stuck);
        }
        if (inGroupOrder) {
            defines.put("SCAN_IN_GROUP_ORDER", "");
        }
        return defines;
    }
}
