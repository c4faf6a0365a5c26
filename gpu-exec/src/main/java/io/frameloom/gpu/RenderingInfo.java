package io.frameloom.gpu;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The attachments of one render pass (dynamic rendering).
 *
 * @param width width of the render area in texels
 * @param height height of the render area in texels
 * @param colors colour attachments in order
 * @param depth depth attachment, or null for none
 */
public record RenderingInfo(
        int width,
        int height,
        List<ColorAttachment> colors,
        @Nullable DepthAttachment depth) {
    /** Copies the list. */
    public RenderingInfo {
        colors = List.copyOf(colors);
    }

    /**
     * A colour attachment in layout {@link TextureLayout#COLOR}.
     *
     * @param view one mip, one layer
     * @param load load operation
     * @param store store operation
     * @param clear clear colour, used with {@link LoadOp#CLEAR}
     */
    public record ColorAttachment(TextureView view, LoadOp load, StoreOp store, ClearColor clear) {}

    /**
     * A depth attachment in layout {@link TextureLayout#DEPTH}, or {@link TextureLayout#DEPTH_RO} if read only.
     *
     * @param view one mip, one layer
     * @param load load operation
     * @param store store operation
     * @param clearDepth clear value, used with {@link LoadOp#CLEAR}
     * @param readOnly whether depth is tested but not written
     */
    public record DepthAttachment(TextureView view, LoadOp load, StoreOp store, float clearDepth, boolean readOnly) {}

    /**
     * A clear colour.
     *
     * @param red red
     * @param green green
     * @param blue blue
     * @param alpha alpha
     */
    public record ClearColor(float red, float green, float blue, float alpha) {
        /** All zero. */
        public static final ClearColor BLACK_TRANSPARENT = new ClearColor(0, 0, 0, 0);
    }
}
