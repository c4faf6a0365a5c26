package io.frameloom.gpu.vulkan.command;

import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.vulkan.driver.CommandScratch;
import io.frameloom.gpu.vulkan.driver.VulkanFormats;
import io.frameloom.gpu.vulkan.driver.VulkanMasks;
import io.frameloom.gpu.vulkan.resource.VulkanBuffer;
import io.frameloom.gpu.vulkan.resource.VulkanTexture;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkBufferCopy;
import org.lwjgl.vulkan.VkBufferImageCopy;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkExtent3D;
import org.lwjgl.vulkan.VkImageBlit;
import org.lwjgl.vulkan.VkImageCopy;
import org.lwjgl.vulkan.VkImageResolve;
import org.lwjgl.vulkan.VkImageSubresourceLayers;
import org.lwjgl.vulkan.VkOffset3D;

/** Writes copies, blits and resolves that have been checked. */
final class CopyEncoder {
    private CopyEncoder() {}

    static void buffer(
            VkCommandBuffer commands,
            CommandScratch scratch,
            VulkanBuffer source,
            long from,
            VulkanBuffer destination,
            long to,
            long bytes) {
        long region = scratch.zeroed(VkBufferCopy.SIZEOF);
        VkBufferCopy.nsrcOffset(region, from);
        VkBufferCopy.ndstOffset(region, to);
        VkBufferCopy.nsize(region, bytes);
        VK13.nvkCmdCopyBuffer(commands, source.handle(), destination.handle(), 1, region);
    }

    static void bufferToTexture(
            VkCommandBuffer commands,
            CommandScratch scratch,
            VulkanBuffer source,
            TexelLayout texels,
            VulkanTexture destination,
            TextureRegion region,
            int layout) {
        VK13.nvkCmdCopyBufferToImage(
                commands,
                source.handle(),
                destination.handle(),
                layout,
                1,
                texels(scratch, destination.description().format(), texels, region));
    }

    static void textureToBuffer(
            VkCommandBuffer commands,
            CommandScratch scratch,
            VulkanTexture source,
            TextureRegion region,
            int layout,
            VulkanBuffer destination,
            TexelLayout texels) {
        VK13.nvkCmdCopyImageToBuffer(
                commands,
                source.handle(),
                layout,
                destination.handle(),
                1,
                texels(scratch, source.description().format(), texels, region));
    }

    private static long texels(CommandScratch scratch, Format format, TexelLayout texels, TextureRegion region) {
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
        subresource(copy + VkBufferImageCopy.IMAGESUBRESOURCE, format, region);
        offset(copy + VkBufferImageCopy.IMAGEOFFSET, region.x(), region.y(), region.z());
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

    static void texture(
            VkCommandBuffer commands,
            CommandScratch scratch,
            VulkanTexture source,
            TextureRegion from,
            int sourceLayout,
            VulkanTexture destination,
            TextureRegion to,
            int destinationLayout) {
        long copy = scratch.zeroed(VkImageCopy.SIZEOF);
        subresource(copy + VkImageCopy.SRCSUBRESOURCE, source.description().format(), from);
        subresource(copy + VkImageCopy.DSTSUBRESOURCE, destination.description().format(), to);
        offset(copy + VkImageCopy.SRCOFFSET, from.x(), from.y(), from.z());
        offset(copy + VkImageCopy.DSTOFFSET, to.x(), to.y(), to.z());
        extent(copy + VkImageCopy.EXTENT, from);
        VK13.nvkCmdCopyImage(commands, source.handle(), sourceLayout, destination.handle(), destinationLayout, 1, copy);
    }

    static void blit(
            VkCommandBuffer commands,
            CommandScratch scratch,
            VulkanTexture source,
            TextureRegion from,
            int sourceLayout,
            VulkanTexture destination,
            TextureRegion to,
            int destinationLayout,
            Filter filter) {
        long blit = scratch.zeroed(VkImageBlit.SIZEOF);
        subresource(blit + VkImageBlit.SRCSUBRESOURCE, source.description().format(), from);
        subresource(blit + VkImageBlit.DSTSUBRESOURCE, destination.description().format(), to);
        corners(blit + VkImageBlit.SRCOFFSETS, from);
        corners(blit + VkImageBlit.DSTOFFSETS, to);
        VK13.nvkCmdBlitImage(
                commands,
                source.handle(),
                sourceLayout,
                destination.handle(),
                destinationLayout,
                1,
                blit,
                VulkanMasks.filter(filter));
    }

    static void resolve(
            VkCommandBuffer commands,
            CommandScratch scratch,
            VulkanTexture source,
            TextureRegion from,
            int sourceLayout,
            VulkanTexture destination,
            TextureRegion to,
            int destinationLayout) {
        long resolve = scratch.zeroed(VkImageResolve.SIZEOF);
        subresource(
                resolve + VkImageResolve.SRCSUBRESOURCE, source.description().format(), from);
        subresource(
                resolve + VkImageResolve.DSTSUBRESOURCE,
                destination.description().format(),
                to);
        offset(resolve + VkImageResolve.SRCOFFSET, from.x(), from.y(), from.z());
        offset(resolve + VkImageResolve.DSTOFFSET, to.x(), to.y(), to.z());
        extent(resolve + VkImageResolve.EXTENT, from);
        VK13.nvkCmdResolveImage(
                commands, source.handle(), sourceLayout, destination.handle(), destinationLayout, 1, resolve);
    }

    private static void subresource(long at, Format format, TextureRegion region) {
        layers(at, VulkanFormats.aspect(format, region.plane()), region.mip(), region.baseLayer(), region.layers());
    }

    private static void layers(long at, int aspect, int mip, int baseLayer, int layers) {
        VkImageSubresourceLayers.naspectMask(at, aspect);
        VkImageSubresourceLayers.nmipLevel(at, mip);
        VkImageSubresourceLayers.nbaseArrayLayer(at, baseLayer);
        VkImageSubresourceLayers.nlayerCount(at, layers);
    }

    private static void offset(long at, int x, int y, int z) {
        VkOffset3D.nx(at, x);
        VkOffset3D.ny(at, y);
        VkOffset3D.nz(at, z);
    }

    private static void extent(long at, TextureRegion region) {
        extent(at, region.width(), region.height(), region.depth());
    }

    private static void extent(long at, int width, int height, int depth) {
        VkExtent3D.nwidth(at, width);
        VkExtent3D.nheight(at, height);
        VkExtent3D.ndepth(at, depth);
    }

    private static void corners(long at, TextureRegion region) {
        offset(at, region.x(), region.y(), region.z());
        offset(
                at + VkOffset3D.SIZEOF,
                region.x() + region.width(),
                region.y() + region.height(),
                region.z() + region.depth());
    }
}
