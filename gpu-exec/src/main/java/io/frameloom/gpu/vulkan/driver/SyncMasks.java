package io.frameloom.gpu.vulkan.driver;

import io.frameloom.gpu.command.BarrierBatch.Scope;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.TextureLayout;
import org.lwjgl.vulkan.KHRSynchronization2;
import org.lwjgl.vulkan.VK13;

/**
 * Stages and accesses in Vulkan's numbers. With conditional rendering, conditions are read as indirect arguments are: the
 * stage that reads them goes with {@link PipelineStage#DRAW_INDIRECT}. Vulkan puts it in no order with other stages, so
 * as a source it also goes with all those that come after {@link PipelineStage#DRAW_INDIRECT}. Task and mesh shaders go
 * with {@link PipelineStage#VERTEX_SHADER}. What waits before {@link PipelineStage#VERTEX_INPUT} waits before vertex
 * shaders, too; Vulkan has no such stage before task and mesh shaders, so that as a destination it goes with them. What
 * a device does not have on is in none of its masks.
 */
public final class SyncMasks {
    private static final int AFTER_INDIRECT = PipelineStage.mask(
            PipelineStage.DRAW_INDIRECT,
            PipelineStage.VERTEX_INPUT,
            PipelineStage.VERTEX_SHADER,
            PipelineStage.FRAGMENT_SHADER,
            PipelineStage.DEPTH_TESTS,
            PipelineStage.COLOR_OUTPUT,
            PipelineStage.COMPUTE_SHADER,
            PipelineStage.RAY_TRACING_SHADER);

    private static final int STORAGE_READERS = PipelineStage.mask(
            PipelineStage.VERTEX_SHADER,
            PipelineStage.FRAGMENT_SHADER,
            PipelineStage.COMPUTE_SHADER,
            PipelineStage.RAY_TRACING_SHADER,
            PipelineStage.ALL_COMMANDS);

    private final long[] sources = new long[Integer.SIZE];
    private final long[] destinations = new long[Integer.SIZE];
    private final long[] accesses = new long[Integer.SIZE];

    /**
     * Masks of a device.
     *
     * @param builds whether it has acceleration structures on
     * @param meshes whether it has task and mesh shaders on
     * @param rays whether it has ray-tracing pipelines on
     */
    public SyncMasks(boolean conditional, boolean builds, boolean meshes, boolean rays) {
        long condition = conditional ? KHRSynchronization2.VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT : 0;
        for (PipelineStage stage : PipelineStage.values()) {
            int bit = Integer.numberOfTrailingZeros(stage.bit());
            sources[bit] = of(stage) | ((AFTER_INDIRECT & stage.bit()) != 0 ? condition : 0);
            destinations[bit] = of(stage) | (stage == PipelineStage.DRAW_INDIRECT ? condition : 0);
        }
        for (MemoryAccess access : MemoryAccess.values()) {
            accesses[Integer.numberOfTrailingZeros(access.bit())] = of(access);
        }
        if (meshes) {
            int vertex = Integer.numberOfTrailingZeros(PipelineStage.VERTEX_SHADER.bit());
            long shaders = KHRSynchronization2.VK_PIPELINE_STAGE_2_TASK_SHADER_BIT_EXT
                    | KHRSynchronization2.VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_EXT;
            sources[vertex] |= shaders;
            destinations[vertex] |= shaders;
            destinations[Integer.numberOfTrailingZeros(PipelineStage.VERTEX_INPUT.bit())] |= shaders;
        }
        if (!rays) {
            forget(PipelineStage.RAY_TRACING_SHADER);
        }
        if (!builds) {
            forget(PipelineStage.ACCELERATION_STRUCTURE_BUILD);
            accesses[Integer.numberOfTrailingZeros(MemoryAccess.ACCELERATION_STRUCTURE_READ.bit())] = 0;
            accesses[Integer.numberOfTrailingZeros(MemoryAccess.ACCELERATION_STRUCTURE_WRITE.bit())] = 0;
        }
        if (conditional) {
            accesses[Integer.numberOfTrailingZeros(MemoryAccess.INDIRECT_READ.bit())] |=
                    KHRSynchronization2.VK_ACCESS_2_CONDITIONAL_RENDERING_READ_BIT_EXT;
        }
    }

    private void forget(PipelineStage stage) {
        int bit = Integer.numberOfTrailingZeros(stage.bit());
        sources[bit] = 0;
        destinations[bit] = 0;
    }

    /** Returns the Vulkan mask of {@link PipelineStage}s that something comes after. */
    public long sourceStages(int mask) {
        return translate(mask, sources);
    }

    /** Returns the Vulkan mask of {@link PipelineStage}s that wait for something. */
    public long destinationStages(int mask) {
        return translate(mask, destinations);
    }

    /** Returns the Vulkan mask of accesses of a scope that something is made visible to. */
    public long destinationAccesses(Scope scope) {
        return named(scope.dstAccess(), scope.dstStages());
    }

    /**
     * Builds read what they are built of as shaders read anything, and serialised structures as copies do. Storage is
     * read by shaders alone, so it is named only if one of these is among the stages. Binding tables are read as
     * shaders read anything, too.
     */
    private long named(int mask, int stages) {
        long named = translate(mask, accesses);
        if ((mask & MemoryAccess.STORAGE_READ.bit()) == 0) {
            return named;
        }
        if (covers(stages, PipelineStage.ACCELERATION_STRUCTURE_BUILD)) {
            long storage = (stages & STORAGE_READERS) == 0 ? VK13.VK_ACCESS_2_SHADER_STORAGE_READ_BIT : 0;
            return (named & ~storage) | VK13.VK_ACCESS_2_SHADER_READ_BIT | VK13.VK_ACCESS_2_TRANSFER_READ_BIT;
        }
        return covers(stages, PipelineStage.RAY_TRACING_SHADER) ? named | VK13.VK_ACCESS_2_SHADER_READ_BIT : named;
    }

    /** Returns whether a stage that the device has is among others, by itself or with all commands. */
    private boolean covers(int stages, PipelineStage stage) {
        return (stages & (stage.bit() | PipelineStage.ALL_COMMANDS.bit())) != 0 && destinationStages(stage.bit()) != 0;
    }

    /**
     * Returns the Vulkan mask of accesses to a texture in a layout: one that is read where it is attached is not
     * sampled.
     */
    public long accesses(int mask, TextureLayout layout) {
        int sampled = MemoryAccess.SAMPLED_READ.bit();
        return layout == TextureLayout.LOCAL_READ && (mask & sampled) != 0
                ? translate(mask & ~sampled, accesses) | VK13.VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT
                : translate(mask, accesses);
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
    public long sourceAccesses(Scope scope) {
        long named = named(scope.srcAccess(), scope.srcStages());
        return scope.srcStages() == 0 ? named : named | VK13.VK_ACCESS_2_MEMORY_READ_BIT;
    }

    private static long translate(int mask, long[] table) {
        long result = 0;
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            result |= table[Integer.numberOfTrailingZeros(rest)];
        }
        return result;
    }

    private static long of(PipelineStage stage) {
        return switch (stage) {
            case DRAW_INDIRECT -> VK13.VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT;
            case VERTEX_INPUT -> VK13.VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT;
            case VERTEX_SHADER -> VK13.VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT;
            case FRAGMENT_SHADER -> VK13.VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
            case DEPTH_TESTS ->
                VK13.VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK13.VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT;
            case COLOR_OUTPUT -> VK13.VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
            case COMPUTE_SHADER -> VK13.VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
            case COPY -> VK13.VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
            case ACCELERATION_STRUCTURE_BUILD ->
                KHRSynchronization2.VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR;
            case RAY_TRACING_SHADER -> KHRSynchronization2.VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR;
            case HOST -> VK13.VK_PIPELINE_STAGE_2_HOST_BIT;
            case ALL_COMMANDS -> VK13.VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
        };
    }

    private static long of(MemoryAccess access) {
        return switch (access) {
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
            case ACCELERATION_STRUCTURE_READ -> KHRSynchronization2.VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR;
            case ACCELERATION_STRUCTURE_WRITE ->
                KHRSynchronization2.VK_ACCESS_2_ACCELERATION_STRUCTURE_WRITE_BIT_KHR
                        | VK13.VK_ACCESS_2_TRANSFER_WRITE_BIT;
            case HOST_READ -> VK13.VK_ACCESS_2_HOST_READ_BIT;
            case HOST_WRITE -> VK13.VK_ACCESS_2_HOST_WRITE_BIT;
            case MEMORY_READ -> VK13.VK_ACCESS_2_MEMORY_READ_BIT;
            case MEMORY_WRITE -> VK13.VK_ACCESS_2_MEMORY_WRITE_BIT;
        };
    }
}
