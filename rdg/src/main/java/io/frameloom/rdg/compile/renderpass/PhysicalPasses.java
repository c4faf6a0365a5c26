package io.frameloom.rdg.compile.renderpass;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.rdg.RenderTargets;
import io.frameloom.rdg.compile.graph.IntList;
import io.frameloom.rdg.compile.graph.Scratch;
import io.frameloom.rdg.compile.order.Batching;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.Arrays;
import java.util.Objects;

/**
 * Render passes as a device runs them that keeps targets on tiles. One that reads the targets of the former only where
 * it draws, or draws on to some of them, belongs to the same pass of the device. If it clears or discards one of them,
 * or would need a barrier for anything else, it does not. On other devices each render pass is one. Linear in the uses.
 */
public final class PhysicalPasses {
    /** Passes of all of them, in order. */
    final int[] members;
    /** Where the passes of each begin, and the number of passes at the end. */
    public final int[] start;
    /** Index of that of each pass, or -1. */
    final int[] of;

    private final DeclaredGraph graph;
    private final TargetInference targets;

    /**
     * Joins render passes.
     *
     * @param onTiles whether the device goes on with targets
     */
    public PhysicalPasses(
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
        of = onTiles ? new int[graph.passes()] : merge.renderPassOf;
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
        int passes = graph.passes();
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
        Shared shared = new Shared(graph, scratch);
        IntList starts = scratch.list();
        for (int g = 0; g < merge.count(); g++) {
            int begin = merge.start[g];
            int end = merge.start[g + 1];
            int last = starts.size() - 1;
            if (last < 0 || !goesOn(begin, end, former, shared, last)) {
                starts.add(begin);
            }
            for (int at = begin; at < end; at++) {
                shared.add(members[at], starts.size() - 1);
            }
        }
        starts.add(members.length);
        int[] result = starts.toArray();
        scratch.release(mark);
        return result;
    }

    /** What those before have done with each resource: the number of the last that did it, or -1. */
    private static final class Shared {
        final DeclaredGraph graph;
        final int[] written;
        final int[] usedElsewhere;
        final int[] attached;
        final int[] attachedBy;

        Shared(DeclaredGraph graph, Scratch scratch) {
            this.graph = graph;
            int resources = graph.resources();
            written = scratch.ints(resources, -1);
            usedElsewhere = scratch.ints(resources, -1);
            attachedBy = scratch.ints(resources, -1);
            attached = scratch.ints(resources, -1);
        }

        void add(int pass, int physical) {
            for (int use = graph.firstUse(pass), end = graph.firstUse(pass + 1); use < end; use++) {
                int r = graph.resource(use);
                if (graph.access(use).writes()) {
                    written[r] = physical;
                }
                if (graph.isAttachment(use)) {
                    attached[r] = use;
                    attachedBy[r] = physical;
                } else if (graph.access(use) != Access.INPUT_ATTACHMENT) {
                    usedElsewhere[r] = physical;
                }
            }
        }
    }

    /**
     * Returns whether the members from {@code begin} to {@code end} go on after those before them, which are number
     * {@code open}.
     *
     * @param former by pass the node before it in its batch, or -1
     */
    private boolean goesOn(int begin, int end, int[] former, Shared shared, int open) {
        int last = members[begin - 1];
        RenderTargets a = targets.of(last);
        RenderTargets b = targets.of(members[begin]);
        if (a == null
                || b == null
                || !a.hasAreaOf(b)
                || a.layers() != b.layers()
                || former[members[begin]] != last
                || RenderPassMerge.staysAlone(graph, last) != null) {
            return false;
        }
        boolean local = false;
        for (int at = begin; at < end; at++) {
            int pass = members[at];
            if (RenderPassMerge.staysAlone(graph, pass) != null || beginsAnew(pass, shared, open)) {
                return false;
            }
            for (int use = graph.firstUse(pass), all = graph.firstUse(pass + 1); use < all; use++) {
                int r = graph.resource(use);
                boolean reads = graph.access(use) == Access.INPUT_ATTACHMENT;
                boolean attached = graph.isAttachment(use);
                if ((shared.written[r] == open && !reads && !attached)
                        || (shared.usedElsewhere[r] == open && graph.access(use).writes())) {
                    return false;
                }
                local |= (reads && shared.written[r] == open) || (attached && keeps(use, shared, open));
            }
        }
        return local;
    }

    private boolean beginsAnew(int pass, Shared shared, int open) {
        for (int a = graph.firstAttachment(pass), end = graph.firstAttachment(pass + 1); a < end; a++) {
            int target = graph.resource(graph.useOf(pass, graph.attachment(a)));
            if (graph.load(pass, graph.attachment(a)) != LoadOp.LOAD && shared.attachedBy[target] == open) {
                return true;
            }
        }
        return false;
    }

    private boolean keeps(int use, Shared shared, int open) {
        int former = shared.attached[graph.resource(use)];
        return former >= 0
                && shared.attachedBy[graph.resource(use)] == open
                && Objects.equals(graph.range(former), graph.range(use));
    }
}
