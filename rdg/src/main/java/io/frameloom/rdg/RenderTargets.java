package io.frameloom.rdg;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.ResolveMode;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.resource.SubresourceRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The attachments of a raster pass with their load and store operations as the compiler inferred them. Immutable; any
 * thread. Made by the compiler from what it has validated; nothing is checked again.
 *
 * @param x left edge of the render area in texels
 * @param y upper edge of the render area in texels
 * @param width width of the render area in texels
 * @param height height of the render area in texels
 * @param layers layers, or slices, that are rendered to
 * @param colors colour attachments by slot
 * @param depth depth attachment, or null for none
 * @param stencil stencil attachment, or null for none; of the same texture as depth if there are both
 */
public record RenderTargets(
        int x,
        int y,
        int width,
        int height,
        int layers,
        List<Color> colors,
        @Nullable Depth depth,
        @Nullable Stencil stencil) {
    public RenderTargets {
        colors = List.copyOf(colors);
    }

    /** Returns whether the render areas are the same. */
    public boolean hasAreaOf(RenderTargets other) {
        return x == other.x && y == other.y && width == other.width && height == other.height;
    }

    /**
     * Slices of one mip of a texture of three dimensions.
     *
     * @param first first slice
     * @param count number of slices
     */
    public record Slices(int first, int count) {}

    /**
     * A colour attachment.
     *
     * @param resource index of the texture in {@link FramePlan#resources}
     * @param range one mip
     * @param slices slices of a texture of three dimensions that are attached, null for other textures
     * @param load load operation
     * @param store store operation
     * @param clear clear colour, used with {@link LoadOp#CLEAR}
     * @param resolve where its samples are resolved to, or null for nowhere
     * @param readOnly whether shaders read it and nothing writes it
     */
    public record Color(
            int resource,
            SubresourceRange range,
            @Nullable Slices slices,
            LoadOp load,
            StoreOp store,
            ClearColor clear,
            @Nullable Resolve resolve,
            boolean readOnly) {}

    /**
     * A depth attachment.
     *
     * @param resource index of the texture in {@link FramePlan#resources}
     * @param range one mip, the plane of depth
     * @param load load operation
     * @param store whether its contents are needed later; if read only, nothing is stored either way
     * @param clear clear value, used with {@link LoadOp#CLEAR}
     * @param readOnly whether depth is tested but not written
     * @param resolve where its samples are resolved to, or null for nowhere
     */
    public record Depth(
            int resource,
            SubresourceRange range,
            LoadOp load,
            StoreOp store,
            float clear,
            boolean readOnly,
            @Nullable Resolve resolve) {}

    /**
     * A stencil attachment.
     *
     * @param resource index of the texture in {@link FramePlan#resources}
     * @param range one mip, the plane of stencil
     * @param load load operation
     * @param store whether its contents are needed later; if read only, nothing is stored either way
     * @param clear clear value, 0 to 255, used with {@link LoadOp#CLEAR}
     * @param readOnly whether stencil is tested but not written
     * @param resolve where its samples are resolved to, or null for nowhere
     */
    public record Stencil(
            int resource,
            SubresourceRange range,
            LoadOp load,
            StoreOp store,
            int clear,
            boolean readOnly,
            @Nullable Resolve resolve) {}

    /**
     * Where the samples of an attachment become one at the end of the render pass.
     *
     * @param resource index of the texture in {@link FramePlan#resources}
     * @param range one mip, the plane of the attachment
     * @param mode how depth or stencil is resolved; null for colours, which have one way
     */
    public record Resolve(
            int resource, SubresourceRange range, @Nullable ResolveMode mode) {}

    /** Returns whether an attachment is resolved. */
    public boolean resolves() {
        return resolvesColors() || resolvesDepthOrStencil();
    }

    private boolean resolvesColors() {
        for (Color color : colors) {
            if (color.resolve != null) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether depth or stencil is resolved. */
    public boolean resolvesDepthOrStencil() {
        return (depth != null && depth.resolve != null) || (stencil != null && stencil.resolve != null);
    }
}
