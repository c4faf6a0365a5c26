package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.LoadOp;
import io.frameloom.gpu.RenderingInfo;
import io.frameloom.gpu.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.RenderingInfo.DepthAttachment;
import io.frameloom.gpu.StoreOp;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.gpu.TextureView;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkRect2D;
import org.lwjgl.vulkan.VkRenderingAttachmentInfo;
import org.lwjgl.vulkan.VkRenderingInfo;
import org.lwjgl.vulkan.VkViewport;

/** Records the begin of a render pass, viewports and scissors. */
final class RenderingEncoder {
    private RenderingEncoder() {}

    static void begin(VkCommandBuffer commands, DeviceCore core, RenderingInfo rendering) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            int count = rendering.colors().size();
            VkRenderingAttachmentInfo.Buffer colors = VkRenderingAttachmentInfo.calloc(count, stack);
            for (int i = 0; i < count; i++) {
                ColorAttachment color = rendering.colors().get(i);
                VkRenderingAttachmentInfo target = colors.get(i)
                        .sType$Default()
                        .imageView(attachment(core, color.view(), rendering).handle())
                        .imageLayout(VulkanMasks.layout(TextureLayout.COLOR))
                        .loadOp(load(color.load()))
                        .storeOp(store(color.store()));
                target.clearValue()
                        .color()
                        .float32(0, color.clear().red())
                        .float32(1, color.clear().green())
                        .float32(2, color.clear().blue())
                        .float32(3, color.clear().alpha());
            }
            VkRenderingInfo info =
                    VkRenderingInfo.calloc(stack).sType$Default().layerCount(1).pColorAttachments(colors);
            info.renderArea().extent().set(rendering.width(), rendering.height());
            DepthAttachment depth = rendering.depth();
            if (depth != null) {
                VkRenderingAttachmentInfo target = VkRenderingAttachmentInfo.calloc(stack)
                        .sType$Default()
                        .imageView(attachment(core, depth.view(), rendering).handle())
                        .imageLayout(
                                VulkanMasks.layout(depth.readOnly() ? TextureLayout.DEPTH_RO : TextureLayout.DEPTH))
                        .loadOp(load(depth.load()))
                        .storeOp(store(depth.store()));
                target.clearValue().depthStencil().depth(depth.clearDepth());
                info.pDepthAttachment(target);
            }
            VK13.vkCmdBeginRendering(commands, info);
            viewport(commands, 0, 0, rendering.width(), rendering.height());
            scissor(commands, 0, 0, rendering.width(), rendering.height());
        }
    }

    private static VulkanTexture.View attachment(DeviceCore core, TextureView view, RenderingInfo rendering) {
        VulkanTexture.View ours = Handles.view(core, view);
        if (ours.range().mipCount() != 1 || ours.range().layerCount() != 1) {
            throw new IllegalArgumentException("attachment '" + ours.texture().name()
                    + "' needs a view of one mip and one layer, got " + ours.range());
        }
        int mip = ours.range().baseMip();
        int width = ours.texture().description().width(mip);
        int height = ours.texture().description().height(mip);
        if (rendering.width() < 1
                || rendering.height() < 1
                || rendering.width() > width
                || rendering.height() > height) {
            throw new IllegalArgumentException("render area " + rendering.width() + "x" + rendering.height()
                    + " is not within attachment '" + ours.texture().name() + "' of " + width + "x" + height);
        }
        return ours;
    }

    private static int load(LoadOp load) {
        return switch (load) {
            case LOAD -> VK13.VK_ATTACHMENT_LOAD_OP_LOAD;
            case CLEAR -> VK13.VK_ATTACHMENT_LOAD_OP_CLEAR;
            case DONT_CARE -> VK13.VK_ATTACHMENT_LOAD_OP_DONT_CARE;
        };
    }

    private static int store(StoreOp store) {
        return switch (store) {
            case STORE -> VK13.VK_ATTACHMENT_STORE_OP_STORE;
            case DONT_CARE -> VK13.VK_ATTACHMENT_STORE_OP_DONT_CARE;
        };
    }

    static void viewport(VkCommandBuffer commands, float x, float y, float width, float height) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkViewport.Buffer viewport = VkViewport.calloc(1, stack);
            viewport.get(0).set(x, y, width, height, 0, 1);
            VK13.vkCmdSetViewport(commands, 0, viewport);
        }
    }

    static void scissor(VkCommandBuffer commands, int x, int y, int width, int height) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkRect2D.Buffer scissor = VkRect2D.calloc(1, stack);
            scissor.offset().set(x, y);
            scissor.extent().set(width, height);
            VK13.vkCmdSetScissor(commands, 0, scissor);
        }
    }
}
