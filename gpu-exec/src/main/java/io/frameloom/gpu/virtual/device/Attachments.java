package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.RenderingInfo.DepthAttachment;
import io.frameloom.gpu.command.RenderingInfo.DepthResolve;
import io.frameloom.gpu.command.RenderingInfo.StencilAttachment;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.virtual.memory.Mix;
import io.frameloom.gpu.virtual.memory.Pattern;
import io.frameloom.gpu.virtual.memory.TexelCodec;
import java.util.ArrayList;
import java.util.List;

/** Loads, clears, resolves and stores of attachments, on real bytes. Confined to the thread of the virtual GPU. */
final class Attachments {
    private Attachments() {}

    static void load(RenderingInfo info, ColorAttachment color) {
        if (color.load() == LoadOp.CLEAR) {
            byte[] texel = TexelCodec.encode(color.view().format(), TexelCodec.channels(color.clear()));
            fill(info, color.view(), color.view().range(), texel, info.x(), info.y(), info.width(), info.height());
        } else if (color.load() == LoadOp.DONT_CARE) {
            clobber(info, color.view(), color.view().range());
        }
    }

    static void load(RenderingInfo info, DepthAttachment depth) {
        load(info, depth.view(), depthPlane(depth.view()), depth.load(), depth.clearDepth(), 0);
    }

    static void load(RenderingInfo info, StencilAttachment stencil) {
        load(info, stencil.view(), stencilPlane(stencil.view()), stencil.load(), 0, stencil.clearStencil());
    }

    private static void load(
            RenderingInfo info, TextureView view, SubresourceRange plane, LoadOp load, float depth, int stencil) {
        if (load == LoadOp.CLEAR) {
            byte[] texel = Contents.texel(view.texture().description().format(), plane.basePlane(), depth, stencil);
            fill(info, view, plane, texel, info.x(), info.y(), info.width(), info.height());
        } else if (load == LoadOp.DONT_CARE) {
            clobber(info, view, plane);
        }
    }

    /** A plane of an attachment, and whether a render pass leaves it undefined. */
    record Stored(RenderingInfo info, TextureView view, SubresourceRange plane, boolean undefined) {
        boolean overlaps(Stored other) {
            return view.texture() == other.view.texture() && rendered().overlaps(other.rendered());
        }

        /** Returns the rendered range, slices as layers. */
        private SubresourceRange rendered() {
            return Attachments.rendered(info, view, plane);
        }

        /** Returns whether a use is of the rendered range. */
        boolean isOf(ResourceUse use) {
            return use instanceof ResourceUse.OfTexture texture
                    && view.texture() == texture.resource()
                    && plane.overlaps(texture.range());
        }

        /** Returns whether texels of the subresource are outside of the rendered range. */
        boolean isPartial() {
            return view.isOfSlices() || !info.covers(view.texture().description(), plane.baseMip());
        }

        /** Gives the render area the contents that draws leave. */
        void simulate(long stamp) {
            Attachments.simulate(info, view, plane, stamp);
        }

        /** Makes undefined what is not stored. */
        void settle() {
            if (undefined) {
                clobber(info, view, plane);
            }
        }
    }

    /** Returns the attachments that a render pass may write and their resolve targets, with what it leaves there. */
    static List<Stored> stored(RenderingInfo info) {
        List<Stored> all = new ArrayList<>();
        for (ColorAttachment color : info.colors()) {
            all.add(new Stored(info, color.view(), color.view().range(), color.store() == StoreOp.DONT_CARE));
            TextureView resolve = color.resolve();
            if (resolve != null) {
                all.add(new Stored(info, resolve, resolve.range(), false));
            }
        }
        DepthAttachment depth = info.depth();
        if (depth != null && depth.resolve() != null) {
            TextureView resolve = depth.resolve().view();
            all.add(new Stored(info, resolve, depthPlane(resolve), false));
        }
        if (depth != null && !depth.readOnly()) {
            all.add(new Stored(info, depth.view(), depthPlane(depth.view()), depth.store() == StoreOp.DONT_CARE));
        }
        StencilAttachment stencil = info.stencil();
        if (stencil != null && stencil.resolve() != null) {
            TextureView resolve = stencil.resolve().view();
            all.add(new Stored(info, resolve, stencilPlane(resolve), false));
        }
        if (stencil != null && !stencil.readOnly()) {
            boolean undefined = stencil.store() == StoreOp.DONT_CARE;
            all.add(new Stored(info, stencil.view(), stencilPlane(stencil.view()), undefined));
        }
        return all;
    }

    private static void clobber(RenderingInfo info, TextureView view, SubresourceRange plane) {
        VirtualTexture texture = (VirtualTexture) view.texture();
        if (texture.device().resources().clobbers()) {
            set(info, view, plane, texture.clobberStamp(), Pattern::ofStamp);
        }
    }

    /** Gives the render area of a plane the contents that the work identified by {@code stamp} leaves. */
    static void simulate(RenderingInfo info, TextureView view, SubresourceRange plane, long stamp) {
        set(info, view, plane, stamp, Pattern::ofWork);
    }

    private static void set(
            RenderingInfo info, TextureView view, SubresourceRange plane, long stamp, Contents.Kind kind) {
        VirtualTexture texture = (VirtualTexture) view.texture();
        long own = Mix.mix(stamp, texture.name());
        rows(
                info,
                view,
                plane,
                info.x(),
                info.y(),
                info.width(),
                info.height(),
                (at, bytes) -> texture.memory().set(at, bytes, kind.of(Mix.mix(own, at - texture.base()), at)));
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
        byte[] texel = TexelCodec.encode(view.format(), TexelCodec.channels(color));
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
        rows(
                info,
                view,
                plane,
                x,
                y,
                width,
                height,
                (at, bytes) -> texture.memory().set(at, bytes, Pattern.ofUnit(texel, at)));
    }

    /** Returns the layers of a plane that are rendered to; of slices, the slices as layers. */
    private static SubresourceRange rendered(RenderingInfo info, TextureView view, SubresourceRange plane) {
        return new SubresourceRange(
                plane.baseMip(), 1, view.baseLayer(), info.layers(), plane.basePlane(), plane.planeCount());
    }

    /** Visits the bytes of a rectangle of the rendered layers. */
    private static void rows(
            RenderingInfo info,
            TextureView view,
            SubresourceRange plane,
            int x,
            int y,
            int width,
            int height,
            VirtualTexture.Piece piece) {
        VirtualTexture texture = (VirtualTexture) view.texture();
        TextureDescription shape = texture.description();
        int mip = plane.baseMip();
        boolean slices = view.isOfSlices();
        boolean whole = x == 0 && y == 0 && width == shape.width(mip) && height == shape.height(mip);
        if (whole && !slices) {
            texture.pieces(rendered(info, view, plane), piece);
            return;
        }
        long bytes = (long) width * texture.blockBytes(plane.basePlane());
        for (int i = view.baseLayer(); i < view.baseLayer() + info.layers(); i++) {
            int layer = slices ? 0 : i;
            int slice = slices ? i : 0;
            if (whole) {
                piece.accept(
                        texture.address(mip, layer, plane.basePlane(), 0, 0, slice),
                        texture.sliceBytes(mip, plane.basePlane()));
                continue;
            }
            for (int row = y; row < y + height; row++) {
                piece.accept(texture.address(mip, layer, plane.basePlane(), x, row, slice), bytes);
            }
        }
    }

    static void resolve(RenderingInfo info, ColorAttachment color, TextureView target) {
        for (int layer = 0; layer < info.layers(); layer++) {
            TexelCopies.resolve(
                    (VirtualTexture) color.view().texture(),
                    region(info, color.view(), layer),
                    (VirtualTexture) target.texture(),
                    region(info, target, layer),
                    color.view().format());
        }
    }

    static void resolve(RenderingInfo info, TextureView source, SubresourceRange plane, DepthResolve resolve) {
        for (int layer = 0; layer < info.layers(); layer++) {
            TexelCopies.resolve(
                    (VirtualTexture) source.texture(),
                    region(info, source, layer).withPlane(plane.basePlane()),
                    (VirtualTexture) resolve.view().texture(),
                    region(info, resolve.view(), layer).withPlane(plane.basePlane()),
                    resolve.mode());
        }
    }

    /** Returns the render area in one of the layers, or slices, that are rendered to. */
    private static TextureRegion region(RenderingInfo info, TextureView view, int layer) {
        TextureRegion area = TextureRegion.mip(
                        view.texture().description(), view.range().baseMip())
                .withRectangle(info.x(), info.y(), info.width(), info.height());
        int at = view.baseLayer() + layer;
        return view.isOfSlices()
                ? area.withSlices(at, 1)
                : area.withLayers(at, 1).withSlices(0, 1);
    }
}
