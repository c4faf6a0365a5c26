package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A plane of an attachment that a render pass writes, or of the target of a resolve: its load, clears and store, on real
 * bytes. Confined to the thread of the virtual GPU.
 */
final class Attached {
    private final RenderingInfo info;
    private final TextureView view;
    private final SubresourceRange plane;
    private final VirtualTexture texture;
    private final LoadOp load;
    /** Makes the texel that the load clears to. */
    private final Supplier<byte[]> clear;
    /** Whether the render pass leaves it undefined. */
    private final boolean undefined;

    /** A rectangle of texels. */
    record Area(int x, int y, int width, int height) {
        static Area of(RenderingInfo info) {
            return new Area(info.x(), info.y(), info.width(), info.height());
        }
    }

    private Attached(
            RenderingInfo info,
            TextureView view,
            SubresourceRange plane,
            LoadOp load,
            Supplier<byte[]> clear,
            StoreOp store) {
        this.info = info;
        this.view = view;
        this.plane = plane;
        this.texture = (VirtualTexture) view.texture();
        this.load = load;
        this.clear = clear;
        this.undefined = store == StoreOp.DONT_CARE;
    }

    private static Attached of(RenderingInfo info, ColorAttachment color) {
        return new Attached(
                info,
                color.view(),
                color.view().range(),
                color.load(),
                () -> TexelCodec.encode(color.view().format(), TexelCodec.channels(color.clear())),
                color.store());
    }

    private static Attached of(RenderingInfo info, DepthAttachment depth) {
        SubresourceRange plane = depthPlane(depth.view());
        return new Attached(
                info,
                depth.view(),
                plane,
                depth.load(),
                () -> texel(depth.view(), plane, depth.clearDepth(), 0),
                depth.store());
    }

    private static Attached of(RenderingInfo info, StencilAttachment stencil) {
        SubresourceRange plane = stencilPlane(stencil.view());
        return new Attached(
                info,
                stencil.view(),
                plane,
                stencil.load(),
                () -> texel(stencil.view(), plane, 0, stencil.clearStencil()),
                stencil.store());
    }

    private static Attached target(RenderingInfo info, TextureView view, SubresourceRange plane) {
        return new Attached(info, view, plane, LoadOp.LOAD, () -> new byte[0], StoreOp.STORE);
    }

    private static byte[] texel(TextureView view, SubresourceRange plane, float depth, int stencil) {
        return Contents.texel(view.texture().description().format(), plane.basePlane(), depth, stencil);
    }

    /** Returns the attachments that a render pass may write. */
    static List<Attached> written(RenderingInfo info) {
        List<Attached> all = new ArrayList<>();
        for (ColorAttachment color : info.colors()) {
            if (!color.readOnly()) {
                all.add(of(info, color));
            }
        }
        DepthAttachment depth = info.depth();
        if (depth != null && !depth.readOnly()) {
            all.add(of(info, depth));
        }
        StencilAttachment stencil = info.stencil();
        if (stencil != null && !stencil.readOnly()) {
            all.add(of(info, stencil));
        }
        return all;
    }

    /** Returns the attachments that a render pass reads and does not write. */
    static List<Attached> read(RenderingInfo info) {
        List<Attached> all = new ArrayList<>();
        for (ColorAttachment color : info.colors()) {
            if (color.readOnly()) {
                all.add(of(info, color));
            }
        }
        DepthAttachment depth = info.depth();
        if (depth != null && depth.readOnly()) {
            all.add(of(info, depth));
        }
        return all;
    }

    /** Returns the attachments that a render pass may write and its resolve targets, with what it leaves there. */
    static List<Attached> stored(RenderingInfo info) {
        List<Attached> all = written(info);
        for (ColorAttachment color : info.colors()) {
            TextureView resolve = color.resolve();
            if (resolve != null) {
                all.add(target(info, resolve, resolve.range()));
            }
        }
        DepthAttachment depth = info.depth();
        if (depth != null && depth.resolve() != null) {
            TextureView resolve = depth.resolve().view();
            all.add(target(info, resolve, depthPlane(resolve)));
        }
        StencilAttachment stencil = info.stencil();
        if (stencil != null && stencil.resolve() != null) {
            TextureView resolve = stencil.resolve().view();
            all.add(target(info, resolve, stencilPlane(resolve)));
        }
        return all;
    }

    VirtualTexture texture() {
        return texture;
    }

    boolean overlaps(Attached other) {
        return texture == other.texture && rendered().overlaps(other.rendered());
    }

    boolean isOf(ResourceUse use) {
        return use instanceof ResourceUse.OfTexture of && texture == of.resource() && plane.overlaps(of.range());
    }

    /** Returns whether texels of the subresource are outside of the rendered range. */
    boolean isPartial() {
        return view.isOfSlices() || !info.covers(texture.description(), plane.baseMip());
    }

    void load() {
        if (load == LoadOp.CLEAR) {
            fill(clear.get(), Area.of(info));
        } else if (load == LoadOp.DONT_CARE) {
            clobber();
        }
    }

    /** Gives the render area the contents that draws leave. */
    void simulate(long stamp) {
        set(stamp, Pattern::ofWork);
    }

    /** As {@link #simulate}, on top of what is there. */
    void simulateOver(long stamp) {
        simulate(Mix.mix(stamp, Contents.hash(texture, plane)));
    }

    /** Makes undefined what is not stored. */
    void settle() {
        if (undefined) {
            clobber();
        }
    }

    private void clobber() {
        if (texture.device().resources().clobbers()) {
            set(texture.clobberStamp(), Pattern::ofStamp);
        }
    }

    private void set(long stamp, Contents.Kind kind) {
        long own = Mix.mix(stamp, texture.name());
        rows(
                Area.of(info),
                (at, bytes) -> texture.memory().set(at, bytes, kind.of(Mix.mix(own, at - texture.base()), at)));
    }

    private void fill(byte[] texel, Area area) {
        rows(area, (at, bytes) -> texture.memory().set(at, bytes, Pattern.ofUnit(texel, at)));
    }

    private static SubresourceRange depthPlane(TextureView view) {
        return view.range().plane(0);
    }

    private static SubresourceRange stencilPlane(TextureView view) {
        return view.range().plane(view.range().basePlane() + view.range().planeCount() - 1);
    }

    static void clear(RenderingInfo info, int attachment, RenderingInfo.ClearColor color, Area area) {
        Attached target = of(info, info.colors().get(attachment));
        target.fill(TexelCodec.encode(target.view.format(), TexelCodec.channels(color)), area);
    }

    static void clearDepth(RenderingInfo info, float depth, Area area) {
        DepthAttachment attachment = info.depth();
        if (attachment != null) {
            Attached target = of(info, attachment);
            target.fill(texel(target.view, target.plane, depth, 0), area);
        }
    }

    static void clearStencil(RenderingInfo info, int stencil, Area area) {
        StencilAttachment attachment = info.stencil();
        if (attachment != null) {
            Attached target = of(info, attachment);
            target.fill(texel(target.view, target.plane, 0, stencil), area);
        }
    }

    /** Returns the layers of the plane that are rendered to; of slices, the slices as layers. */
    private SubresourceRange rendered() {
        return new SubresourceRange(
                plane.baseMip(), 1, view.baseLayer(), info.layers(), plane.basePlane(), plane.planeCount());
    }

    /** Visits the bytes of a rectangle of the rendered layers. */
    private void rows(Area area, VirtualTexture.Piece piece) {
        TextureDescription shape = texture.description();
        int mip = plane.baseMip();
        boolean slices = view.isOfSlices();
        boolean whole = area.equals(new Area(0, 0, shape.width(mip), shape.height(mip)));
        if (whole && !slices) {
            texture.pieces(rendered(), piece);
            return;
        }
        long bytes = (long) area.width * texture.blockBytes(plane.basePlane());
        for (int i = view.baseLayer(); i < view.baseLayer() + info.layers(); i++) {
            int layer = slices ? 0 : i;
            int slice = slices ? i : 0;
            if (whole) {
                piece.accept(
                        texture.address(mip, layer, plane.basePlane(), 0, 0, slice),
                        texture.sliceBytes(mip, plane.basePlane()));
                continue;
            }
            for (int row = area.y; row < area.y + area.height; row++) {
                piece.accept(texture.address(mip, layer, plane.basePlane(), area.x, row, slice), bytes);
            }
        }
    }

    static void resolve(RenderingInfo info) {
        for (ColorAttachment color : info.colors()) {
            TextureView target = color.resolve();
            for (int layer = 0; target != null && layer < info.layers(); layer++) {
                TexelCopies.resolve(
                        (VirtualTexture) color.view().texture(),
                        region(info, color.view(), layer),
                        (VirtualTexture) target.texture(),
                        region(info, target, layer),
                        color.view().format());
            }
        }
        DepthAttachment depth = info.depth();
        if (depth != null) {
            resolve(info, depth.view(), depthPlane(depth.view()), depth.resolve());
        }
        StencilAttachment stencil = info.stencil();
        if (stencil != null) {
            resolve(info, stencil.view(), stencilPlane(stencil.view()), stencil.resolve());
        }
    }

    private static void resolve(
            RenderingInfo info, TextureView source, SubresourceRange plane, @Nullable DepthResolve resolve) {
        for (int layer = 0; resolve != null && layer < info.layers(); layer++) {
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
