package io.frameloom.gpu.vulkan.driver;

import io.frameloom.gpu.command.ResolveMode;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.Set;
import org.lwjgl.vulkan.KHRAccelerationStructure;
import org.lwjgl.vulkan.KHRDynamicRenderingLocalRead;
import org.lwjgl.vulkan.VK13;

/** Layouts, usages and modes in Vulkan's numbers. */
public final class VulkanMasks {
    private VulkanMasks() {}

    public static int layout(TextureLayout layout) {
        return switch (layout) {
            case UNDEFINED -> VK13.VK_IMAGE_LAYOUT_UNDEFINED;
            case GENERAL -> VK13.VK_IMAGE_LAYOUT_GENERAL;
            case COLOR -> VK13.VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
            case DEPTH -> VK13.VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
            case DEPTH_RO -> VK13.VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL;
            case SHADER_RO -> VK13.VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
            case TRANSFER_SRC -> VK13.VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
            case TRANSFER_DST -> VK13.VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
            case LOCAL_READ -> KHRDynamicRenderingLocalRead.VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ_KHR;
            case PRESENT -> org.lwjgl.vulkan.KHRSwapchain.VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;
        };
    }

    public static int filter(Filter filter) {
        return filter == Filter.LINEAR ? VK13.VK_FILTER_LINEAR : VK13.VK_FILTER_NEAREST;
    }

    public static int textureUsage(Set<TextureUsage> usages) {
        int mask = 0;
        for (TextureUsage usage : usages) {
            mask |= switch (usage) {
                case SAMPLED -> VK13.VK_IMAGE_USAGE_SAMPLED_BIT;
                case STORAGE -> VK13.VK_IMAGE_USAGE_STORAGE_BIT;
                case COLOR_ATTACHMENT -> VK13.VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
                case DEPTH_ATTACHMENT -> VK13.VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
                case COPY_SRC -> VK13.VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
                case COPY_DST -> VK13.VK_IMAGE_USAGE_TRANSFER_DST_BIT;
                case INPUT_ATTACHMENT -> VK13.VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
                case TRANSIENT_ATTACHMENT -> VK13.VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT;
            };
        }
        return mask;
    }

    public static int bufferUsage(Set<BufferUsage> usages) {
        int mask = 0;
        for (BufferUsage usage : usages) {
            mask |= switch (usage) {
                case UNIFORM -> VK13.VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT;
                case STORAGE -> VK13.VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
                case VERTEX -> VK13.VK_BUFFER_USAGE_VERTEX_BUFFER_BIT;
                case INDEX -> VK13.VK_BUFFER_USAGE_INDEX_BUFFER_BIT;
                case INDIRECT -> VK13.VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
                case COPY_SRC -> VK13.VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
                case COPY_DST -> VK13.VK_BUFFER_USAGE_TRANSFER_DST_BIT;
                case ACCELERATION_STRUCTURE ->
                    KHRAccelerationStructure.VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR;
            };
        }
        return mask;
    }

    public static int resolve(ResolveMode mode) {
        return switch (mode) {
            case SAMPLE_ZERO -> VK13.VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
            case AVERAGE -> VK13.VK_RESOLVE_MODE_AVERAGE_BIT;
            case MIN -> VK13.VK_RESOLVE_MODE_MIN_BIT;
            case MAX -> VK13.VK_RESOLVE_MODE_MAX_BIT;
        };
    }
}
