package io.frameloom.rdg.compile.graph;

import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.Arrays;

/**
 * Removes passes that no output of the frame depends on.
 *
 * <p>A pass depends on the last writer of every cell whose contents it needs. A write without discard needs them too,
 * so its pass then stands for the contents. Roots are the passes that must not be culled, also those with undeclared
 * accesses, and the last writers of the cells of external and extracted resources. Writers of one overlap group with no
 * reader in between stand for the contents together. What no root reaches backwards is removed. Reading an output keeps
 * nothing alive, and neither does an order that exists only because memory is reused.
 */
public final class Culling {
    /** Nothing is needed of a cell. Other numbers are the group of later writes that share what an earlier one does. */
    private static final int OF_NONE = -1;
    /** The contents of a cell are needed. */
    private static final int OF_ANY = -2;

    private Culling() {}

    /** Returns for each pass whether it is kept; {@code overlap} is whether there are overlap groups. O(touches). */
    public static boolean[] live(
            DeclaredGraph graph, SubresourceMap map, boolean enabled, boolean overlap, Scratch scratch) {
        int passes = graph.passes();
        boolean[] live = new boolean[passes];
        if (!enabled || map.needsAll) {
            Arrays.fill(live, true);
            return live;
        }
        long mark = scratch.mark();
        int cells = map.cells();
        // What later passes or the end of the frame need of each cell.
        int[] needed = scratch.ints(cells);
        for (int cell = 0; cell < cells; cell++) {
            needed[cell] = graph.isOutput(map.cellResource[cell]) ? OF_ANY : OF_NONE;
        }
        for (int p = passes - 1; p >= 0; p--) {
            int begin = map.touchBase[p];
            int end = map.touchBase[p + 1];
            boolean kept = isRoot(graph, p);
            for (int t = begin; t < end && !kept; t++) {
                int need = needed[map.touchCell[t]];
                kept = need != OF_NONE && fills(map.touchTraits[t], need);
            }
            live[p] = kept;
            for (int t = begin; t < end; t++) {
                int cell = map.touchCell[t];
                int traits = map.touchTraits[t];
                if (kept && (traits & SubresourceMap.NEEDS) != 0) {
                    needed[cell] = OF_ANY;
                } else if (kept && (traits & SubresourceMap.WRITES) != 0) {
                    needed[cell] = overlap ? Math.max(SubresourceMap.overlap(traits), OF_NONE) : OF_NONE;
                } else if (needed[cell] >= 0) {
                    // A touch of another kind ends the group.
                    needed[cell] = OF_NONE;
                }
            }
        }
        scratch.release(mark);
        return live;
    }

    /** Returns whether a touch writes what is needed: of any pass or of one overlap group. */
    private static boolean fills(int traits, int need) {
        return (traits & SubresourceMap.WRITES) != 0 && (need == OF_ANY || need == SubresourceMap.overlap(traits));
    }

    static boolean isRoot(DeclaredGraph graph, int pass) {
        return graph.hasFlags(pass)
                && (graph.has(pass, PassFlag.NEVER_CULL)
                        || graph.has(pass, PassFlag.READBACK)
                        || graph.has(pass, PassFlag.UNTRACKED_ACCESS));
    }

    /** Returns why a pass that is not live was removed. */
    public static String reason(DeclaredGraph graph, Names names, SubresourceMap map, int pass) {
        StringBuilder written = new StringBuilder();
        boolean outputs = true;
        int last = -1;
        for (int t = map.touchBase[pass]; t < map.touchBase[pass + 1]; t++) {
            int resource = map.cellResource[map.touchCell[t]];
            if ((map.touchTraits[t] & SubresourceMap.WRITES) != 0 && resource != last) {
                written.append(written.length() == 0 ? "" : ", ").append(names.resource(resource));
                // An output that needs nothing of this pass gets its contents from a later one.
                outputs &= graph.isOutput(resource);
                last = resource;
            }
        }
        if (written.length() == 0) {
            return "it writes nothing; mark it NEVER_CULL if it has an effect";
        }
        return "no output of the frame needs what it writes: " + written
                + (outputs
                        ? ", since a later pass overwrites that; declare this one after it"
                        : "; extract that, or mark the pass NEVER_CULL");
    }
}
