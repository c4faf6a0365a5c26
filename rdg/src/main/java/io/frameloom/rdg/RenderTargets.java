package io.frameloom.rdg;

import io.frameloom.gpu.LoadOp;
import io.frameloom.gpu.RenderingInfo.ClearColor;
import io.frameloom.gpu.StoreOp;
import io.frameloom.gpu.SubresourceRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The attachments of a raster pass with their load and store operations as the compiler inferred them.
 *
 * @param width width of the render area in texels
 * @param height height of the render area in texels
 * @param colors colour attachments by slot
 * @param depth depth attachment, or null for none
 */
public record RenderTargets(
        int width, int height, List<Color> colors, @Nullable Depth depth) {
    /** Copies the list. */
    public RenderTargets {
        colors = List.copyOf(colors);
    }

    /**
     * A colour attachment.
     *
     * @param resource index of the texture in {@link FramePlan#resources}
     * @param range one mip of one layer
     * @param load load operation
     * @param store store operation
     * @param clear clear colour, used with {@link LoadOp#CLEAR}
     */
    public record Color(int resource, SubresourceRange range, LoadOp load, StoreOp store, ClearColor clear) {}

    /**
     * A depth attachment.
     *
     * @param resource index of the texture in {@link FramePlan#resources}
     * @param range one mip of one layer, all planes
     * @param load load operation
     * @param store store operation
     * @param clear clear value, used with {@link LoadOp#CLEAR}
     * @param readOnly whether depth is tested but not written
     */
    public record Depth(
            int resource, SubresourceRange range, LoadOp load, StoreOp store, float clear, boolean readOnly) {}
}
