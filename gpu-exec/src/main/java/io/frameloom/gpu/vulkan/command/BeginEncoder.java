package io.frameloom.gpu.vulkan.command;

import io.frameloom.gpu.command.RenderingFormats;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.vulkan.driver.CommandScratch;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkCommandBufferBeginInfo;
import org.lwjgl.vulkan.VkCommandBufferInheritanceInfo;
import org.lwjgl.vulkan.VkCommandBufferInheritanceRenderingInfo;

/** Begins command buffers, each of which is submitted or executed once; returns the driver's result. */
final class BeginEncoder {
    private BeginEncoder() {}

    static int primary(VkCommandBuffer commands, CommandScratch scratch) {
        long info = scratch.zeroed(VkCommandBufferBeginInfo.SIZEOF);
        VkCommandBufferBeginInfo.nsType(info, VK13.VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
        VkCommandBufferBeginInfo.nflags(info, VK13.VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
        return VK13.nvkBeginCommandBuffer(commands, info);
    }

    /** Begins one for a render pass of the given formats, or for work outside of render passes. */
    static int secondary(VkCommandBuffer commands, CommandScratch scratch, @Nullable RenderingFormats formats) {
        int colors = formats == null ? 0 : formats.colors().size();
        long info = scratch.zeroed(VkCommandBufferBeginInfo.SIZEOF
                + VkCommandBufferInheritanceInfo.SIZEOF
                + VkCommandBufferInheritanceRenderingInfo.SIZEOF
                + colors * Integer.BYTES);
        long inheritance = info + VkCommandBufferBeginInfo.SIZEOF;
        VkCommandBufferBeginInfo.nsType(info, VK13.VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
        VkCommandBufferBeginInfo.nflags(info, VK13.VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
        MemoryUtil.memPutAddress(info + VkCommandBufferBeginInfo.PINHERITANCEINFO, inheritance);
        VkCommandBufferInheritanceInfo.nsType(inheritance, VK13.VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO);
        if (formats != null) {
            VkCommandBufferBeginInfo.nflags(
                    info,
                    VK13.VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT
                            | VK13.VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
            long rendering = inheritance + VkCommandBufferInheritanceInfo.SIZEOF;
            VkCommandBufferInheritanceInfo.npNext(inheritance, rendering);
            fill(rendering, formats);
        }
        return VK13.nvkBeginCommandBuffer(commands, info);
    }

    private static void fill(long rendering, RenderingFormats formats) {
        long colors = rendering + VkCommandBufferInheritanceRenderingInfo.SIZEOF;
        int count = formats.colors().size();
        for (int i = 0; i < count; i++) {
            MemoryUtil.memPutInt(
                    colors + (long) i * Integer.BYTES, formats.colors().get(i).vulkan());
        }
        VkCommandBufferInheritanceRenderingInfo.nsType(
                rendering, VK13.VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO);
        VkCommandBufferInheritanceRenderingInfo.nviewMask(rendering, (1 << formats.views()) - 1);
        VkCommandBufferInheritanceRenderingInfo.ncolorAttachmentCount(rendering, count);
        MemoryUtil.memPutAddress(rendering + VkCommandBufferInheritanceRenderingInfo.PCOLORATTACHMENTFORMATS, colors);
        VkCommandBufferInheritanceRenderingInfo.ndepthAttachmentFormat(rendering, of(formats.depth()));
        VkCommandBufferInheritanceRenderingInfo.nstencilAttachmentFormat(rendering, of(formats.stencil()));
        VkCommandBufferInheritanceRenderingInfo.nrasterizationSamples(rendering, formats.samples());
    }

    private static int of(@Nullable Format format) {
        return format == null ? VK13.VK_FORMAT_UNDEFINED : format.vulkan();
    }
}
