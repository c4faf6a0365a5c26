package io.frameloom.gpu.vulkan.driver;

import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureRegion;
import org.lwjgl.vulkan.VkExtent3D;

/**
 * The units in which the queues of a family copy regions of textures ("minImageTransferGranularity" in the Vulkan
 * specification): single texels, or blocks of so many, or only whole mips, for which all three are 0. In texels, or in
 * the blocks of a compressed format.
 *
 * @param width unit of x and of widths
 * @param height unit of y and of heights
 * @param depth unit of z and of depths
 */
public record CopyGranularity(int width, int height, int depth) {
    static CopyGranularity of(VkExtent3D extent) {
        return new CopyGranularity(extent.width(), extent.height(), extent.depth());
    }

    /** Returns whether any region is taken, as graphics and compute queues always do. */
    public boolean isTexel() {
        return width == 1 && height == 1 && depth == 1;
    }

    /**
     * Checks the region of a copy.
     *
     * @param where begin of the message
     * @param queue name of the queue
     * @param texture name of the texture
     * @param shape its description
     */
    public void check(String where, String queue, String texture, TextureDescription shape, TextureRegion region) {
        boolean fits = fits(
                        region.x(),
                        region.width(),
                        shape.width(region.mip()),
                        width * shape.format().blockWidth())
                && fits(
                        region.y(),
                        region.height(),
                        shape.height(region.mip()),
                        height * shape.format().blockHeight())
                && fits(region.z(), region.depth(), shape.depth(region.mip()), depth);
        if (!fits) {
            throw new IllegalArgumentException(where + ": " + region + " of texture '" + texture
                    + "' is not what queue '" + queue + "' copies, "
                    + (width == 0 ? "whole mips" : "units of " + width + "x" + height + "x" + depth)
                    + "; copy such a region on another queue");
        }
    }

    private static boolean fits(int offset, int extent, int whole, int unit) {
        return unit == 0
                ? offset == 0 && extent == whole
                : offset % unit == 0 && (extent % unit == 0 || offset + extent == whole);
    }
}
