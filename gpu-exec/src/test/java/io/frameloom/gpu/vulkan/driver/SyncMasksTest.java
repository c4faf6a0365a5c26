package io.frameloom.gpu.vulkan.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.frameloom.gpu.command.BarrierBatch.Scope;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.TextureLayout;
import org.junit.jupiter.api.Test;
import org.lwjgl.vulkan.KHRSynchronization2;
import org.lwjgl.vulkan.VK13;

/** The numbers that drivers are given. */
class SyncMasksTest {
    private final SyncMasks masks = new SyncMasks(false, false, false, false);

    /** A driver lets fills overtake reads that are held back by stages alone. */
    @Test
    void whatIsHeldBackIsNamedAmongTheReads() {
        int compute = PipelineStage.COMPUTE_SHADER.bit();
        int copy = PipelineStage.COPY.bit();
        Scope afterReads = new Scope(compute, MemoryAccess.NONE, copy, MemoryAccess.COPY_WRITE.bit());
        assertEquals(VK13.VK_ACCESS_2_MEMORY_READ_BIT, masks.sourceAccesses(afterReads));
        Scope afterBoth = new Scope(compute | copy, MemoryAccess.COPY_WRITE.bit(), copy, MemoryAccess.COPY_WRITE.bit());
        assertEquals(
                VK13.VK_ACCESS_2_TRANSFER_WRITE_BIT | VK13.VK_ACCESS_2_MEMORY_READ_BIT,
                masks.sourceAccesses(afterBoth));
    }

    @Test
    void whereNothingIsHeldBackNothingIsNamed() {
        Scope afterNothing = new Scope(0, MemoryAccess.NONE, PipelineStage.COPY.bit(), MemoryAccess.COPY_WRITE.bit());
        assertEquals(0, masks.sourceAccesses(afterNothing));
    }

    /** What is read where it is attached is not sampled. */
    @Test
    void localReadsAreThoseOfInputAttachments() {
        int sampled = MemoryAccess.SAMPLED_READ.bit();
        int depth = MemoryAccess.DEPTH_READ.bit();
        assertEquals(
                VK13.VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT | VK13.VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT,
                masks.accesses(sampled | depth, TextureLayout.LOCAL_READ));
        assertEquals(
                VK13.VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT, masks.accesses(depth, TextureLayout.LOCAL_READ));
        assertEquals(
                VK13.VK_ACCESS_2_SHADER_SAMPLED_READ_BIT | VK13.VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT,
                masks.accesses(sampled | depth, TextureLayout.DEPTH_RO));
    }

    /** Vulkan has storage read by shaders alone: builds read their inputs as these do anything, and as copies. */
    @Test
    void whatBuildsReadIsNoStorageUnlessShadersReadItToo() {
        SyncMasks builds = new SyncMasks(false, true, false, false);
        int build = PipelineStage.ACCELERATION_STRUCTURE_BUILD.bit();
        int compute = PipelineStage.COMPUTE_SHADER.bit();
        int read = MemoryAccess.STORAGE_READ.bit();
        long inputs = VK13.VK_ACCESS_2_SHADER_READ_BIT | VK13.VK_ACCESS_2_TRANSFER_READ_BIT;
        assertEquals(inputs, builds.destinationAccesses(new Scope(0, 0, build, read)));
        assertEquals(
                inputs | VK13.VK_ACCESS_2_SHADER_STORAGE_READ_BIT,
                builds.destinationAccesses(new Scope(0, 0, build | compute, read)));
        assertEquals(
                VK13.VK_ACCESS_2_SHADER_STORAGE_READ_BIT, builds.destinationAccesses(new Scope(0, 0, compute, read)));
        assertEquals(
                inputs | VK13.VK_ACCESS_2_MEMORY_READ_BIT,
                builds.sourceAccesses(new Scope(build, read, compute, read)));
    }

    /** Vulkan takes no stages whose features are off. */
    @Test
    void taskAndMeshShadersGoWithVertexShadersWhereThereAreAny() {
        SyncMasks meshes = new SyncMasks(false, false, true, false);
        long both = KHRSynchronization2.VK_PIPELINE_STAGE_2_TASK_SHADER_BIT_EXT
                | KHRSynchronization2.VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_EXT;
        int vertex = PipelineStage.VERTEX_SHADER.bit();
        int others = PipelineStage.mask(PipelineStage.values()) & ~vertex;
        assertEquals(VK13.VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | both, meshes.sourceStages(vertex));
        assertEquals(VK13.VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | both, meshes.destinationStages(vertex));
        assertEquals(masks.sourceStages(others), meshes.sourceStages(others));
        assertEquals(VK13.VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT, masks.destinationStages(vertex));
        // They come after the input of vertices for Frameloom, and for Vulkan they do not.
        int input = PipelineStage.VERTEX_INPUT.bit();
        assertEquals(VK13.VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT | both, meshes.destinationStages(input));
        assertEquals(masks.destinationStages(others & ~input), meshes.destinationStages(others & ~input));
    }

    /** Binding tables are read as shaders read anything, and no stage of theirs is named where there are none. */
    @Test
    void shadersOfRaysReadTheirTablesAsAnything() {
        SyncMasks rays = new SyncMasks(false, true, false, true);
        int trace = PipelineStage.RAY_TRACING_SHADER.bit();
        int read = MemoryAccess.STORAGE_READ.bit();
        assertEquals(
                VK13.VK_ACCESS_2_SHADER_READ_BIT | VK13.VK_ACCESS_2_SHADER_STORAGE_READ_BIT,
                rays.destinationAccesses(new Scope(0, 0, trace, read)));
        assertEquals(KHRSynchronization2.VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR, rays.sourceStages(trace));
        assertEquals(0, masks.sourceStages(trace));
        assertEquals(0, masks.destinationStages(trace));
    }

    /** All commands are builds and traces as well, where there are any. */
    @Test
    void allCommandsReadTablesAndWhatIsBuilt() {
        int read = MemoryAccess.STORAGE_READ.bit();
        Scope all = new Scope(0, 0, PipelineStage.ALL_COMMANDS.bit(), read);
        long shaders = VK13.VK_ACCESS_2_SHADER_READ_BIT | VK13.VK_ACCESS_2_SHADER_STORAGE_READ_BIT;
        assertEquals(shaders, new SyncMasks(false, false, false, true).destinationAccesses(all));
        assertEquals(
                shaders | VK13.VK_ACCESS_2_TRANSFER_READ_BIT,
                new SyncMasks(false, true, false, false).destinationAccesses(all));
        assertEquals(VK13.VK_ACCESS_2_SHADER_STORAGE_READ_BIT, masks.destinationAccesses(all));
    }

    /** Vulkan gives the reads of conditions no place among the stages of draws, so that they are named. */
    @Test
    void conditionsGoWithIndirectArgumentsWhereThereAreAny() {
        SyncMasks conditional = new SyncMasks(true, false, false, false);
        long stage = KHRSynchronization2.VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT;
        int indirect = PipelineStage.DRAW_INDIRECT.bit();
        int color = PipelineStage.COLOR_OUTPUT.bit();
        int copy = PipelineStage.COPY.bit();
        assertEquals(masks.sourceStages(color) | stage, conditional.sourceStages(color));
        assertEquals(masks.sourceStages(copy), conditional.sourceStages(copy));
        assertEquals(masks.destinationStages(indirect) | stage, conditional.destinationStages(indirect));
        assertEquals(masks.destinationStages(color | copy), conditional.destinationStages(color | copy));
        Scope read = new Scope(0, 0, indirect, MemoryAccess.INDIRECT_READ.bit());
        assertEquals(
                masks.destinationAccesses(read) | KHRSynchronization2.VK_ACCESS_2_CONDITIONAL_RENDERING_READ_BIT_EXT,
                conditional.destinationAccesses(read));
    }
}
