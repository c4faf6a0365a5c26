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
    private Culling() {}

    /** Returns for each pass whether it is kept; {@code overlap} is whether there are overlap groups. O(touches). */
    public static boolean[] live(
            DeclaredGraph graph, SubresourceMap map, boolean enabled, boolean overlap, Scratch scratch) {
        int passes = graph.passes();
        boolean[] live = new boolean[passes];
        if (!enabled) {
            Arrays.fill(live, true);
            return live;
        }
        long mark = scratch.mark();
        int touches = map.touchPass.length;
        int cells = map.cells();
        int[] producer = scratch.ints(touches);
        int[] lastWriter = scratch.ints(cells, -1);
        int[] lastGroup = scratch.ints(cells, -1);
        for (int t = 0; t < touches; t++) {
            int cell = map.touchCell[t];
            int traits = map.touchTraits[t];
            int group = overlap && (traits & SubresourceMap.WRITES) != 0 ? SubresourceMap.overlap(traits) : -1;
            boolean sameGroup = group >= 0 && group == lastGroup[cell];
            producer[t] = sameGroup || (traits & SubresourceMap.NEEDS) != 0 ? lastWriter[cell] : -1;
            if ((traits & SubresourceMap.WRITES) != 0) {
                lastWriter[cell] = map.touchPass[t];
            }
            lastGroup[cell] = group;
        }
        for (int p = 0; p < passes; p++) {
            live[p] = graph.hasFlags(p) && isRoot(graph, p);
        }
        for (int cell = 0; cell < cells; cell++) {
            if (lastWriter[cell] >= 0 && graph.isOutput(map.cellResource[cell])) {
                live[lastWriter[cell]] = true;
            }
        }
        for (int p = passes - 1; p >= 0; p--) {
            if (live[p]) {
                for (int t = map.touchBase[p]; t < map.touchBase[p + 1]; t++) {
                    if (producer[t] >= 0) {
                        live[producer[t]] = true;
                    }
                }
            }
        }
        scratch.release(mark);
        return live;
    }

    /** Returns whether a pass is kept whatever depends on it. */
    private static boolean isRoot(DeclaredGraph graph, int pass) {
        return graph.has(pass, PassFlag.NEVER_CULL)
                || graph.has(pass, PassFlag.READBACK)
                || graph.has(pass, PassFlag.UNTRACKED_ACCESS);
    }

    /** Returns why a pass that is not live was removed. */
    public static String reason(Names names, SubresourceMap map, int pass) {
        StringBuilder written = new StringBuilder();
        int last = -1;
        for (int t = map.touchBase[pass]; t < map.touchBase[pass + 1]; t++) {
            int resource = map.cellResource[map.touchCell[t]];
            if ((map.touchTraits[t] & SubresourceMap.WRITES) != 0 && resource != last) {
                written.append(written.length() == 0 ? "" : ", ").append(names.resource(resource));
                last = resource;
            }
        }
        return written.length() == 0
                ? "it writes nothing; mark it NEVER_CULL if it has an effect"
                : "no output of the frame needs what it writes: " + written
                        + "; extract that, or mark the pass NEVER_CULL";
    }
}
