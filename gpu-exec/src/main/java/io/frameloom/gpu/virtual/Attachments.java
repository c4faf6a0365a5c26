package io.frameloom.gpu.virtual;

import io.frameloom.gpu.LoadOp;
import io.frameloom.gpu.RenderingInfo;
import io.frameloom.gpu.RenderingInfo.ClearColor;
import io.frameloom.gpu.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.RenderingInfo.DepthAttachment;
import io.frameloom.gpu.RenderingInfo.DepthResolve;
import io.frameloom.gpu.RenderingInfo.StencilAttachment;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.TextureRegion;
import io.frameloom.gpu.TextureView;

/** Loads, clears and resolves of attachments, on real bytes. Confined to the thread of the virtual GPU. */
final class Attachments {
    private Attachments() {}

    static void load(ColorAttachment color) {
        VirtualTexture texture = (VirtualTexture) color.view().texture();
        if (color.load() == LoadOp.CLEAR) {
            Contents.clear(texture, color.view().range(), color.clear());
        } else if (color.load() == LoadOp.DONT_CARE) {
            Contents.clobber(texture, color.view().range());
        }
    }

    static void load(DepthAttachment depth) {
        load(depth.view(), depthPlane(depth.view()), depth.load(), depth.clearDepth(), 0);
    }

    static void load(StencilAttachment stencil) {
        load(stencil.view(), stencilPlane(stencil.view()), stencil.load(), 0, stencil.clearStencil());
    }

    private static void load(TextureView view, SubresourceRange plane, LoadOp load, float depth, int stencil) {
        VirtualTexture texture = (VirtualTexture) view.texture();
        if (load == LoadOp.CLEAR) {
            Contents.clear(texture, plane, depth, stencil);
        } else if (load == LoadOp.DONT_CARE) {
            Contents.clobber(texture, plane);
        }
    }

    /** Returns the range of a view's plane of depth. */
    static SubresourceRange depthPlane(TextureView view) {
        return view.range().plane(0);
    }

    /** Returns the range of a view's plane of stencil, the last one. */
    static SubresourceRange stencilPlane(TextureView view) {
        return view.range().plane(view.range().basePlane() + view.range().planeCount() - 1);
    }

    static void clear(RenderingInfo info, int attachment, ClearColor color, int x, int y, int width, int height) {
        TextureView view = info.colors().get(attachment).view();
        byte[] texel = Texels.encode(view.format(), Texels.channels(color));
        fill(info, view, view.range(), texel, x, y, width, height);
    }

    /** Clears depth to the red channel and stencil to the green one. */
    static void clear(
            RenderingInfo info,
            boolean clearDepth,
            boolean clearStencil,
            ClearColor values,
            int x,
            int y,
            int width,
            int height) {
        DepthAttachment depth = info.depth();
        if (clearDepth && depth != null) {
            fill(info, depth.view(), depthPlane(depth.view()), values, x, y, width, height);
        }
        StencilAttachment stencil = info.stencil();
        if (clearStencil && stencil != null) {
            fill(info, stencil.view(), stencilPlane(stencil.view()), values, x, y, width, height);
        }
    }

    private static void fill(
            RenderingInfo info,
            TextureView view,
            SubresourceRange plane,
            ClearColor values,
            int x,
            int y,
            int width,
            int height) {
        byte[] texel = Contents.texel(
                view.texture().description().format(), plane.basePlane(), (float) values.red(), (int) values.green());
        fill(info, view, plane, texel, x, y, width, height);
    }

    private static void fill(
            RenderingInfo info,
            TextureView view,
            SubresourceRange plane,
            byte[] texel,
            int x,
            int y,
            int width,
            int height) {
        VirtualTexture texture = (VirtualTexture) view.texture();
        for (int layer = plane.baseLayer(); layer < plane.baseLayer() + info.layers(); layer++) {
            for (int row = y; row < y + height; row++) {
                long at = texture.address(plane.baseMip(), layer, plane.basePlane(), x, row, 0);
                long bytes = (long) width * texture.blockBytes(plane.basePlane());
                texture.memory().set(at, bytes, Pattern.ofUnit(texel, at));
            }
        }
    }

    static void resolve(RenderingInfo info, ColorAttachment color, TextureView target) {
        TexelCopies.resolve(
                (VirtualTexture) color.view().texture(),
                region(info, color.view()),
                (VirtualTexture) target.texture(),
                region(info, target));
    }

    static void resolve(RenderingInfo info, TextureView source, SubresourceRange plane, DepthResolve resolve) {
        TexelCopies.resolve(
                (VirtualTexture) source.texture(),
                region(info, source).withPlane(plane.basePlane()),
                (VirtualTexture) resolve.view().texture(),
                region(info, resolve.view()).withPlane(plane.basePlane()),
                resolve.mode());
    }

    private static TextureRegion region(RenderingInfo info, TextureView view) {
        SubresourceRange range = view.range();
        return TextureRegion.mip(view.texture().description(), range.baseMip())
                .withLayers(range.baseLayer(), info.layers())
                .withRectangle(0, 0, info.width(), info.height());
    }
}
