package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.ComponentSwizzle;
import io.frameloom.gpu.Format;
import io.frameloom.gpu.FormatSupport;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.TextureViewKind;
import java.util.EnumSet;
import java.util.Set;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkFormatProperties;
import org.lwjgl.vulkan.VkImageFormatProperties;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures;

/** Formats, aspects and kinds of views in Vulkan's numbers, and what a device does with a format. */
final class VulkanFormats {
    private VulkanFormats() {}

    static int of(Format format) {
        return switch (format) {
            case R8_UNORM -> VK13.VK_FORMAT_R8_UNORM;
            case R8_SNORM -> VK13.VK_FORMAT_R8_SNORM;
            case R8_UINT -> VK13.VK_FORMAT_R8_UINT;
            case R8_SINT -> VK13.VK_FORMAT_R8_SINT;
            case R8G8_UNORM -> VK13.VK_FORMAT_R8G8_UNORM;
            case R8G8_SNORM -> VK13.VK_FORMAT_R8G8_SNORM;
            case R8G8_UINT -> VK13.VK_FORMAT_R8G8_UINT;
            case R8G8_SINT -> VK13.VK_FORMAT_R8G8_SINT;
            case R8G8B8A8_UNORM -> VK13.VK_FORMAT_R8G8B8A8_UNORM;
            case R8G8B8A8_SNORM -> VK13.VK_FORMAT_R8G8B8A8_SNORM;
            case R8G8B8A8_UINT -> VK13.VK_FORMAT_R8G8B8A8_UINT;
            case R8G8B8A8_SINT -> VK13.VK_FORMAT_R8G8B8A8_SINT;
            case R8G8B8A8_SRGB -> VK13.VK_FORMAT_R8G8B8A8_SRGB;
            case B8G8R8A8_UNORM -> VK13.VK_FORMAT_B8G8R8A8_UNORM;
            case B8G8R8A8_SRGB -> VK13.VK_FORMAT_B8G8R8A8_SRGB;
            case A2B10G10R10_UNORM -> VK13.VK_FORMAT_A2B10G10R10_UNORM_PACK32;
            case A2B10G10R10_UINT -> VK13.VK_FORMAT_A2B10G10R10_UINT_PACK32;
            case B10G11R11_UFLOAT -> VK13.VK_FORMAT_B10G11R11_UFLOAT_PACK32;
            case R16_UNORM -> VK13.VK_FORMAT_R16_UNORM;
            case R16_SNORM -> VK13.VK_FORMAT_R16_SNORM;
            case R16_UINT -> VK13.VK_FORMAT_R16_UINT;
            case R16_SINT -> VK13.VK_FORMAT_R16_SINT;
            case R16_SFLOAT -> VK13.VK_FORMAT_R16_SFLOAT;
            case R16G16_UNORM -> VK13.VK_FORMAT_R16G16_UNORM;
            case R16G16_SNORM -> VK13.VK_FORMAT_R16G16_SNORM;
            case R16G16_UINT -> VK13.VK_FORMAT_R16G16_UINT;
            case R16G16_SINT -> VK13.VK_FORMAT_R16G16_SINT;
            case R16G16_SFLOAT -> VK13.VK_FORMAT_R16G16_SFLOAT;
            case R16G16B16A16_UNORM -> VK13.VK_FORMAT_R16G16B16A16_UNORM;
            case R16G16B16A16_SNORM -> VK13.VK_FORMAT_R16G16B16A16_SNORM;
            case R16G16B16A16_UINT -> VK13.VK_FORMAT_R16G16B16A16_UINT;
            case R16G16B16A16_SINT -> VK13.VK_FORMAT_R16G16B16A16_SINT;
            case R16G16B16A16_SFLOAT -> VK13.VK_FORMAT_R16G16B16A16_SFLOAT;
            case R32_UINT -> VK13.VK_FORMAT_R32_UINT;
            case R32_SINT -> VK13.VK_FORMAT_R32_SINT;
            case R32_SFLOAT -> VK13.VK_FORMAT_R32_SFLOAT;
            case R32G32_UINT -> VK13.VK_FORMAT_R32G32_UINT;
            case R32G32_SINT -> VK13.VK_FORMAT_R32G32_SINT;
            case R32G32_SFLOAT -> VK13.VK_FORMAT_R32G32_SFLOAT;
            case R32G32B32_SFLOAT -> VK13.VK_FORMAT_R32G32B32_SFLOAT;
            case R32G32B32A32_UINT -> VK13.VK_FORMAT_R32G32B32A32_UINT;
            case R32G32B32A32_SINT -> VK13.VK_FORMAT_R32G32B32A32_SINT;
            case R32G32B32A32_SFLOAT -> VK13.VK_FORMAT_R32G32B32A32_SFLOAT;
            case BC1_RGB_UNORM -> VK13.VK_FORMAT_BC1_RGB_UNORM_BLOCK;
            case BC1_RGB_SRGB -> VK13.VK_FORMAT_BC1_RGB_SRGB_BLOCK;
            case BC1_RGBA_UNORM -> VK13.VK_FORMAT_BC1_RGBA_UNORM_BLOCK;
            case BC1_RGBA_SRGB -> VK13.VK_FORMAT_BC1_RGBA_SRGB_BLOCK;
            case BC2_UNORM -> VK13.VK_FORMAT_BC2_UNORM_BLOCK;
            case BC2_SRGB -> VK13.VK_FORMAT_BC2_SRGB_BLOCK;
            case BC3_UNORM -> VK13.VK_FORMAT_BC3_UNORM_BLOCK;
            case BC3_SRGB -> VK13.VK_FORMAT_BC3_SRGB_BLOCK;
            case BC4_UNORM -> VK13.VK_FORMAT_BC4_UNORM_BLOCK;
            case BC4_SNORM -> VK13.VK_FORMAT_BC4_SNORM_BLOCK;
            case BC5_UNORM -> VK13.VK_FORMAT_BC5_UNORM_BLOCK;
            case BC5_SNORM -> VK13.VK_FORMAT_BC5_SNORM_BLOCK;
            case BC6H_UFLOAT -> VK13.VK_FORMAT_BC6H_UFLOAT_BLOCK;
            case BC6H_SFLOAT -> VK13.VK_FORMAT_BC6H_SFLOAT_BLOCK;
            case BC7_UNORM -> VK13.VK_FORMAT_BC7_UNORM_BLOCK;
            case BC7_SRGB -> VK13.VK_FORMAT_BC7_SRGB_BLOCK;
            case ETC2_R8G8B8_UNORM -> VK13.VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK;
            case ETC2_R8G8B8_SRGB -> VK13.VK_FORMAT_ETC2_R8G8B8_SRGB_BLOCK;
            case ETC2_R8G8B8A1_UNORM -> VK13.VK_FORMAT_ETC2_R8G8B8A1_UNORM_BLOCK;
            case ETC2_R8G8B8A1_SRGB -> VK13.VK_FORMAT_ETC2_R8G8B8A1_SRGB_BLOCK;
            case ETC2_R8G8B8A8_UNORM -> VK13.VK_FORMAT_ETC2_R8G8B8A8_UNORM_BLOCK;
            case ETC2_R8G8B8A8_SRGB -> VK13.VK_FORMAT_ETC2_R8G8B8A8_SRGB_BLOCK;
            case EAC_R11_UNORM -> VK13.VK_FORMAT_EAC_R11_UNORM_BLOCK;
            case EAC_R11_SNORM -> VK13.VK_FORMAT_EAC_R11_SNORM_BLOCK;
            case EAC_R11G11_UNORM -> VK13.VK_FORMAT_EAC_R11G11_UNORM_BLOCK;
            case EAC_R11G11_SNORM -> VK13.VK_FORMAT_EAC_R11G11_SNORM_BLOCK;
            case ASTC_4X4_UNORM -> VK13.VK_FORMAT_ASTC_4x4_UNORM_BLOCK;
            case ASTC_4X4_SRGB -> VK13.VK_FORMAT_ASTC_4x4_SRGB_BLOCK;
            case ASTC_5X4_UNORM -> VK13.VK_FORMAT_ASTC_5x4_UNORM_BLOCK;
            case ASTC_5X4_SRGB -> VK13.VK_FORMAT_ASTC_5x4_SRGB_BLOCK;
            case ASTC_5X5_UNORM -> VK13.VK_FORMAT_ASTC_5x5_UNORM_BLOCK;
            case ASTC_5X5_SRGB -> VK13.VK_FORMAT_ASTC_5x5_SRGB_BLOCK;
            case ASTC_6X5_UNORM -> VK13.VK_FORMAT_ASTC_6x5_UNORM_BLOCK;
            case ASTC_6X5_SRGB -> VK13.VK_FORMAT_ASTC_6x5_SRGB_BLOCK;
            case ASTC_6X6_UNORM -> VK13.VK_FORMAT_ASTC_6x6_UNORM_BLOCK;
            case ASTC_6X6_SRGB -> VK13.VK_FORMAT_ASTC_6x6_SRGB_BLOCK;
            case ASTC_8X5_UNORM -> VK13.VK_FORMAT_ASTC_8x5_UNORM_BLOCK;
            case ASTC_8X5_SRGB -> VK13.VK_FORMAT_ASTC_8x5_SRGB_BLOCK;
            case ASTC_8X6_UNORM -> VK13.VK_FORMAT_ASTC_8x6_UNORM_BLOCK;
            case ASTC_8X6_SRGB -> VK13.VK_FORMAT_ASTC_8x6_SRGB_BLOCK;
            case ASTC_8X8_UNORM -> VK13.VK_FORMAT_ASTC_8x8_UNORM_BLOCK;
            case ASTC_8X8_SRGB -> VK13.VK_FORMAT_ASTC_8x8_SRGB_BLOCK;
            case ASTC_10X5_UNORM -> VK13.VK_FORMAT_ASTC_10x5_UNORM_BLOCK;
            case ASTC_10X5_SRGB -> VK13.VK_FORMAT_ASTC_10x5_SRGB_BLOCK;
            case ASTC_10X6_UNORM -> VK13.VK_FORMAT_ASTC_10x6_UNORM_BLOCK;
            case ASTC_10X6_SRGB -> VK13.VK_FORMAT_ASTC_10x6_SRGB_BLOCK;
            case ASTC_10X8_UNORM -> VK13.VK_FORMAT_ASTC_10x8_UNORM_BLOCK;
            case ASTC_10X8_SRGB -> VK13.VK_FORMAT_ASTC_10x8_SRGB_BLOCK;
            case ASTC_10X10_UNORM -> VK13.VK_FORMAT_ASTC_10x10_UNORM_BLOCK;
            case ASTC_10X10_SRGB -> VK13.VK_FORMAT_ASTC_10x10_SRGB_BLOCK;
            case ASTC_12X10_UNORM -> VK13.VK_FORMAT_ASTC_12x10_UNORM_BLOCK;
            case ASTC_12X10_SRGB -> VK13.VK_FORMAT_ASTC_12x10_SRGB_BLOCK;
            case ASTC_12X12_UNORM -> VK13.VK_FORMAT_ASTC_12x12_UNORM_BLOCK;
            case ASTC_12X12_SRGB -> VK13.VK_FORMAT_ASTC_12x12_SRGB_BLOCK;
            case D16_UNORM -> VK13.VK_FORMAT_D16_UNORM;
            case D24_UNORM_S8_UINT -> VK13.VK_FORMAT_D24_UNORM_S8_UINT;
            case D32_SFLOAT -> VK13.VK_FORMAT_D32_SFLOAT;
            case D32_SFLOAT_S8_UINT -> VK13.VK_FORMAT_D32_SFLOAT_S8_UINT;
            case S8_UINT -> VK13.VK_FORMAT_S8_UINT;
        };
    }

    /** Returns the aspects of the planes of a range. */
    static int aspects(Format format, SubresourceRange range) {
        int aspects = 0;
        for (int plane = range.basePlane(); plane < range.basePlane() + range.planeCount(); plane++) {
            aspects |= aspect(format, plane);
        }
        return aspects;
    }

    /** Returns the aspect of a plane. */
    static int aspect(Format format, int plane) {
        return switch (format.aspect(plane)) {
            case COLOR -> VK13.VK_IMAGE_ASPECT_COLOR_BIT;
            case DEPTH -> VK13.VK_IMAGE_ASPECT_DEPTH_BIT;
            case STENCIL -> VK13.VK_IMAGE_ASPECT_STENCIL_BIT;
        };
    }

    static int swizzle(ComponentSwizzle swizzle) {
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

    static int viewType(TextureViewKind kind) {
        return switch (kind) {
            case TWO_D -> VK13.VK_IMAGE_VIEW_TYPE_2D;
            case TWO_D_ARRAY -> VK13.VK_IMAGE_VIEW_TYPE_2D_ARRAY;
            case THREE_D -> VK13.VK_IMAGE_VIEW_TYPE_3D;
            case CUBE -> VK13.VK_IMAGE_VIEW_TYPE_CUBE;
            case CUBE_ARRAY -> VK13.VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
        };
    }

    /** Asks a device what it does with a format; blocks whose feature is not on are good for nothing. */
    static FormatSupport support(DeviceCore core, Format format) {
        if (format.isCompressed() && !isOn(core.features().all().features(), format)) {
            return new FormatSupport(
                    false, false, false, false, false, false, false, false, false, false, false, false, 1);
        }
        VkPhysicalDevice device = core.adapter().handle();
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkFormatProperties properties = VkFormatProperties.malloc(stack);
            VK13.vkGetPhysicalDeviceFormatProperties(device, of(format), properties);
            int optimal = properties.optimalTilingFeatures();
            boolean color = has(optimal, VK13.VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT);
            boolean depth = has(optimal, VK13.VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT);
            return new FormatSupport(
                    has(optimal, VK13.VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT),
                    has(optimal, VK13.VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT),
                    core.reduces(format),
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

    /** Returns the formats of textures that have a feature. */
    static Set<Format> with(VkPhysicalDevice device, int feature) {
        Set<Format> having = EnumSet.noneOf(Format.class);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkFormatProperties properties = VkFormatProperties.malloc(stack);
            for (Format format : Format.values()) {
                VK13.vkGetPhysicalDeviceFormatProperties(device, of(format), properties);
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
                of(format),
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
