package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.Format;
import io.frameloom.gpu.RenderingInfo.ClearColor;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.TextureDescription;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkBufferCopy;
import org.lwjgl.vulkan.VkBufferImageCopy;
import org.lwjgl.vulkan.VkClearColorValue;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkImageCopy;
import org.lwjgl.vulkan.VkImageSubresourceRange;

/** Records copies, fills and clears. */
final class CopyEncoder {
    private CopyEncoder() {}

    static void buffer(
            VkCommandBuffer commands, VulkanBuffer source, long from, VulkanBuffer destination, long to, long bytes) {
        requireRange(source, from, bytes);
        requireRange(destination, to, bytes);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkBufferCopy.Buffer region = VkBufferCopy.calloc(1, stack);
            region.get(0).set(from, to, bytes);
            VK13.vkCmdCopyBuffer(commands, source.handle(), destination.handle(), region);
        }
    }

    static void bufferToTexture(
            VkCommandBuffer commands,
            VulkanBuffer source,
            long offset,
            VulkanTexture destination,
            int mip,
            int layer,
            int layout) {
        requireRange(source, offset, bytes(destination, mip, layer));
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VK13.vkCmdCopyBufferToImage(
                    commands,
                    source.handle(),
                    destination.handle(),
                    layout,
                    region(destination.description(), mip, layer, offset, stack));
        }
    }

    static void textureToBuffer(
            VkCommandBuffer commands,
            VulkanTexture source,
            int mip,
            int layer,
            int layout,
            VulkanBuffer destination,
            long offset) {
        requireRange(destination, offset, bytes(source, mip, layer));
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VK13.vkCmdCopyImageToBuffer(
                    commands,
                    source.handle(),
                    layout,
                    destination.handle(),
                    region(source.description(), mip, layer, offset, stack));
        }
    }

    private static VkBufferImageCopy.Buffer region(
            TextureDescription description, int mip, int layer, long offset, MemoryStack stack) {
        VkBufferImageCopy.Buffer region = VkBufferImageCopy.calloc(1, stack);
        region.bufferOffset(offset);
        region.imageExtent().set(description.width(mip), description.height(mip), 1);
        region.imageSubresource().set(VulkanFormats.firstAspect(description.format()), mip, layer, 1);
        return region;
    }

    private static long bytes(VulkanTexture texture, int mip, int layer) {
        TextureDescription description = texture.description();
        if (mip < 0 || mip >= description.mips() || layer < 0 || layer >= description.layers()) {
            throw new IllegalArgumentException("texture '" + texture.name() + "' has " + description.mips()
                    + " mips and " + description.layers() + " layers, not mip " + mip + " of layer " + layer);
        }
        // Copies of depth with stencil move the depth plane alone.
        int texel = description.format() == Format.D32_SFLOAT_S8_UINT
                ? Format.D32_SFLOAT.bytesPerTexel()
                : description.format().bytesPerTexel();
        return (long) description.width(mip) * description.height(mip) * texel;
    }

    static void texture(
            VkCommandBuffer commands,
            VulkanTexture source,
            int sourceLayout,
            VulkanTexture destination,
            int destinationLayout) {
        TextureDescription from = source.description();
        TextureDescription to = destination.description();
        if (from.width() != to.width() || from.height() != to.height() || from.format() != to.format()) {
            throw new IllegalArgumentException("textures '" + source.name() + "' and '" + destination.name()
                    + "' differ in extent or format: " + from + ", " + to);
        }
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkImageCopy.Buffer region = VkImageCopy.calloc(1, stack);
            region.srcSubresource().set(VulkanFormats.firstAspect(from.format()), 0, 0, 1);
            region.dstSubresource().set(VulkanFormats.firstAspect(to.format()), 0, 0, 1);
            region.extent().set(from.width(), from.height(), 1);
            VK13.vkCmdCopyImage(
                    commands, source.handle(), sourceLayout, destination.handle(), destinationLayout, region);
        }
    }

    static void fill(VkCommandBuffer commands, VulkanBuffer destination, long offset, long bytes, int word) {
        requireRange(destination, offset, bytes);
        if (offset % 4 != 0 || bytes % 4 != 0) {
            throw new IllegalArgumentException("fill of buffer '" + destination.name() + "' at " + offset + " of "
                    + bytes + " bytes must be in multiples of 4");
        }
        VK13.vkCmdFillBuffer(commands, destination.handle(), offset, bytes, word);
    }

    static void clear(
            VkCommandBuffer commands, VulkanTexture destination, int layout, SubresourceRange range, ClearColor color) {
        Format format = destination.description().format();
        if (format.isDepth()) {
            throw new IllegalArgumentException("texture '" + destination.name() + "' has depth format " + format
                    + "; clear depth by a render pass with LoadOp.CLEAR");
        }
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkClearColorValue value = VkClearColorValue.calloc(stack);
            float[] channels = {color.red(), color.green(), color.blue(), color.alpha()};
            for (int i = 0; i < channels.length; i++) {
                if (format == Format.R32_UINT) {
                    value.uint32(i, (int) (long) channels[i]);
                } else {
                    value.float32(i, channels[i]);
                }
            }
            VkImageSubresourceRange target = VkImageSubresourceRange.calloc(stack)
                    .set(
                            VulkanFormats.aspects(format, range),
                            range.baseMip(),
                            range.mipCount(),
                            range.baseLayer(),
                            range.layerCount());
            VK13.vkCmdClearColorImage(commands, destination.handle(), layout, value, target);
        }
    }

    private static void requireRange(VulkanBuffer buffer, long offset, long bytes) {
        if (offset < 0 || bytes < 1 || offset + bytes > buffer.description().bytes()) {
            throw new IllegalArgumentException("range " + offset + "+" + bytes + " is not within buffer '"
                    + buffer.name() + "' of " + buffer.description().bytes() + " bytes");
        }
    }
}
