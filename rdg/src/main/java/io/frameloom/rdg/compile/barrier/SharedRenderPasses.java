package io.frameloom.rdg.compile.barrier;

import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.rdg.RenderTargets;
import io.frameloom.rdg.compile.graph.IntList;
import io.frameloom.rdg.compile.renderpass.RenderPassMerge;
import io.frameloom.rdg.compile.renderpass.TargetInference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What sharing a render pass does to its passes. All barriers before them come before the first, all after them after
 * the last. Barriers between them on the targets vanish, but for those before reads of targets: these come both inside
 * and after the last, since stores come last. The targets are loaded once and stored once.
 */
public record SharedRenderPasses(RenderPassMerge merge, Barriers barriers, TargetInference targets) {
    public int[] before(int pass) {
        if (!isShared(pass)) {
            return barriers.before(pass);
        }
        IntList all = new IntList(0);
        if (merge.firstMember(pass) != pass) {
            addLocal(pass, all);
            return all.toArray();
        }
        addAll(barriers.before(pass), all);
        int shared = merge.renderPassOf[pass];
        for (int at = merge.start[shared] + 1; at < merge.start[shared + 1]; at++) {
            int member = merge.members[at];
            RenderTargets own = targets.of(member);
            for (int box : barriers.before(member)) {
                if (!onTarget(box, own)) {
                    all.add(box);
                }
            }
        }
        return all.toArray();
    }

    /**
     * Adds the barriers inside of the render pass, before reads of what former members have drawn. They stand before
     * the first member of all that read it, which may only test depth. One of reads has no writes, else it is of draws,
     * which have an order.
     */
    private void addLocal(int pass, IntList all) {
        for (int box : barriers.before(pass)) {
            if (barriers.isOfLocalReads(box) && onTarget(box, targets.of(pass))) {
                all.add(box);
            }
        }
    }

    private static void addAll(int[] boxes, IntList all) {
        for (int box : boxes) {
            all.add(box);
        }
    }

    public int[] after(int pass) {
        if (!isShared(pass)) {
            return barriers.after(pass);
        }
        IntList all = new IntList(0);
        if (merge.lastMember(pass) != pass) {
            return all.toArray();
        }
        int shared = merge.renderPassOf[pass];
        // A target that was read on the tile is stored only here, behind the barrier inside. Other reads of the same
        // state may follow. What leaves that state comes later, and waits for the store itself.
        for (int at = merge.start[shared] + 1; at < merge.start[shared + 1]; at++) {
            addLocal(merge.members[at], all);
        }
        for (int at = merge.start[shared]; at < merge.start[shared + 1]; at++) {
            addAll(barriers.after(merge.members[at]), all);
        }
        return all.toArray();
    }

    /** Returns the targets of a pass: with the load of its render pass's first and the store of its last. */
    public @Nullable RenderTargets targets(int pass) {
        if (!isShared(pass)) {
            return targets.of(pass);
        }
        RenderTargets first = targets.of(merge.firstMember(pass));
        RenderTargets last = targets.of(merge.lastMember(pass));
        if (first == null || last == null) {
            return targets.of(pass);
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
                    end.resolve(),
                    isOnlyRead(pass, i)));
        }
        return new RenderTargets(
                first.x(),
                first.y(),
                first.width(),
                first.height(),
                first.layers(),
                colors,
                depth(first.depth(), last.depth(), isDepthOnlyRead(pass)),
                stencil(first.stencil(), last.stencil()));
    }

    private static RenderTargets.@Nullable Depth depth(
            RenderTargets.@Nullable Depth first, RenderTargets.@Nullable Depth last, boolean onlyRead) {
        return first == null || last == null
                ? null
                : new RenderTargets.Depth(
                        first.resource(), first.range(), first.load(), last.store(), first.clear(), onlyRead, null);
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

    private boolean isOnlyRead(int pass, int color) {
        return all(pass, member -> member.colors().get(color).readOnly());
    }

    private boolean isDepthOnlyRead(int pass) {
        return all(pass, member -> member.depth() != null && member.depth().readOnly());
    }

    private boolean all(int pass, Predicate<RenderTargets> test) {
        int shared = merge.renderPassOf[pass];
        for (int at = merge.start[shared]; at < merge.start[shared + 1]; at++) {
            RenderTargets member = targets.of(merge.members[at]);
            if (member == null || !test.test(member)) {
                return false;
            }
        }
        return true;
    }

    private boolean isShared(int pass) {
        return merge.firstMember(pass) != merge.lastMember(pass);
    }

    private boolean onTarget(int box, @Nullable RenderTargets targets) {
        SubresourceRange range = barriers.range(box);
        if (targets == null || range == null) {
            return false;
        }
        int resource = barriers.resource(box);
        for (RenderTargets.Color color : targets.colors()) {
            if (color.resource() == resource && color.range().overlaps(range)) {
                return true;
            }
        }
        return isOn(resource, range, targets.depth(), targets.stencil());
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
