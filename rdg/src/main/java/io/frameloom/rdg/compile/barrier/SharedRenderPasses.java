package io.frameloom.rdg.compile.barrier;

import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import io.frameloom.rdg.Reason;
import io.frameloom.rdg.RenderTargets;
import io.frameloom.rdg.compile.renderpass.RenderPassMerge;
import io.frameloom.rdg.compile.renderpass.TargetInference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What sharing a render pass does to its passes. All barriers before them come before the first, all after them after
 * the last. Barriers between them on the targets vanish, but for those before reads of targets: these come both inside
 * and after the last, since stores come last. The targets are loaded once and stored once.
 */
public final class SharedRenderPasses {
    private final RenderPassMerge merge;
    private final Barriers barriers;
    private final TargetInference targets;

    public SharedRenderPasses(RenderPassMerge merge, Barriers barriers, TargetInference targets) {
        this.merge = merge;
        this.barriers = barriers;
        this.targets = targets;
    }

    public List<PlanBarrier> before(int pass, IntFunction<Reason> reasons) {
        if (!isShared(pass)) {
            return barriers.before(pass, reasons);
        }
        if (merge.firstMember(pass) != pass) {
            return local(pass, reasons);
        }
        int shared = merge.renderPassOf[pass];
        List<PlanBarrier> all = new ArrayList<>(barriers.before(pass, reasons));
        for (int at = merge.start[shared] + 1; at < merge.start[shared + 1]; at++) {
            int member = merge.members[at];
            RenderTargets own = targets.of(member);
            for (PlanBarrier barrier : barriers.before(member, reasons)) {
                if (!onTarget(barrier, own)) {
                    all.add(barrier);
                }
            }
        }
        return all;
    }

    /**
     * Returns the barriers inside of the render pass, before reads of what former members have drawn. They stand before
     * the first member of all that read it, which may only test depth. One of reads has no writes, else it is of draws,
     * which have an order.
     */
    private List<PlanBarrier> local(int pass, IntFunction<Reason> reasons) {
        List<PlanBarrier> all = List.of();
        for (PlanBarrier barrier : barriers.before(pass, reasons)) {
            if (isOfLocalReads(barrier) && onTarget(barrier, targets.of(pass))) {
                all = all.isEmpty() ? new ArrayList<>() : all;
                all.add(barrier);
            }
        }
        return all;
    }

    /** Returns whether a barrier lets attachments be read, where they are attached, that were drawn. */
    public static boolean isOfLocalReads(PlanBarrier barrier) {
        return barrier.oldLayout() == TextureLayout.LOCAL_READ
                && barrier.newLayout() == TextureLayout.LOCAL_READ
                && barrier.ownership() == null
                && MemoryAccess.writesOf(barrier.scope().dstAccess()) == 0;
    }

    public List<PlanBarrier> after(int pass, IntFunction<Reason> reasons) {
        if (!isShared(pass)) {
            return barriers.after(pass, reasons);
        }
        if (merge.lastMember(pass) != pass) {
            return List.of();
        }
        int shared = merge.renderPassOf[pass];
        List<PlanBarrier> all = new ArrayList<>();
        // A target that was read on the tile is stored only here, behind the barrier inside. Other reads of the same
        // state may follow. What leaves that state comes later, and waits for the store itself.
        for (int at = merge.start[shared] + 1; at < merge.start[shared + 1]; at++) {
            all.addAll(local(merge.members[at], reasons));
        }
        for (int at = merge.start[shared]; at < merge.start[shared + 1]; at++) {
            all.addAll(barriers.after(merge.members[at], reasons));
        }
        return all;
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

    /** Returns whether all passes of a render pass leave a colour as it is. */
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

    /** Returns whether a pass shares its render pass with another one. */
    private boolean isShared(int pass) {
        return merge.firstMember(pass) != merge.lastMember(pass);
    }

    private static boolean onTarget(PlanBarrier barrier, @Nullable RenderTargets targets) {
        SubresourceRange range = barrier.range();
        if (targets == null || range == null) {
            return false;
        }
        for (RenderTargets.Color color : targets.colors()) {
            if (color.resource() == barrier.resource() && color.range().overlaps(range)) {
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
