package io.frameloom.gpu.vulkan.resource;

import static io.frameloom.gpu.vulkan.driver.VulkanResults.check;

import io.frameloom.gpu.record.ResourceLimits;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureKind;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.VulkanMasks;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkImageFormatProperties;

/** The textures that devices support. Stateless. */
final class TextureSupport {
    private TextureSupport() {}

    /** Returns whether slices of a texture can be attachments: of three dimensions, for that usage, on this device. */
    static boolean hasSlices(DeviceCore core, TextureDescription description) {
        if (description.kind() != TextureKind.THREE_D || !description.usage().contains(TextureUsage.COLOR_ATTACHMENT)) {
            return false;
        }
        try (MemoryStack stack = MemoryStack.stackPush()) {
            int flags = ResourceInfos.flags(description) | VK13.VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT;
            int result = ask(core, description, flags, VkImageFormatProperties.calloc(stack));
            if (result == VK13.VK_ERROR_FORMAT_NOT_SUPPORTED) {
                return false;
            }
            check(result, "ask whether slices of " + description.format() + " can be attachments");
            return true;
        }
    }

    /**
     * Throws if a device has no such sparse texture.
     *
     * @param flags those of sparse images
     */
    static void requireSparse(DeviceCore core, String name, TextureDescription description, int flags) {
        require(core, name, description, flags);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var count = stack.mallocInt(1);
            VK13.vkGetPhysicalDeviceSparseImageFormatProperties(
                    core.adapter().handle(),
                    description.format().vulkan(),
                    ResourceInfos.type(description),
                    VK13.VK_SAMPLE_COUNT_1_BIT,
                    VulkanMasks.textureUsage(description.usage()),
                    VK13.VK_IMAGE_TILING_OPTIMAL,
                    count,
                    null);
            if (count.get(0) == 0) {
                throw new IllegalArgumentException("sparse texture '" + name + "' (" + description.format() + ", "
                        + description.usage() + ") is not supported by "
                        + core.capabilities().name() + "; take another format or usage");
            }
        }
    }

    private static int ask(DeviceCore core, TextureDescription description, int flags, VkImageFormatProperties limits) {
        return VK13.vkGetPhysicalDeviceImageFormatProperties(
                core.adapter().handle(),
                description.format().vulkan(),
                ResourceInfos.type(description),
                VK13.VK_IMAGE_TILING_OPTIMAL,
                VulkanMasks.textureUsage(description.usage()),
                flags,
                limits);
    }

    /**
     * Throws if a device has no such texture.
     *
     * @param name its name, for messages; null while only its shape is asked for
     */
    static void require(DeviceCore core, @Nullable String name, TextureDescription description) {
        require(core, name, description, 0);
    }

    private static void require(DeviceCore core, @Nullable String name, TextureDescription description, int moreFlags) {
        ResourceLimits.check(name, description, core.capabilities());
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkImageFormatProperties limits = VkImageFormatProperties.calloc(stack);
            int result = ask(core, description, ResourceInfos.flags(core, description) | moreFlags, limits);
            String what = ResourceLimits.texture(name) + " (" + description.format() + ", " + description.usage() + ")";
            if (result == VK13.VK_ERROR_FORMAT_NOT_SUPPORTED) {
                throw new IllegalArgumentException(what + " is not supported by "
                        + core.capabilities().name() + ": this format cannot be used so; take another format or usage");
            }
            check(result, "ask for the limits of " + what);
            if (description.width() > limits.maxExtent().width()
                    || description.height() > limits.maxExtent().height()
                    || description.depth() > limits.maxExtent().depth()
                    || description.layers() > limits.maxArrayLayers()) {
                throw new IllegalArgumentException(what + " of " + description.width() + "x" + description.height()
                        + "x" + description.depth() + " with " + description.layers()
                        + " layers is too large; the device allows "
                        + limits.maxExtent().width() + "x" + limits.maxExtent().height() + "x"
                        + limits.maxExtent().depth() + " with " + limits.maxArrayLayers() + " layers");
            }
            if ((limits.sampleCounts() & description.samples()) == 0) {
                throw new IllegalArgumentException(what + " with " + description.samples()
                        + " samples is not supported by " + core.capabilities().name()
                        + "; ask formatSupport for the numbers of samples that are");
            }
        }
    }
}
