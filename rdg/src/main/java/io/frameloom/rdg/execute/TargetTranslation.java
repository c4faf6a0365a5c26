package io.frameloom.rdg.execute;

import io.frameloom.gpu.RenderingInfo;
import io.frameloom.gpu.ResolveMode;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureView;
import io.frameloom.gpu.TextureViewKind;
import io.frameloom.rdg.RenderTargets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Translates the render targets of a pass to attachments of native textures. */
final class TargetTranslation {
    private final Textures textures;

    /** Finds native textures. */
    @FunctionalInterface
    interface Textures {
        /** Returns the texture of an index of the plan; the name of the pass is for messages. */
        Texture texture(String pass, int index);
    }

    TargetTranslation(Textures textures) {
        this.textures = textures;
    }

    RenderingInfo rendering(String pass, RenderTargets targets) {
        List<RenderingInfo.ColorAttachment> colors = new ArrayList<>();
        for (RenderTargets.Color color : targets.colors()) {
            RenderTargets.Resolve resolve = color.resolve();
            colors.add(new RenderingInfo.ColorAttachment(
                    view(pass, color),
                    color.load(),
                    color.store(),
                    color.clear(),
                    resolve == null ? null : view(pass, resolve.resource(), resolve.range())));
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
                                depth.load(),
                                depth.store(),
                                depth.clear(),
                                depth.readOnly(),
                                resolve(pass, ofDepth, together)));
        return info.withRenderArea(targets.x(), targets.y(), targets.width(), targets.height())
                .withLayers(targets.layers())
                .withStencil(
                        stencil == null
                                ? null
                                : new RenderingInfo.StencilAttachment(
                                        view(pass, stencil.resource(), stencil.range()),
                                        stencil.load(),
                                        stencil.store(),
                                        stencil.clear(),
                                        stencil.readOnly(),
                                        resolve(pass, ofStencil, together)));
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
