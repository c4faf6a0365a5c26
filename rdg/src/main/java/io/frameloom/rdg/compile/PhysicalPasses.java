package io.frameloom.rdg.compile;

import io.frameloom.gpu.Access;
import io.frameloom.rdg.RenderTargets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Render passes as a device runs them that goes on with targets on tiles: one that reads those of the former only where it
 * draws belongs to the same pass of the device. On other devices each render pass is one.
 */
final class PhysicalPasses {
    /** Passes of each, in order. */
    final int[][] passes;
    /** Index of each pass in {@link #passes}, or -1. */
    final int[] of;

    private final DeclaredGraph graph;
    private final @Nullable RenderTargets[] targets;
    private final int[][] batches;
    private final int[] batchOf;

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
            int[] batchOf,
            boolean onTiles) {
        this.graph = graph;
        this.targets = targets;
        this.batches = batches;
        this.batchOf = batchOf;
        of = new int[merge.renderPassOf.length];
        Arrays.fill(of, -1);
        int[][] joined = new int[merge.passes.length][];
        int count = 0;
        for (int[] members : merge.passes) {
            int[] last = count == 0 ? null : joined[count - 1];
            if (onTiles && last != null && readsOnTile(last, members)) {
                int[] longer = Arrays.copyOf(last, last.length + members.length);
                System.arraycopy(members, 0, longer, last.length, members.length);
                joined[count - 1] = longer;
            } else {
                joined[count++] = members;
            }
            for (int pass : members) {
                of[pass] = count - 1;
            }
        }
        passes = Arrays.copyOf(joined, count);
    }

    private boolean readsOnTile(int[] earlier, int[] later) {
        int last = earlier[earlier.length - 1];
        RenderTargets a = targets[last];
        RenderTargets b = targets[later[0]];
        if (a == null || b == null || !a.hasAreaOf(b) || a.layers() != b.layers() || !adjacent(last, later[0])) {
            return false;
        }
        boolean local = false;
        for (int pass : later) {
            for (DeclaredGraph.Use use : graph.passes().get(pass).uses()) {
                if (writes(earlier, use.resource())) {
                    if (use.access() != Access.INPUT_ATTACHMENT && !use.attachment()) {
                        return false;
                    }
                    local |= use.access() == Access.INPUT_ATTACHMENT;
                }
            }
        }
        return local;
    }

    private boolean adjacent(int earlier, int later) {
        if (batchOf[earlier] != batchOf[later]) {
            return false;
        }
        int[] nodes = batches[batchOf[earlier]];
        for (int i = 1; i < nodes.length; i++) {
            if (nodes[i] == later) {
                return nodes[i - 1] == earlier;
            }
        }
        return false;
    }

    private boolean writes(int[] passes, int resource) {
        for (int pass : passes) {
            for (DeclaredGraph.Use use : graph.passes().get(pass).uses()) {
                if (use.resource() == resource && use.access().writes()) {
                    return true;
                }
            }
        }
        return false;
    }
}
