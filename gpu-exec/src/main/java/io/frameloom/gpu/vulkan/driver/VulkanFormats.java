package io.frameloom.gpu.vulkan.driver;

import io.frameloom.gpu.resource.ComponentSwizzle;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.FormatSupport;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureViewKind;
import java.util.EnumSet;
import java.util.Set;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkFormatProperties;
import org.lwjgl.vulkan.VkImageFormatProperties;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures;

/** Aspects and kinds of views in Vulkan's numbers, and a device's support of formats. */
public final class VulkanFormats {
    private VulkanFormats() {}

    public static int aspects(Format format, SubresourceRange range) {
        int aspects = 0;
        for (int plane = range.basePlane(); plane < range.basePlane() + range.planeCount(); plane++) {
            aspects |= aspect(format, plane);
        }
        return aspects;
    }

    public static int aspect(Format format, int plane) {
        return switch (format.aspect(plane)) {
            case COLOR -> VK13.VK_IMAGE_ASPECT_COLOR_BIT;
            case DEPTH -> VK13.VK_IMAGE_ASPECT_DEPTH_BIT;
            case STENCIL -> VK13.VK_IMAGE_ASPECT_STENCIL_BIT;
        };
    }

    public static int swizzle(ComponentSwizzle swizzle) {
        return switch (swizzle) {
            case IDENTITY -> VK13.VK_COMPONENT_SWIZZLE_IDENTITY;
            case ZERO -> VK13.VK_COMPONENT_SWIZZLE_ZERO;
            case ONE -> VK13.VK_COMPONENT_SWIZZLE_ONE;
            case R -> VK13.VK_COMPONENT_SWIZZLE_R;
            case G -> VK13.VK_COMPONENT_SWIZZLE_G;
            case B -> VK13.VK_COMPONENT_SWIZZLE_B;
            case A -> VK13.VK_COMPONENT_SWIZZLE_A;
        };
    }

    public static int viewType(TextureViewKind kind) {
        return switch (kind) {
            case TWO_D -> VK13.VK_IMAGE_VIEW_TYPE_2D;
            case TWO_D_ARRAY -> VK13.VK_IMAGE_VIEW_TYPE_2D_ARRAY;
            case THREE_D -> VK13.VK_IMAGE_VIEW_TYPE_3D;
            case CUBE -> VK13.VK_IMAGE_VIEW_TYPE_CUBE;
            case CUBE_ARRAY -> VK13.VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
        };
    }

    /**
     * Asks a device for its support of a format; compressed formats whose feature is off support nothing.
     *
     * @param reduces whether filters can take the smallest or largest texel
     */
    static FormatSupport support(VkPhysicalDevice device, DeviceFeatures features, boolean reduces, Format format) {
        if (format.isCompressed() && !isOn(features.all().features(), format)) {
            return new FormatSupport(
                    false, false, false, false, false, false, false, false, false, false, false, false, 1);
        }
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkFormatProperties properties = VkFormatProperties.malloc(stack);
            VK13.vkGetPhysicalDeviceFormatProperties(device, format.vulkan(), properties);
            int optimal = properties.optimalTilingFeatures();
            boolean color = has(optimal, VK13.VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT);
            boolean depth = has(optimal, VK13.VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT);
            return new FormatSupport(
                    has(optimal, VK13.VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT),
                    has(optimal, VK13.VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT),
                    reduces,
                    has(optimal, VK13.VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT),
                    has(optimal, VK13.VK_FORMAT_FEATURE_STORAGE_IMAGE_ATOMIC_BIT),
                    color,
                    has(optimal, VK13.VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT),
                    depth,
                    has(optimal, VK13.VK_FORMAT_FEATURE_BLIT_SRC_BIT),
                    has(optimal, VK13.VK_FORMAT_FEATURE_BLIT_DST_BIT),
                    has(optimal, VK13.VK_FORMAT_FEATURE_TRANSFER_SRC_BIT | VK13.VK_FORMAT_FEATURE_TRANSFER_DST_BIT),
                    has(properties.bufferFeatures(), VK13.VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT),
                    color || depth ? samples(device, format, color, stack) : 1);
        }
    }

    static Set<Format> with(VkPhysicalDevice device, int feature) {
        Set<Format> having = EnumSet.noneOf(Format.class);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkFormatProperties properties = VkFormatProperties.malloc(stack);
            for (Format format : Format.values()) {
                VK13.vkGetPhysicalDeviceFormatProperties(device, format.vulkan(), properties);
                if (has(properties.optimalTilingFeatures(), feature)) {
                    having.add(format);
                }
            }
        }
        return having;
    }

    private static boolean isOn(VkPhysicalDeviceFeatures features, Format format) {
        if (format.name().startsWith("ASTC")) {
            return features.textureCompressionASTC_LDR();
        }
        return format.name().startsWith("BC") ? features.textureCompressionBC() : features.textureCompressionETC2();
    }

    private static int samples(VkPhysicalDevice device, Format format, boolean color, MemoryStack stack) {
        VkImageFormatProperties limits = VkImageFormatProperties.calloc(stack);
        int result = VK13.vkGetPhysicalDeviceImageFormatProperties(
                device,
                format.vulkan(),
                VK13.VK_IMAGE_TYPE_2D,
                VK13.VK_IMAGE_TILING_OPTIMAL,
                color ? VK13.VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT : VK13.VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
                0,
                limits);
        if (result == VK13.VK_ERROR_FORMAT_NOT_SUPPORTED) {
            return 1;
        }
        VulkanResults.check(result, "ask for the samples of " + format);
        return limits.sampleCounts();
    }

    private static boolean has(int mask, int bits) {
        return (mask & bits) == bits;
    }
}
