package io.frameloom.gpu.vulkan.command;

import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.vulkan.driver.CommandScratch;
import io.frameloom.gpu.vulkan.driver.VulkanFormats;
import io.frameloom.gpu.vulkan.resource.VulkanTexture;
import org.lwjgl.vulkan.VkBufferImageCopy;
import org.lwjgl.vulkan.VkExtent3D;
import org.lwjgl.vulkan.VkImageSubresourceLayers;
import org.lwjgl.vulkan.VkOffset3D;

/** Writes regions of copies, blits and resolves that have been checked. */
final class CopyRegions {
    private CopyRegions() {}

    /** Writes a copy between a region and a buffer; returns its address. */
    static long texels(CommandScratch scratch, VulkanTexture texture, TexelLayout texels, TextureRegion region) {
        Format format = texture.description().format();
        long copy = scratch.zeroed(VkBufferImageCopy.SIZEOF);
        VkBufferImageCopy.nbufferOffset(copy, texels.offset());
        if (texels.rowPitch() != 0) {
            VkBufferImageCopy.nbufferRowLength(
                    copy, (int) (texels.rowPitch() / format.planeBytes(region.plane()) * format.blockWidth()));
        }
        if (texels.slicePitch() != 0) {
            VkBufferImageCopy.nbufferImageHeight(
                    copy, (int) (texels.slicePitch() / texels.rowBytes(format, region) * format.blockHeight()));
        }
        subresource(copy + VkBufferImageCopy.IMAGESUBRESOURCE, texture, region);
        offset(copy + VkBufferImageCopy.IMAGEOFFSET, region);
        extent(copy + VkBufferImageCopy.IMAGEEXTENT, region);
        return copy;
    }

    /** Writes a copy of one mip of one layer, plane 0, with tightly packed rows; returns its address. */
    static long wholeMip(CommandScratch scratch, VulkanTexture texture, int mip, int layer, long offset) {
        var shape = texture.description();
        long copy = scratch.zeroed(VkBufferImageCopy.SIZEOF);
        VkBufferImageCopy.nbufferOffset(copy, offset);
        layers(copy + VkBufferImageCopy.IMAGESUBRESOURCE, VulkanFormats.aspect(shape.format(), 0), mip, layer, 1);
        extent(copy + VkBufferImageCopy.IMAGEEXTENT, shape.width(mip), shape.height(mip), shape.depth(mip));
        return copy;
    }

    static void subresource(long at, VulkanTexture texture, TextureRegion region) {
        int aspect = VulkanFormats.aspect(texture.description().format(), region.plane());
        layers(at, aspect, region.mip(), region.baseLayer(), region.layers());
    }

    private static void layers(long at, int aspect, int mip, int baseLayer, int layers) {
        VkImageSubresourceLayers.naspectMask(at, aspect);
        VkImageSubresourceLayers.nmipLevel(at, mip);
        VkImageSubresourceLayers.nbaseArrayLayer(at, baseLayer);
        VkImageSubresourceLayers.nlayerCount(at, layers);
    }

    static void offset(long at, TextureRegion region) {
        offset(at, region.x(), region.y(), region.z());
    }

    private static void offset(long at, int x, int y, int z) {
        VkOffset3D.nx(at, x);
        VkOffset3D.ny(at, y);
        VkOffset3D.nz(at, z);
    }

    static void extent(long at, TextureRegion region) {
        extent(at, region.width(), region.height(), region.depth());
    }

    private static void extent(long at, int width, int height, int depth) {
        VkExtent3D.nwidth(at, width);
        VkExtent3D.nheight(at, height);
        VkExtent3D.ndepth(at, depth);
    }

    /** Writes the corner of a region with the lowest coordinates, and the one with the highest. */
    static void corners(long at, TextureRegion region) {
        offset(at, region);
        offset(
                at + VkOffset3D.SIZEOF,
                region.x() + region.width(),
                region.y() + region.height(),
                region.z() + region.depth());
    }
}
