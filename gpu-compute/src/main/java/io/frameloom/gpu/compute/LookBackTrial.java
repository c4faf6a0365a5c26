package io.frameloom.gpu.compute;

import java.util.HashMap;
import java.util.Map;

/**
 * Faults of a scan with look-back, to check its progress: tiles that publish nothing, as if the device had stopped
 * their workgroups; tiles that are taken in an order in which those before may not have begun; and less patience with
 * late tiles. The virtual GPU, which scans tile after tile, has none of them.
 *
 * @param stuck GLSL that says whether {@code tile} publishes nothing, if it is not the last of its dispatch; empty for
 *     none
 * @param inGroupOrder whether a workgroup takes the tile of its number, also where the device's take the next
 * @param patience looks in vain at a tile before a workgroup that needs it reduces it; at least one, since the
 *     remainders of an earlier dispatch cannot be reduced
 * @param counts whether each tile counts its looks, after its published words; with subgroups alone
 */
record LookBackTrial(String stuck, boolean inGroupOrder, int patience, boolean counts) {
    /** Words that each tile counts in: turns, those in vain, tiles passed, tiles reduced for others. */
    static final int COUNTS = 4;

    private static final int PATIENCE = 16;

    /** No faults: the shipped form. */
    static final LookBackTrial NONE = new LookBackTrial("", false, PATIENCE);

    static final LookBackTrial HALF_STUCK = new LookBackTrial("tile % 2u == 1u", false, PATIENCE);

    /** No faults, but looks are counted. */
    static final LookBackTrial COUNTING = new LookBackTrial("", false, PATIENCE, true);

    LookBackTrial {
        if (patience < 1) {
            throw new IllegalArgumentException("looks in vain before a tile is reduced: " + patience
                    + "; look once at least, or tiles of the dispatch before count as missing");
        }
    }

    LookBackTrial(String stuck, boolean inGroupOrder, int patience) {
        this(stuck, inGroupOrder, patience, false);
    }

    /** Returns how many words each tile has. */
    int wordsOfTile(ScanShape shape) {
        return shape.statusParts() + (counts ? COUNTS : 0);
    }

    Map<String, String> defines(ScanShape shape, boolean tilesByNumber) {
        Map<String, String> defines = new HashMap<>(shape.defines(true, false));
        // The self-test uses operators that do not commute, which stand for all.
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
