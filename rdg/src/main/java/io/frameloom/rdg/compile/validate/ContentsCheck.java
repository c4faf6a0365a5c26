package io.frameloom.rdg.compile.validate;

import io.frameloom.gpu.command.Access;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.RdgError;
import io.frameloom.rdg.RdgError.Code;
import io.frameloom.rdg.compile.graph.Scratch;
import io.frameloom.rdg.compile.graph.SubresourceMap;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of validation that follows contents: reads of what no pass wrote, and uses that exclude each other.
 *
 * @param uncertain resources of which not all uses are in the graph any more, so what is written of them is unknown
 */
record ContentsCheck(
        DeclaredGraph graph, SubresourceMap map, BitSet uncertain, List<RdgError> errors, Scratch scratch) {
    void run() {
        long mark = scratch.mark();
        int[] written = scratch.ints(map.cells(), 0);
        for (int r = 0; r < graph.resources(); r++) {
            if (graph.lifetime(r) == Lifetime.EXTERNAL || uncertain.get(r)) {
                Arrays.fill(written, map.cellBase[r], map.cellBase[r + 1], 1);
            }
        }
        int passes = graph.passes();
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
                unwritten(p, written);
            }
        }
        conflicts();
        for (int r = 0; r < graph.resources(); r++) {
            if (graph.lifetime(r) == Lifetime.EXTRACTED && !anyWritten(r, written)) {
                String name = graph.names().resource(r);
                errors.add(new RdgError(
                        Code.EXTRACT_UNWRITTEN,
                        "",
                        name,
                        "'" + name + "' is extracted, but no pass writes it",
                        "write it or do not extract it",
                        sites(graph.resourceSite(r))));
            }
        }
        scratch.release(mark);
    }

    private void unwritten(int pass, int[] written) {
        int[] box = new int[6];
        String name = graph.names().pass(pass);
        for (int use = graph.firstUse(pass), end = graph.firstUse(pass + 1); use < end; use++) {
            if (graph.access(use).writes()) {
                continue;
            }
            int resource = graph.resource(use);
            map.box(use, box);
            if (!anyWritten(resource, box, written)) {
                errors.add(new RdgError(
                        Code.READ_UNWRITTEN,
                        name,
                        graph.names().resource(resource),
                        "pass '" + name + "' reads '" + graph.names().resource(resource) + "' (" + graph.access(use)
                                + "), but no earlier pass writes it",
                        "declare the pass that writes it before, or register an external",
                        sites(graph.site(pass), graph.useSite(use), graph.resourceSite(resource))));
            }
        }
    }

    private void conflicts() {
        for (int i = 0; i < map.conflicts.length; i += 2) {
            int pass = map.touchPass[map.conflicts[i]];
            int use = map.conflicts[i + 1];
            Access access = graph.access(use);
            String name = graph.names().pass(pass);
            if (i > 1 && map.conflicts[i - 1] == map.conflicts[i + 1] && map.touchPass[map.conflicts[i - 2]] == pass) {
                continue;
            }
            errors.add(new RdgError(
                    Code.CONFLICTING_USES,
                    name,
                    graph.resourceName(use),
                    "pass '" + name + "' uses the same range of '" + graph.resourceName(use) + "' as " + access
                            + " in layout " + access.layout() + " and in another layout "
                            + SubresourceMap.LAYOUTS[SubresourceMap.layout(map.touchTraits[map.conflicts[i]])],
                    "use accesses of one layout, separate ranges, or two passes",
                    sites(graph.site(pass), graph.useSite(use))));
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

    static List<String> sites(@Nullable String... candidates) {
        List<String> sites = new ArrayList<>();
        for (String site : candidates) {
            if (site != null) {
                sites.add(site);
            }
        }
        return sites;
    }
}
