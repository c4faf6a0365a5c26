package io.frameloom.rdg.compile;

import io.frameloom.gpu.Access;
import io.frameloom.rdg.RenderTargets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Render passes as a device runs them that goes on with targets on tiles: one that reads those of the former only where it
 * draws belongs to the same pass of the device. On other devices each render pass is one. Linear in the uses.
 */
final class PhysicalPasses {
    /** Passes of each, in order. */
    final int[][] passes;
    /** Index of each pass in {@link #passes}, or -1. */
    final int[] of;

    private final DeclaredGraph graph;
    private final @Nullable RenderTargets[] targets;

    /**
     * Joins render passes.
     *
     * @param batches nodes of each batch in order
     * @param onTiles whether the device goes on with targets
     */
    PhysicalPasses(
            DeclaredGraph graph,
            RenderPassMerge merge,
            @Nullable RenderTargets[] targets,
            int[][] batches,
            boolean onTiles,
            Scratch scratch) {
        this.graph = graph;
        this.targets = targets;
        of = new int[merge.renderPassOf.length];
        Arrays.fill(of, -1);
        passes = onTiles ? joined(merge.passes, batches, scratch) : merge.passes;
        for (int i = 0; i < passes.length; i++) {
            for (int pass : passes[i]) {
                of[pass] = i;
            }
        }
    }

    private int[][] joined(int[][] renderPasses, int[][] batches, Scratch scratch) {
        long mark = scratch.mark();
        int[] former = scratch.ints(of.length);
        for (int[] nodes : batches) {
            for (int i = 0; i < nodes.length; i++) {
                if (nodes[i] < of.length) {
                    former[nodes[i]] = i == 0 ? -1 : nodes[i - 1];
                }
            }
        }
        int[] writer = scratch.ints(graph.resources().size(), -1);
        IntList members = scratch.list();
        IntList starts = scratch.list();
        for (int[] later : renderPasses) {
            int last = starts.size() - 1;
            boolean joins = last >= 0 && readsOnTile(members.get(members.size() - 1), later, former, writer, last);
            if (!joins) {
                starts.add(members.size());
            }
            for (int pass : later) {
                members.add(pass);
                for (DeclaredGraph.Use use : graph.passes().get(pass).uses()) {
                    if (use.access().writes()) {
                        writer[use.resource()] = starts.size() - 1;
                    }
                }
            }
        }
        int[][] result = new int[starts.size()][];
        for (int i = 0; i < result.length; i++) {
            int end = i + 1 < result.length ? starts.get(i + 1) : members.size();
            result[i] = members.toArray(starts.get(i), end);
        }
        scratch.release(mark);
        return result;
    }

    /**
     * Returns whether render passes go on behind those that end with pass {@code last}, which are number {@code open}.
     *
     * @param former by pass the node before it in its batch, or -1
     * @param writer by resource the number of those that write it last, or -1
     */
    private boolean readsOnTile(int last, int[] later, int[] former, int[] writer, int open) {
        RenderTargets a = targets[last];
        RenderTargets b = targets[later[0]];
        if (a == null || b == null || !a.hasAreaOf(b) || a.layers() != b.layers() || former[later[0]] != last) {
            return false;
        }
        boolean local = false;
        for (int pass : later) {
            for (DeclaredGraph.Use use : graph.passes().get(pass).uses()) {
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
