package io.frameloom.gpu.vulkan.command;

import static org.lwjgl.system.MemoryUtil.memPutFloat;
import static org.lwjgl.system.MemoryUtil.memPutInt;

import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.vulkan.driver.CommandScratch;
import io.frameloom.gpu.vulkan.driver.VulkanFormats;
import io.frameloom.gpu.vulkan.resource.VulkanTexture;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkClearAttachment;
import org.lwjgl.vulkan.VkClearDepthStencilValue;
import org.lwjgl.vulkan.VkClearRect;
import org.lwjgl.vulkan.VkClearValue;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkExtent2D;
import org.lwjgl.vulkan.VkImageSubresourceRange;
import org.lwjgl.vulkan.VkOffset2D;
import org.lwjgl.vulkan.VkRect2D;

/** Writes clears outside and inside of render passes that have been checked. */
final class ClearEncoder {
    private static final int CHANNELS = 4;

    private ClearEncoder() {}

    static void color(
            VkCommandBuffer commands,
            CommandScratch scratch,
            VulkanTexture destination,
            int layout,
            SubresourceRange range,
            ClearColor color) {
        Format format = destination.description().format();
        long value = scratch.zeroed(VkClearValue.SIZEOF + VkImageSubresourceRange.SIZEOF);
        long target = value + VkClearValue.SIZEOF;
        value(value, format, color);
        range(target, format, range);
        VK13.nvkCmdClearColorImage(commands, destination.handle(), layout, value, 1, target);
    }

    static void depthStencil(
            VkCommandBuffer commands,
            CommandScratch scratch,
            VulkanTexture destination,
            int layout,
            SubresourceRange range,
            float depth,
            int stencil) {
        long value = scratch.zeroed(VkClearValue.SIZEOF + VkImageSubresourceRange.SIZEOF);
        long target = value + VkClearValue.SIZEOF;
        value(value, depth, stencil);
        range(target, destination.description().format(), range);
        VK13.nvkCmdClearDepthStencilImage(commands, destination.handle(), layout, value, 1, target);
    }

    static void colorAttachment(
            VkCommandBuffer commands,
            CommandScratch scratch,
            int attachment,
            Format format,
            ClearColor color,
            int layers,
            int x,
            int y,
            int width,
            int height) {
        long clear = scratch.zeroed(VkClearAttachment.SIZEOF + VkClearRect.SIZEOF);
        VkClearAttachment.naspectMask(clear, VK13.VK_IMAGE_ASPECT_COLOR_BIT);
        VkClearAttachment.ncolorAttachment(clear, attachment);
        value(clear + VkClearAttachment.CLEARVALUE, format, color);
        attachments(commands, clear, layers, x, y, width, height);
    }

    static void depthStencilAttachment(
            VkCommandBuffer commands,
            CommandScratch scratch,
            int aspects,
            float depth,
            int stencil,
            int layers,
            int x,
            int y,
            int width,
            int height) {
        long clear = scratch.zeroed(VkClearAttachment.SIZEOF + VkClearRect.SIZEOF);
        VkClearAttachment.naspectMask(clear, aspects);
        value(clear + VkClearAttachment.CLEARVALUE, depth, stencil);
        attachments(commands, clear, layers, x, y, width, height);
    }

    private static void attachments(
            VkCommandBuffer commands, long clear, int layers, int x, int y, int width, int height) {
        long rectangle = clear + VkClearAttachment.SIZEOF;
        rectangle(rectangle + VkClearRect.RECT, x, y, width, height);
        VkClearRect.nlayerCount(rectangle, layers);
        VK13.nvkCmdClearAttachments(commands, 1, clear, 1, rectangle);
    }

    /** Writes a clear colour as a format takes it. */
    static void value(long at, Format format, ClearColor color) {
        boolean integers = format.kind() != Format.NumericKind.FLOAT;
        for (int i = 0; i < CHANNELS; i++) {
            double channel = color.channel(i);
            if (integers) {
                memPutInt(at + (long) i * Integer.BYTES, (int) (long) channel);
            } else {
                memPutFloat(at + (long) i * Float.BYTES, (float) channel);
            }
        }
    }

    /** Writes clear values of depth and stencil. */
    static void value(long at, float depth, int stencil) {
        VkClearDepthStencilValue.ndepth(at, depth);
        VkClearDepthStencilValue.nstencil(at, stencil);
    }

    static void rectangle(long at, int x, int y, int width, int height) {
        VkOffset2D.nx(at + VkRect2D.OFFSET, x);
        VkOffset2D.ny(at + VkRect2D.OFFSET, y);
        VkExtent2D.nwidth(at + VkRect2D.EXTENT, width);
        VkExtent2D.nheight(at + VkRect2D.EXTENT, height);
    }

    private static void range(long at, Format format, SubresourceRange range) {
        VkImageSubresourceRange.naspectMask(at, VulkanFormats.aspects(format, range));
        VkImageSubresourceRange.nbaseMipLevel(at, range.baseMip());
        VkImageSubresourceRange.nlevelCount(at, range.mipCount());
        VkImageSubresourceRange.nbaseArrayLayer(at, range.baseLayer());
        VkImageSubresourceRange.nlayerCount(at, range.layerCount());
    }
}
