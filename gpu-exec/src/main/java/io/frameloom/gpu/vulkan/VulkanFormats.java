package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.Format;
import io.frameloom.gpu.SubresourceRange;
import org.lwjgl.vulkan.VK13;

/** Formats and aspects in Vulkan's numbers. */
final class VulkanFormats {
    private VulkanFormats() {}

    static int of(Format format) {
        return switch (format) {
            case R8_UNORM -> VK13.VK_FORMAT_R8_UNORM;
            case R8G8B8A8_UNORM -> VK13.VK_FORMAT_R8G8B8A8_UNORM;
            case R8G8B8A8_SRGB -> VK13.VK_FORMAT_R8G8B8A8_SRGB;
            case B8G8R8A8_SRGB -> VK13.VK_FORMAT_B8G8R8A8_SRGB;
            case A2B10G10R10_UNORM -> VK13.VK_FORMAT_A2B10G10R10_UNORM_PACK32;
            case R16G16_SFLOAT -> VK13.VK_FORMAT_R16G16_SFLOAT;
            case R16G16B16A16_SFLOAT -> VK13.VK_FORMAT_R16G16B16A16_SFLOAT;
            case B10G11R11_UFLOAT -> VK13.VK_FORMAT_B10G11R11_UFLOAT_PACK32;
            case R32_SFLOAT -> VK13.VK_FORMAT_R32_SFLOAT;
            case R32_UINT -> VK13.VK_FORMAT_R32_UINT;
            case R32G32_SFLOAT -> VK13.VK_FORMAT_R32G32_SFLOAT;
            case R32G32B32_SFLOAT -> VK13.VK_FORMAT_R32G32B32_SFLOAT;
            case R32G32B32A32_SFLOAT -> VK13.VK_FORMAT_R32G32B32A32_SFLOAT;
            case D32_SFLOAT -> VK13.VK_FORMAT_D32_SFLOAT;
            case D32_SFLOAT_S8_UINT -> VK13.VK_FORMAT_D32_SFLOAT_S8_UINT;
        };
    }

    /** Returns the aspects of the planes of a range. */
    static int aspects(Format format, SubresourceRange range) {
        if (!format.isDepth()) {
            return VK13.VK_IMAGE_ASPECT_COLOR_BIT;
        }
        int aspects = range.basePlane() == 0 ? VK13.VK_IMAGE_ASPECT_DEPTH_BIT : 0;
        if (range.basePlane() + range.planeCount() > 1) {
            aspects |= VK13.VK_IMAGE_ASPECT_STENCIL_BIT;
        }
        return aspects;
    }

    /** Returns the aspect that copies and shaders see: colour or depth. */
    static int firstAspect(Format format) {
        return format.isDepth() ? VK13.VK_IMAGE_ASPECT_DEPTH_BIT : VK13.VK_IMAGE_ASPECT_COLOR_BIT;
    }
}
