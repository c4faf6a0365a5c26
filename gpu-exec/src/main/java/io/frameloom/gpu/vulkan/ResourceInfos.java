package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.TextureDescription;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkBufferCreateInfo;
import org.lwjgl.vulkan.VkImageCreateInfo;

/** Creation structures of images and buffers; the same for own and for placed memory. */
final class ResourceInfos {
    private ResourceInfos() {}

    static VkImageCreateInfo image(TextureDescription description, int[] families, MemoryStack stack) {
        VkImageCreateInfo info = VkImageCreateInfo.calloc(stack)
                .sType$Default()
                .imageType(VK13.VK_IMAGE_TYPE_2D)
                .format(VulkanFormats.of(description.format()))
                .mipLevels(description.mips())
                .arrayLayers(description.layers())
                .samples(VK13.VK_SAMPLE_COUNT_1_BIT)
                .tiling(VK13.VK_IMAGE_TILING_OPTIMAL)
                .usage(VulkanMasks.textureUsage(description.usage()))
                .initialLayout(VK13.VK_IMAGE_LAYOUT_UNDEFINED);
        info.extent().set(description.width(), description.height(), 1);
        if (families.length > 1) {
            info.sharingMode(VK13.VK_SHARING_MODE_CONCURRENT)
                    .queueFamilyIndexCount(families.length)
                    .pQueueFamilyIndices(stack.ints(families));
        }
        return info;
    }

    static VkBufferCreateInfo buffer(BufferDescription description, int[] families, MemoryStack stack) {
        VkBufferCreateInfo info = VkBufferCreateInfo.calloc(stack)
                .sType$Default()
                .size(description.bytes())
                .usage(VulkanMasks.bufferUsage(description.usage()));
        if (families.length > 1) {
            info.sharingMode(VK13.VK_SHARING_MODE_CONCURRENT)
                    .queueFamilyIndexCount(families.length)
                    .pQueueFamilyIndices(stack.ints(families));
        }
        return info;
    }
}
