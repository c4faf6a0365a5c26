package io.frameloom.rdg.compile;

import io.frameloom.gpu.Access;
import io.frameloom.rdg.RenderTargets;
import java.util.Arrays;

/**
 * Render passes as a device runs them that goes on with targets on tiles: one that reads those of the former only where it
 * draws belongs to the same pass of the device. On other devices each render pass is one. Linear in the uses.
 */
final class PhysicalPasses {
    /** Passes of all of them, in order. */
    final int[] members;
    /** Where the passes of each begin, and the number of passes at the end. */
    final int[] start;
    /** Index of that of each pass, or -1. */
    final int[] of;

    private final DeclaredGraph graph;
    private final TargetInference targets;

    /**
     * Joins render passes.
     *
     * @param onTiles whether the device goes on with targets
     */
    PhysicalPasses(
            DeclaredGraph graph,
            RenderPassMerge merge,
            TargetInference targets,
            Batching batching,
            boolean onTiles,
            Scratch scratch) {
        this.graph = graph;
        this.targets = targets;
        // Render passes are joined with those before them, so their passes stay in order.
        members = merge.members;
        start = onTiles ? joined(merge, batching, scratch) : merge.start;
        of = onTiles ? new int[merge.renderPassOf.length] : merge.renderPassOf;
        if (onTiles) {
            Arrays.fill(of, -1);
            for (int i = 0; i + 1 < start.length; i++) {
                for (int at = start[i]; at < start[i + 1]; at++) {
                    of[members[at]] = i;
                }
            }
        }
    }

    /** Returns where each begins. */
    private int[] joined(RenderPassMerge merge, Batching batching, Scratch scratch) {
        int passes = merge.renderPassOf.length;
        long mark = scratch.mark();
        int[] former = scratch.ints(passes);
        for (int b = 0; b < batching.count(); b++) {
            for (int i = batching.start[b]; i < batching.start[b + 1]; i++) {
                int node = batching.nodes[i];
                if (node < passes) {
                    former[node] = i == batching.start[b] ? -1 : batching.nodes[i - 1];
                }
            }
        }
        int[] writer = scratch.ints(graph.resources().size(), -1);
        IntList starts = scratch.list();
        for (int g = 0; g < merge.count(); g++) {
            int begin = merge.start[g];
            int end = merge.start[g + 1];
            int last = starts.size() - 1;
            if (last < 0 || !readsOnTile(begin, end, former, writer, last)) {
                starts.add(begin);
            }
            for (int at = begin; at < end; at++) {
                for (DeclaredGraph.Use use : graph.passes().get(members[at]).uses()) {
                    if (use.access().writes()) {
                        writer[use.resource()] = starts.size() - 1;
                    }
                }
            }
        }
        starts.add(members.length);
        int[] result = starts.toArray();
        scratch.release(mark);
        return result;
    }

    /**
     * Returns whether the members from {@code begin} to {@code end} go on behind those before them, which are number
     * {@code open}.
     *
     * @param former by pass the node before it in its batch, or -1
     * @param writer by resource the number of those that write it last, or -1
     */
    private boolean readsOnTile(int begin, int end, int[] former, int[] writer, int open) {
        int last = members[begin - 1];
        RenderTargets a = targets.of(last);
        RenderTargets b = targets.of(members[begin]);
        if (a == null || b == null || !a.hasAreaOf(b) || a.layers() != b.layers() || former[members[begin]] != last) {
            return false;
        }
        boolean local = false;
        for (int at = begin; at < end; at++) {
            for (DeclaredGraph.Use use : graph.passes().get(members[at]).uses()) {
                if (writer[use.resource()] == open) {
                    if (use.access() != Access.INPUT_ATTACHMENT && !use.attachment()) {
                        return false;
                    }
                    local |= use.access() == Access.INPUT_ATTACHMENT;
                }
            }
        }
        return local;
    }
}
