package io.frameloom.gpu.command;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.resource.TextureViewKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The attachments of one render pass (dynamic rendering). All have the same number of samples, resolve targets one. No
 * texel belongs to two of them. An attachment must have the layout that the pass declares.
 *
 * <p>Loads, clears, draws, resolves and stores touch only the render area: texels outside of it keep their contents,
 * and stay undefined if they were.
 *
 * @param x left edge of the render area in texels, at least 0
 * @param y upper edge of the render area in texels, at least 0
 * @param width width of the render area in texels
 * @param height height of the render area in texels
 * @param layers layers that are rendered to; attachments have views of at least as many
 * @param colors colour attachments in order
 * @param depth depth attachment, or null for none
 * @param stencil stencil attachment, or null for none; if there is a depth attachment too, a view of the same texture
 * @param secondaries whether the commands come from secondary lists by {@link CommandList#execute}, and only from there
 * @param multiview whether each draw goes to all layers, as {@link #withMultiview} says
 */
public record RenderingInfo(
        int x,
        int y,
        int width,
        int height,
        int layers,
        List<ColorAttachment> colors,
        @Nullable DepthAttachment depth,
        @Nullable StencilAttachment stencil,
        boolean secondaries,
        boolean multiview) {
    public RenderingInfo {
        colors = List.copyOf(colors);
    }

    /** A render pass of one layer from texel (0, 0) on, without stencil, with its commands in the list itself. */
    public RenderingInfo(int width, int height, List<ColorAttachment> colors, @Nullable DepthAttachment depth) {
        this(0, 0, width, height, 1, colors, depth, null, false, false);
    }

    /** Returns the same render pass with another render area, in texels. */
    public RenderingInfo withRenderArea(int left, int top, int newWidth, int newHeight) {
        return new RenderingInfo(
                left, top, newWidth, newHeight, layers, colors, depth, stencil, secondaries, multiview);
    }

    /** Returns whether the render area is all of a texture's mip. */
    public boolean covers(TextureDescription description, int mip) {
        return x == 0 && y == 0 && width == description.width(mip) && height == description.height(mip);
    }

    /** Returns the same render pass with a stencil attachment, or without one. */
    public RenderingInfo withStencil(@Nullable StencilAttachment attachment) {
        return new RenderingInfo(x, y, width, height, layers, colors, depth, attachment, secondaries, multiview);
    }

    /** Returns the same render pass with several layers. */
    public RenderingInfo withLayers(int count) {
        return new RenderingInfo(x, y, width, height, count, colors, depth, stencil, secondaries, multiview);
    }

    /** Returns the same render pass, whose commands come from secondary lists. */
    public RenderingInfo withSecondaries() {
        return new RenderingInfo(x, y, width, height, layers, colors, depth, stencil, true, multiview);
    }

    /**
     * Returns the same render pass, each of whose draws goes to all layers at once: {@code gl_ViewIndex} of
     * {@code GL_EXT_multiview} is the layer. Clears of attachments clear all layers, too. It takes {@link
     * Capability#MULTIVIEW} and pipelines made {@linkplain GraphicsPipelineDescription#withViews for as many views}.
     */
    public RenderingInfo withMultiview() {
        return new RenderingInfo(x, y, width, height, layers, colors, depth, stencil, secondaries, true);
    }

    /** Returns the views of each draw: the layers with multiview, else 0. */
    public int views() {
        return multiview ? layers : 0;
    }

    /** Returns the samples of the attachments; 1 if there are none. */
    public int samples() {
        if (!colors.isEmpty()) {
            return colors.get(0).view().texture().description().samples();
        }
        if (depth != null) {
            return depth.view().texture().description().samples();
        }
        return stencil == null ? 1 : stencil.view().texture().description().samples();
    }

    /** Returns the formats of the attachments, which secondary lists and pipelines must match. */
    public RenderingFormats formats() {
        List<Format> formats = new ArrayList<>(colors.size());
        for (ColorAttachment color : colors) {
            formats.add(color.view().format());
        }
        return new RenderingFormats(
                formats,
                depth == null ? null : depth.view().format(),
                stencil == null ? null : stencil.view().format(),
                samples(),
                layers,
                multiview);
    }

    /**
     * A colour attachment in layout {@link TextureLayout#COLOR}, or {@link TextureLayout#LOCAL_READ} if the pass declares
     * it there.
     *
     * @param view one mip; of a three-dimensional texture, slices of one mip ({@link Texture#view(SubresourceRange,
     *     TextureViewKind)})
     * @param load load operation
     * @param store store operation
     * @param clear clear colour, used with {@link LoadOp#CLEAR}
     * @param resolve target of the resolve at the end, in layout {@link TextureLayout#COLOR} and declared as {@link
     *     Access#RESOLVE_DST}: samples are averaged, of integers sample 0 is taken; null for none
     * @param readOnly whether shaders read it ({@link Access#INPUT_ATTACHMENT}) and nothing writes it. It is loaded, the
     *     store operation is ignored: nothing is stored and all is kept
     */
    public record ColorAttachment(
            TextureView view,
            LoadOp load,
            StoreOp store,
            ClearColor clear,
            @Nullable TextureView resolve,
            boolean readOnly) {
        /** A colour attachment that is written. */
        public ColorAttachment(
                TextureView view, LoadOp load, StoreOp store, ClearColor clear, @Nullable TextureView resolve) {
            this(view, load, store, clear, resolve, false);
        }

        /** A colour attachment that is written and not resolved. */
        public ColorAttachment(TextureView view, LoadOp load, StoreOp store, ClearColor clear) {
            this(view, load, store, clear, null);
        }

        /** A colour attachment that is only read. */
        public static ColorAttachment input(TextureView view) {
            return new ColorAttachment(view, LoadOp.LOAD, StoreOp.STORE, ClearColor.BLACK_TRANSPARENT, null, true);
        }
    }

    /**
     * A depth attachment in layout {@link TextureLayout#DEPTH}, or {@link TextureLayout#DEPTH_RO} if read only. In
     * {@link TextureLayout#GENERAL} or {@link TextureLayout#LOCAL_READ} if the pass declares it there.
     *
     * @param view one mip; of a texture with stencil, a view of both planes or of depth alone
     * @param load load operation; {@link LoadOp#LOAD} if read only
     * @param store store operation; ignored if read only: then nothing is stored and all is kept
     * @param clearDepth clear value, used with {@link LoadOp#CLEAR}
     * @param readOnly whether depth is tested but not written
     * @param resolve target of the resolve at the end, or null for none
     */
    public record DepthAttachment(
            TextureView view,
            LoadOp load,
            StoreOp store,
            float clearDepth,
            boolean readOnly,
            @Nullable DepthResolve resolve) {
        /** A depth attachment that is not resolved. */
        public DepthAttachment(TextureView view, LoadOp load, StoreOp store, float clearDepth, boolean readOnly) {
            this(view, load, store, clearDepth, readOnly, null);
        }

        /** Returns the same attachment, resolved. */
        public DepthAttachment resolvedTo(TextureView target, ResolveMode mode) {
            return new DepthAttachment(view, load, store, clearDepth, readOnly, new DepthResolve(target, mode));
        }
    }

    /**
     * A stencil attachment in layout {@link TextureLayout#DEPTH}, or {@link TextureLayout#DEPTH_RO} if read only. In
     * {@link TextureLayout#GENERAL} or {@link TextureLayout#LOCAL_READ} if the pass declares it there.
     *
     * @param view one mip; of a texture with depth, a view of both planes or of stencil alone
     * @param load load operation; {@link LoadOp#LOAD} if read only
     * @param store store operation; ignored if read only: then nothing is stored and all is kept
     * @param clearStencil clear value, 0 to 255, used with {@link LoadOp#CLEAR}
     * @param readOnly whether stencil is tested but not written
     * @param resolve target of the resolve at the end, or null for none
     */
    public record StencilAttachment(
            TextureView view,
            LoadOp load,
            StoreOp store,
            int clearStencil,
            boolean readOnly,
            @Nullable DepthResolve resolve) {
        /** A stencil attachment that is not resolved. */
        public StencilAttachment(TextureView view, LoadOp load, StoreOp store, int clearStencil, boolean readOnly) {
            this(view, load, store, clearStencil, readOnly, null);
        }

        /** Returns the same attachment, resolved. */
        public StencilAttachment resolvedTo(TextureView target, ResolveMode mode) {
            return new StencilAttachment(view, load, store, clearStencil, readOnly, new DepthResolve(target, mode));
        }
    }

    /**
     * The target of a resolve of depth or stencil at the end of a render pass, in layout {@link TextureLayout#DEPTH}.
     * The attachment is declared as {@link Access#DEPTH_RESOLVE_SRC} and the target as {@link
     * Access#DEPTH_RESOLVE_DST}: like all resolves, this one is not work of the depth tests. If depth and stencil are
     * both resolved, they have one target.
     *
     * @param view one mip of the attachment's format and of one sample
     * @param mode how; the modes of depth and stencil may differ where {@link DeviceLimits.DepthResolve} says so
     */
    public record DepthResolve(TextureView view, ResolveMode mode) {}

    /**
     * A clear colour. Textures of integers take the integers (a {@code double} holds every 32-bit one), others the
     * nearest value that they have.
     */
    public record ClearColor(double red, double green, double blue, double alpha) {
        /** All zero. */
        public static final ClearColor BLACK_TRANSPARENT = new ClearColor(0, 0, 0, 0);

        /** Returns a channel: 0 for red to 3 for alpha. */
        public double channel(int index) {
            return switch (index) {
                case 0 -> red;
                case 1 -> green;
                case 2 -> blue;
                default -> alpha;
            };
        }
    }
}
