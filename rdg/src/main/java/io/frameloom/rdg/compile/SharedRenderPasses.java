package io.frameloom.rdg.compile;

import io.frameloom.gpu.SubresourceRange;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import io.frameloom.rdg.RenderTargets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What sharing a render pass does to its passes: all barriers before them come before the first and all behind them
 * behind the last, barriers between them on the targets themselves vanish, and the targets are loaded once and stored
 * once.
 */
final class SharedRenderPasses {
    private static final int[] NONE = {};

    private final RenderPassMerge merge;
    private final Barriers barriers;
    private final @Nullable RenderTargets[] targets;

    SharedRenderPasses(RenderPassMerge merge, Barriers barriers, @Nullable RenderTargets[] targets) {
        this.merge = merge;
        this.barriers = barriers;
        this.targets = targets;
    }

    List<PlanBarrier> before(int node, PlanItems items) {
        int[] members = members(node);
        if (members.length < 2) {
            return barriers.before(node, items);
        }
        if (members[0] != node) {
            return List.of();
        }
        List<PlanBarrier> all = new ArrayList<>(barriers.before(node, items));
        for (int i = 1; i < members.length; i++) {
            for (PlanBarrier barrier : barriers.before(members[i], items)) {
                if (!onTarget(barrier, targets[members[i]])) {
                    all.add(barrier);
                }
            }
        }
        return all;
    }

    List<PlanBarrier> after(int node, PlanItems items) {
        int[] members = members(node);
        if (members.length < 2) {
            return barriers.after(node, items);
        }
        if (members[members.length - 1] != node) {
            return List.of();
        }
        List<PlanBarrier> all = new ArrayList<>();
        for (int member : members) {
            all.addAll(barriers.after(member, items));
        }
        return all;
    }

    /** Returns the targets of a pass: with the load of its render pass's first and the store of its last. */
    @Nullable
    RenderTargets targets(int pass) {
        int[] members = members(pass);
        RenderTargets first = targets[members.length == 0 ? pass : members[0]];
        RenderTargets last = targets[members.length == 0 ? pass : members[members.length - 1]];
        if (members.length < 2 || first == null || last == null) {
            return targets[pass];
        }
        List<RenderTargets.Color> colors = new ArrayList<>(first.colors().size());
        for (int i = 0; i < first.colors().size(); i++) {
            RenderTargets.Color color = first.colors().get(i);
            RenderTargets.Color end = last.colors().get(i);
            colors.add(new RenderTargets.Color(
                    color.resource(),
                    color.range(),
                    color.slices(),
                    color.load(),
                    end.store(),
                    color.clear(),
                    end.resolve()));
        }
        return new RenderTargets(
                first.x(),
                first.y(),
                first.width(),
                first.height(),
                first.layers(),
                colors,
                depth(first.depth(), last.depth()),
                stencil(first.stencil(), last.stencil()));
    }

    private static RenderTargets.@Nullable Depth depth(
            RenderTargets.@Nullable Depth first, RenderTargets.@Nullable Depth last) {
        return first == null || last == null
                ? null
                : new RenderTargets.Depth(
                        first.resource(),
                        first.range(),
                        first.load(),
                        last.store(),
                        first.clear(),
                        first.readOnly(),
                        null);
    }

    private static RenderTargets.@Nullable Stencil stencil(
            RenderTargets.@Nullable Stencil first, RenderTargets.@Nullable Stencil last) {
        return first == null || last == null
                ? null
                : new RenderTargets.Stencil(
                        first.resource(),
                        first.range(),
                        first.load(),
                        last.store(),
                        first.clear(),
                        first.readOnly(),
                        null);
    }

    private int[] members(int node) {
        int shared = node < merge.renderPassOf.length ? merge.renderPassOf[node] : -1;
        return shared < 0 ? NONE : merge.passes[shared];
    }

    private static boolean onTarget(PlanBarrier barrier, @Nullable RenderTargets targets) {
        SubresourceRange range = barrier.range();
        if (targets == null || range == null) {
            return false;
        }
        for (RenderTargets.Color color : targets.colors()) {
            if (color.resource() == barrier.resource() && color.range().contains(range)) {
                return true;
            }
        }
        RenderTargets.Depth depth = targets.depth();
        RenderTargets.Stencil stencil = targets.stencil();
        int resource = barrier.resource();
        return isOn(resource, range, depth, stencil);
    }

    /** A barrier of both planes is one of targets only if both are. */
    private static boolean isOn(
            int resource,
            SubresourceRange range,
            RenderTargets.@Nullable Depth depth,
            RenderTargets.@Nullable Stencil stencil) {
        if (range.planeCount() == 1) {
            return isOnDepth(resource, range, depth) || isOnStencil(resource, range, stencil);
        }
        return isOnDepth(resource, range.plane(0), depth) && isOnStencil(resource, range.plane(1), stencil);
    }

    private static boolean isOnDepth(int resource, SubresourceRange range, RenderTargets.@Nullable Depth depth) {
        return depth != null && depth.resource() == resource && depth.range().contains(range);
    }

    private static boolean isOnStencil(int resource, SubresourceRange range, RenderTargets.@Nullable Stencil stencil) {
        return stencil != null
                && stencil.resource() == resource
                && stencil.range().contains(range);
    }
}
