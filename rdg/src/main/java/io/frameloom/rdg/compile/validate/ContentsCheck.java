package io.frameloom.rdg.compile.validate;

import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.RdgError;
import io.frameloom.rdg.RdgError.Code;
import io.frameloom.rdg.compile.graph.KnownResources;
import io.frameloom.rdg.compile.graph.Scratch;
import io.frameloom.rdg.compile.graph.SubresourceMap;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The part of validation that follows contents: reads of what no pass wrote, and uses that exclude each other. */
final class ContentsCheck {
    private final DeclaredGraph graph;
    private final KnownResources resources;
    private final SubresourceMap map;
    private final BitSet uncertain;
    private final List<RdgError> errors;
    private final Scratch scratch;

    /**
     * Prepares the check.
     *
     * @param uncertain resources of which not all uses are in the graph any more, so what is written of them is unknown
     */
    ContentsCheck(
            DeclaredGraph graph,
            KnownResources resources,
            SubresourceMap map,
            BitSet uncertain,
            List<RdgError> errors,
            Scratch scratch) {
        this.graph = graph;
        this.resources = resources;
        this.map = map;
        this.uncertain = uncertain;
        this.errors = errors;
        this.scratch = scratch;
    }

    void run() {
        long mark = scratch.mark();
        int[] written = scratch.ints(map.cells(), 0);
        for (int r = 0; r < resources.count(); r++) {
            if (resources.lifetime[r] == Lifetime.EXTERNAL || uncertain.get(r)) {
                Arrays.fill(written, map.cellBase[r], map.cellBase[r + 1], 1);
            }
        }
        int passes = map.touchBase.length - 1;
        for (int p = 0; p < passes; p++) {
            int begin = map.touchBase[p];
            int end = map.touchBase[p + 1];
            for (int t = begin; t < end; t++) {
                if ((map.touchTraits[t] & SubresourceMap.WRITES) != 0) {
                    written[map.touchCell[t]] = 1;
                }
            }
            int allWritten = 1;
            for (int t = begin; t < end; t++) {
                allWritten &= written[map.touchCell[t]];
            }
            if (allWritten == 0) {
                unwritten(graph.passes().get(p), written);
            }
        }
        conflicts();
        for (int r = 0; r < resources.count(); r++) {
            if (resources.lifetime[r] == Lifetime.EXTRACTED && !anyWritten(r, written)) {
                DeclaredGraph.Declared resource = graph.resources().get(r);
                errors.add(new RdgError(
                        Code.EXTRACT_UNWRITTEN,
                        "",
                        resource.name(),
                        "'" + resource.name() + "' is extracted, but no pass writes it",
                        "write it or do not extract it",
                        sites(resource.site())));
            }
        }
        scratch.release(mark);
    }

    private void unwritten(DeclaredGraph.Pass pass, int[] written) {
        int[] box = new int[6];
        for (DeclaredGraph.Use use : pass.uses()) {
            if (use.access().writes()) {
                continue;
            }
            DeclaredGraph.Declared resource = graph.resources().get(use.resource());
            map.box(use, box);
            if (!anyWritten(use.resource(), box, written)) {
                errors.add(new RdgError(
                        Code.READ_UNWRITTEN,
                        pass.name(),
                        resource.name(),
                        "pass '" + pass.name() + "' reads '" + resource.name() + "' (" + use.access()
                                + "), but no earlier pass writes it",
                        "declare the pass that writes it before, or register an external",
                        sites(pass.site(), use.site(), resource.site())));
            }
        }
    }

    private void conflicts() {
        for (int i = 0; i < map.conflicts.length; i += 2) {
            DeclaredGraph.Pass pass = graph.passes().get(map.touchPass[map.conflicts[i]]);
            DeclaredGraph.Use use = pass.uses().get(map.conflicts[i + 1]);
            if (i > 1
                    && map.conflicts[i - 1] == map.conflicts[i + 1]
                    && map.touchPass[map.conflicts[i - 2]] == pass.index()) {
                continue;
            }
            errors.add(new RdgError(
                    Code.CONFLICTING_USES,
                    pass.name(),
                    use.resourceName(),
                    "pass '" + pass.name() + "' uses the same range of '" + use.resourceName() + "' as " + use.access()
                            + " in layout " + use.access().layout() + " and in another layout "
                            + SubresourceMap.LAYOUTS[SubresourceMap.layout(map.touchTraits[map.conflicts[i]])],
                    "use accesses of one layout, separate ranges, or two passes",
                    sites(pass.site(), use.site())));
        }
    }

    private boolean anyWritten(int resource, int[] written) {
        for (int cell = map.cellBase[resource]; cell < map.cellBase[resource + 1]; cell++) {
            if (written[cell] != 0) {
                return true;
            }
        }
        return false;
    }

    private boolean anyWritten(int resource, int[] box, int[] written) {
        for (int z = box[4]; z < box[5]; z++) {
            for (int y = box[2]; y < box[3]; y++) {
                for (int x = box[0]; x < box[1]; x++) {
                    if (written[map.cell(resource, x, y, z)] != 0) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private static List<String> sites(@Nullable String... candidates) {
        List<String> sites = new ArrayList<>();
        for (String site : candidates) {
            if (site != null) {
                sites.add(site);
            }
        }
        return sites;
    }
}
