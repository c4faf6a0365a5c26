package io.frameloom.gpu.vulkan;

import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkBufferImageCopy;
import org.lwjgl.vulkan.VkClearColorValue;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkDependencyInfo;
import org.lwjgl.vulkan.VkImageMemoryBarrier2;
import org.lwjgl.vulkan.VkImageSubresourceRange;
import org.lwjgl.vulkan.VkMemoryBarrier2;

/** What the engine of the tests records itself. */
final class EngineCommands {
    private EngineCommands() {}

    /** Clears an image of unknown contents and leaves it in layout GENERAL. */
    static void clear(VkCommandBuffer commands, long image, float red, float green, float blue) {
        transition(commands, image, VK13.VK_IMAGE_LAYOUT_UNDEFINED, VK13.VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkClearColorValue color = VkClearColorValue.calloc(stack);
            color.float32(0, red).float32(1, green).float32(2, blue).float32(3, 1);
            VkImageSubresourceRange range = VkImageSubresourceRange.calloc(stack);
            range.aspectMask(VK13.VK_IMAGE_ASPECT_COLOR_BIT).levelCount(1).layerCount(1);
            VK13.vkCmdClearColorImage(commands, image, VK13.VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, color, range);
        }
        transition(commands, image, VK13.VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK13.VK_IMAGE_LAYOUT_GENERAL);
    }

    /** Copies an image in layout GENERAL to a mapped buffer. */
    static void read(VkCommandBuffer commands, long image, long buffer) {
        transition(commands, image, VK13.VK_IMAGE_LAYOUT_GENERAL, VK13.VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkBufferImageCopy.Buffer region = VkBufferImageCopy.calloc(1, stack);
            region.imageSubresource().aspectMask(VK13.VK_IMAGE_ASPECT_COLOR_BIT).layerCount(1);
            region.imageExtent().set(TestEngine.EXTENT, TestEngine.EXTENT, 1);
            VK13.vkCmdCopyImageToBuffer(commands, image, VK13.VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, buffer, region);
        }
        transition(commands, image, VK13.VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK13.VK_IMAGE_LAYOUT_GENERAL);
        toHost(commands);
    }

    static void toHost(VkCommandBuffer commands) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkMemoryBarrier2.Buffer barrier = VkMemoryBarrier2.calloc(1, stack);
            barrier.get(0)
                    .sType$Default()
                    .srcStageMask(VK13.VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)
                    .srcAccessMask(VK13.VK_ACCESS_2_MEMORY_WRITE_BIT)
                    .dstStageMask(VK13.VK_PIPELINE_STAGE_2_HOST_BIT)
                    .dstAccessMask(VK13.VK_ACCESS_2_HOST_READ_BIT);
            VK13.vkCmdPipelineBarrier2(
                    commands, VkDependencyInfo.calloc(stack).sType$Default().pMemoryBarriers(barrier));
        }
    }

    private static void transition(VkCommandBuffer commands, long image, int from, int to) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkImageMemoryBarrier2.Buffer barrier = VkImageMemoryBarrier2.calloc(1, stack);
            barrier.get(0)
                    .sType$Default()
                    .srcStageMask(VK13.VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)
                    .srcAccessMask(VK13.VK_ACCESS_2_MEMORY_WRITE_BIT)
                    .dstStageMask(VK13.VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)
                    .dstAccessMask(VK13.VK_ACCESS_2_MEMORY_READ_BIT | VK13.VK_ACCESS_2_MEMORY_WRITE_BIT)
                    .oldLayout(from)
                    .newLayout(to)
                    .srcQueueFamilyIndex(VK13.VK_QUEUE_FAMILY_IGNORED)
                    .dstQueueFamilyIndex(VK13.VK_QUEUE_FAMILY_IGNORED)
                    .image(image);
            barrier.get(0)
                    .subresourceRange()
                    .aspectMask(VK13.VK_IMAGE_ASPECT_COLOR_BIT)
                    .levelCount(1)
                    .layerCount(1);
            VK13.vkCmdPipelineBarrier2(
                    commands, VkDependencyInfo.calloc(stack).sType$Default().pImageMemoryBarriers(barrier));
        }
    }
}
