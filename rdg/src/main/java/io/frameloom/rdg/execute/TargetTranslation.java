package io.frameloom.rdg.execute;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResolveMode;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.resource.TextureViewKind;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.RenderTargets;
import io.frameloom.rdg.compile.plan.PlanUses;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Translates the render targets of a pass to attachments of native textures. */
record TargetTranslation(PlanUses uses, Textures textures) {
    /** Finds native textures. */
    @FunctionalInterface
    interface Textures {
        /** Returns the texture of an index of the plan; the name of the pass is for messages. */
        Texture texture(String pass, int index);
    }

    /** Returns the attachments of a pass that begins a render pass. What the pass clears or discards is not loaded. */
    RenderingInfo rendering(FramePlan.PassPlan of, RenderTargets targets) {
        String pass = of.name();
        List<RenderingInfo.ColorAttachment> colors = new ArrayList<>();
        for (RenderTargets.Color color : targets.colors()) {
            RenderTargets.Resolve resolve = color.resolve();
            colors.add(new RenderingInfo.ColorAttachment(
                    view(pass, color),
                    load(of, color.resource(), color.range(), color.load()),
                    color.store(),
                    color.clear(),
                    resolve == null ? null : view(pass, resolve.resource(), resolve.range()),
                    color.readOnly()));
        }
        RenderTargets.Depth depth = targets.depth();
        RenderTargets.Stencil stencil = targets.stencil();
        RenderTargets.Resolve ofDepth = depth == null ? null : depth.resolve();
        RenderTargets.Resolve ofStencil = stencil == null ? null : stencil.resolve();
        boolean together = ofDepth != null && ofStencil != null;
        RenderingInfo info = new RenderingInfo(
                targets.width(),
                targets.height(),
                colors,
                depth == null
                        ? null
                        : new RenderingInfo.DepthAttachment(
                                view(pass, depth.resource(), depth.range()),
                                load(of, depth.resource(), depth.range(), depth.load()),
                                depth.store(),
                                depth.clear(),
                                depth.readOnly(),
                                resolve(pass, ofDepth, together)));
        if (of.flags().contains(PassFlag.MULTIVIEW)) {
            info = info.withMultiview();
        }
        return info.withRenderArea(targets.x(), targets.y(), targets.width(), targets.height())
                .withLayers(targets.layers())
                .withStencil(
                        stencil == null
                                ? null
                                : new RenderingInfo.StencilAttachment(
                                        view(pass, stencil.resource(), stencil.range()),
                                        load(of, stencil.resource(), stencil.range(), stencil.load()),
                                        stencil.store(),
                                        stencil.clear(),
                                        stencil.readOnly(),
                                        resolve(pass, ofStencil, together)));
    }

    /** Returns the attachments that a pass only reads, also those that another pass of its render pass writes. */
    int kept(FramePlan.PassPlan pass, RenderTargets targets) {
        RenderTargets.Depth depth = targets.depth();
        int kept = 0;
        for (int use = uses.first(pass.index()); use < uses.end(pass.index()); use++) {
            Access access = uses.access(use);
            for (int i = 0; i < targets.colors().size() && access == Access.INPUT_ATTACHMENT; i++) {
                RenderTargets.Color color = targets.colors().get(i);
                kept |= isOn(use, color.resource(), color.range()) ? 1 << i : 0;
            }
            if (access == Access.DEPTH_READ && depth != null && isOn(use, depth.resource(), depth.range())) {
                kept |= 1 << targets.colors().size();
            }
        }
        return kept;
    }

    private boolean isOn(int use, int resource, SubresourceRange attached) {
        SubresourceRange range = uses.resource(use) == resource ? uses.range(use) : null;
        return range != null && range.overlaps(attached);
    }

    /** Returns attachments of which some are left as they are: {@code kept}, as of passes. */
    static RenderingInfo keeping(RenderingInfo info, int kept) {
        List<RenderingInfo.ColorAttachment> colors = new ArrayList<>(info.colors());
        for (int i = 0; i < colors.size(); i++) {
            if ((kept >> i & 1) != 0) {
                colors.set(i, RenderingInfo.ColorAttachment.input(colors.get(i).view()));
            }
        }
        RenderingInfo.DepthAttachment depth = info.depth();
        if (depth != null && !depth.readOnly() && (kept >> colors.size() & 1) != 0) {
            depth = new RenderingInfo.DepthAttachment(depth.view(), LoadOp.LOAD, StoreOp.STORE, 0, true);
        }
        return new RenderingInfo(
                info.x(),
                info.y(),
                info.width(),
                info.height(),
                info.layers(),
                colors,
                depth,
                info.stencil(),
                info.secondaries(),
                info.multiview());
    }

    private LoadOp load(FramePlan.PassPlan pass, int resource, SubresourceRange range, LoadOp planned) {
        for (int use = uses.first(pass.index()); use < uses.end(pass.index()); use++) {
            if (uses.resource(use) == resource && begins(pass, use) && range.equals(uses.range(use))) {
                return LoadOp.DONT_CARE;
            }
        }
        return planned;
    }

    /** Returns whether a use is a target that a pass with a condition does not load if it runs. */
    boolean begins(FramePlan.PassPlan pass, int use) {
        Access access = uses.access(use);
        return pass.targets() != null && uses.isDiscardIfRun(use) && begun(access) != access;
    }

    /** Returns the access to a target that is not loaded. */
    static Access begun(Access access) {
        return switch (access) {
            case COLOR_READ_WRITE -> Access.COLOR_WRITE;
            case DEPTH_READ_WRITE -> Access.DEPTH_WRITE;
            case STENCIL_READ_WRITE -> Access.STENCIL_WRITE;
            default -> access;
        };
    }

    boolean isPartly(FramePlan.PassPlan pass, int use, Texture texture) {
        RenderTargets targets = pass.targets();
        SubresourceRange range = uses.range(use);
        if (targets == null || range == null) {
            return false;
        }
        TextureDescription shape = texture.description();
        int mip = range.baseMip();
        boolean area = targets.x() == 0
                && targets.y() == 0
                && targets.width() == shape.width(mip)
                && targets.height() == shape.height(mip);
        return !area || (shape.depth() > 1 && targets.layers() < shape.depth(mip));
    }

    /** Depth and stencil that are both resolved have one view of both planes. */
    private RenderingInfo.@Nullable DepthResolve resolve(
            String pass, RenderTargets.@Nullable Resolve resolve, boolean together) {
        ResolveMode mode = resolve == null ? null : resolve.mode();
        if (resolve == null || mode == null) {
            return null;
        }
        SubresourceRange range = resolve.range();
        SubresourceRange planes = together
                ? new SubresourceRange(range.baseMip(), range.mipCount(), range.baseLayer(), range.layerCount(), 0, 2)
                : range;
        return new RenderingInfo.DepthResolve(view(pass, resolve.resource(), planes), mode);
    }

    /** Slices are attached as layers. */
    private TextureView view(String pass, RenderTargets.Color color) {
        RenderTargets.Slices slices = color.slices();
        if (slices == null) {
            return view(pass, color.resource(), color.range());
        }
        return textures.texture(pass, color.resource())
                .view(
                        new SubresourceRange(color.range().baseMip(), 1, slices.first(), slices.count(), 0, 1),
                        slices.count() == 1 ? TextureViewKind.TWO_D : TextureViewKind.TWO_D_ARRAY);
    }

    /** Faces of a cube are attached as the layers that they are. */
    private TextureView view(String pass, int resource, SubresourceRange range) {
        Texture texture = textures.texture(pass, resource);
        return range.layerCount() == 1 ? texture.view(range) : texture.view(range, TextureViewKind.TWO_D_ARRAY);
    }
}
