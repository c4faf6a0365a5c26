package io.frameloom.gpu.compute;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * What a scan with look-back is made to suffer, to see that it gets on: tiles that publish nothing, as if the device did
 * not let their workgroups get on, tiles that are taken in an order in which those before may not have begun, and less
 * patience with tiles that are late.
 *
 * @param stuck GLSL that says whether {@code tile} publishes nothing, if it is not the last of its dispatch; empty for none
 * @param isStuck the same for the virtual GPU
 * @param inGroupOrder whether a workgroup takes the tile of its number, also where the device's take the next
 * @param patience looks in vain at a tile before it is reduced by whoever needs it; at least one, since nobody can reduce
 *     what an earlier dispatch has left
 * @param counts whether each tile counts its looks, behind what it publishes; with subgroups alone
 */
record LookBackTrial(String stuck, IntPredicate isStuck, boolean inGroupOrder, int patience, boolean counts) {
    /** Words that each tile counts in: turns, those in vain, tiles passed, tiles reduced for others. */
    static final int COUNTS = 4;

    private static final int PATIENCE = 16;

    /** Nothing: what is shipped. */
    static final LookBackTrial NONE = new LookBackTrial("", tile -> false, false, PATIENCE);

    static final LookBackTrial HALF_STUCK =
            new LookBackTrial("tile % 2u == 1u", tile -> tile % 2 == 1, false, PATIENCE);

    /** Nothing, but looks are counted. */
    static final LookBackTrial COUNTING = new LookBackTrial("", tile -> false, false, PATIENCE, true);

    LookBackTrial {
        if (patience < 1) {
            throw new IllegalArgumentException("looks in vain before a tile is reduced: " + patience
                    + "; look once at least, or tiles of the dispatch before count as missing");
        }
    }

    LookBackTrial(String stuck, IntPredicate isStuck, boolean inGroupOrder, int patience) {
        this(stuck, isStuck, inGroupOrder, patience, false);
    }

    /** Returns how many words each tile has. */
    int wordsOfTile(ScanShape shape) {
        return shape.statusParts() + (counts ? COUNTS : 0);
    }

    Map<String, String> defines(ScanShape shape, boolean tilesByNumber) {
        Map<String, String> defines = new HashMap<>(shape.defines(true, false));
        // What the self-test tries with operators that do not commute is what is shipped for all.
        defines.remove("SCAN_COMMUTES");
        defines.put("SCAN_PATIENCE", patience + "u");
        if (!stuck.isEmpty()) {
            defines.put("SCAN_STUCK", stuck);
        }
        if (inGroupOrder || tilesByNumber) {
            defines.put("SCAN_IN_GROUP_ORDER", "");
        }
        if (counts) {
            defines.put("SCAN_COUNTS", COUNTS + "u");
        }
        return defines;
    }
}
