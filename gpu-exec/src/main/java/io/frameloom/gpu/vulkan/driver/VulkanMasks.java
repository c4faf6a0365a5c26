package io.frameloom.gpu.vulkan.driver;

import io.frameloom.gpu.command.BarrierBatch.Scope;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.ResolveMode;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.Set;
import org.lwjgl.vulkan.KHRDynamicRenderingLocalRead;
import org.lwjgl.vulkan.VK13;

/** Stages, accesses, layouts and usages in Vulkan's numbers. */
public final class VulkanMasks {
    private static final long[] STAGES = stageTable();
    private static final long[] ACCESSES = accessTable();

    private VulkanMasks() {}

    /** Returns the Vulkan mask of a mask of {@link PipelineStage}s. */
    public static long stages(int mask) {
        return translate(mask, STAGES);
    }

    /** Returns the Vulkan mask of a mask of {@link MemoryAccess}es. */
    public static long accesses(int mask) {
        return translate(mask, ACCESSES);
    }

    /**
     * Returns the Vulkan mask of a mask of accesses to a texture in a layout: one that is read where it is attached is
     * not sampled.
     */
    public static long accesses(int mask, TextureLayout layout) {
        int sampled = MemoryAccess.SAMPLED_READ.bit();
        return layout == TextureLayout.LOCAL_READ && (mask & sampled) != 0
                ? accesses(mask & ~sampled) | VK13.VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT
                : accesses(mask);
    }

    /**
     * Returns the accesses that a barrier names as its source: those of the scope, and reads.
     *
     * <p>By the specification a read needs no naming: the stages hold it back. NVIDIA's driver (580, seen on an H200)
     * lets a fill overtake a dispatch that reads its buffer if no access is named and another fill came between the
     * two. The experiment is "write after read: dispatch reads, unrelated fill, fill writes" of {@code stress
     * --gpu-litmus}. Reads have nothing to make available, so naming them costs nothing on a driver that follows the
     * specification.
     */
    public static long sourceAccesses(Scope scope) {
        long named = accesses(scope.srcAccess());
        return scope.srcStages() == 0 ? named : named | VK13.VK_ACCESS_2_MEMORY_READ_BIT;
    }

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
            };
        }
        return mask;
    }

    private static long translate(int mask, long[] table) {
        long result = 0;
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            result |= table[Integer.numberOfTrailingZeros(rest)];
        }
        return result;
    }

    private static long[] stageTable() {
        long[] table = new long[Integer.SIZE];
        for (PipelineStage stage : PipelineStage.values()) {
            table[Integer.numberOfTrailingZeros(stage.bit())] = switch (stage) {
                case DRAW_INDIRECT -> VK13.VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT;
                case VERTEX_INPUT -> VK13.VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT;
                case VERTEX_SHADER -> VK13.VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT;
                case FRAGMENT_SHADER -> VK13.VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
                case DEPTH_TESTS ->
                    VK13.VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT
                            | VK13.VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT;
                case COLOR_OUTPUT -> VK13.VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
                case COMPUTE_SHADER -> VK13.VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
                case COPY -> VK13.VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
                case HOST -> VK13.VK_PIPELINE_STAGE_2_HOST_BIT;
                case ALL_COMMANDS -> VK13.VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
            };
        }
        return table;
    }

    private static long[] accessTable() {
        long[] table = new long[Integer.SIZE];
        for (MemoryAccess access : MemoryAccess.values()) {
            table[Integer.numberOfTrailingZeros(access.bit())] = switch (access) {
                case INDIRECT_READ -> VK13.VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT;
                case INDEX_READ -> VK13.VK_ACCESS_2_INDEX_READ_BIT;
                case VERTEX_READ -> VK13.VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT;
                case UNIFORM_READ -> VK13.VK_ACCESS_2_UNIFORM_READ_BIT;
                case SAMPLED_READ -> VK13.VK_ACCESS_2_SHADER_SAMPLED_READ_BIT;
                case STORAGE_READ -> VK13.VK_ACCESS_2_SHADER_STORAGE_READ_BIT;
                case STORAGE_WRITE -> VK13.VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
                case COLOR_READ -> VK13.VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT;
                case COLOR_WRITE -> VK13.VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT;
                case DEPTH_READ -> VK13.VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT;
                case DEPTH_WRITE -> VK13.VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
                case COPY_READ -> VK13.VK_ACCESS_2_TRANSFER_READ_BIT;
                case COPY_WRITE -> VK13.VK_ACCESS_2_TRANSFER_WRITE_BIT;
                case HOST_READ -> VK13.VK_ACCESS_2_HOST_READ_BIT;
                case HOST_WRITE -> VK13.VK_ACCESS_2_HOST_WRITE_BIT;
                case MEMORY_READ -> VK13.VK_ACCESS_2_MEMORY_READ_BIT;
                case MEMORY_WRITE -> VK13.VK_ACCESS_2_MEMORY_WRITE_BIT;
            };
        }
        return table;
    }

    /** Returns VkResolveModeFlagBits. */
    public static int resolve(ResolveMode mode) {
        return switch (mode) {
            case SAMPLE_ZERO -> VK13.VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
            case AVERAGE -> VK13.VK_RESOLVE_MODE_AVERAGE_BIT;
            case MIN -> VK13.VK_RESOLVE_MODE_MIN_BIT;
            case MAX -> VK13.VK_RESOLVE_MODE_MAX_BIT;
        };
    }
}
