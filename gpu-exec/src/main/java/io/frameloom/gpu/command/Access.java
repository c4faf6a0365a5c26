package io.frameloom.gpu.command;

import static io.frameloom.gpu.command.MemoryAccess.ACCELERATION_STRUCTURE_READ;
import static io.frameloom.gpu.command.MemoryAccess.ACCELERATION_STRUCTURE_WRITE;
import static io.frameloom.gpu.command.MemoryAccess.COLOR_READ;
import static io.frameloom.gpu.command.MemoryAccess.COPY_READ;
import static io.frameloom.gpu.command.MemoryAccess.COPY_WRITE;
import static io.frameloom.gpu.command.MemoryAccess.INDEX_READ;
import static io.frameloom.gpu.command.MemoryAccess.INDIRECT_READ;
import static io.frameloom.gpu.command.MemoryAccess.SAMPLED_READ;
import static io.frameloom.gpu.command.MemoryAccess.STORAGE_READ;
import static io.frameloom.gpu.command.MemoryAccess.STORAGE_WRITE;
import static io.frameloom.gpu.command.MemoryAccess.UNIFORM_READ;
import static io.frameloom.gpu.command.MemoryAccess.VERTEX_READ;
import static io.frameloom.gpu.command.PipelineStage.ACCELERATION_STRUCTURE_BUILD;
import static io.frameloom.gpu.command.PipelineStage.COLOR_OUTPUT;
import static io.frameloom.gpu.command.PipelineStage.COMPUTE_SHADER;
import static io.frameloom.gpu.command.PipelineStage.DEPTH_TESTS;
import static io.frameloom.gpu.command.PipelineStage.DRAW_INDIRECT;
import static io.frameloom.gpu.command.PipelineStage.FRAGMENT_SHADER;
import static io.frameloom.gpu.command.PipelineStage.HOST;
import static io.frameloom.gpu.command.PipelineStage.RAY_TRACING_SHADER;
import static io.frameloom.gpu.command.PipelineStage.VERTEX_INPUT;
import static io.frameloom.gpu.command.PipelineStage.VERTEX_SHADER;
import static io.frameloom.gpu.command.QueueKind.COMPUTE;
import static io.frameloom.gpu.command.QueueKind.GRAPHICS;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.pipeline.ShaderBindingTable;
import io.frameloom.gpu.resource.TextureLayout;

/**
 * How a pass uses a resource: the one table from a declared use to stages, memory accesses, layout and the queue that
 * can execute it. What vertex shaders do stands for task and mesh shaders, too. Other code switches on kinds of access
 * for what the table does not hold: the usage flags of a resource, the layouts that the checker allows, loaded and
 * stored attachments, and the names in graph files.
 *
 * <p>A use that both reads and writes keeps the old contents alive unless it is declared as a discard.
 */
public enum Access {
    /** Written as a colour attachment. */
    COLOR_WRITE(GRAPHICS, TextureLayout.COLOR, COLOR_OUTPUT, MemoryAccess.COLOR_WRITE),
    /** Blended or loaded as a colour attachment. */
    COLOR_READ_WRITE(GRAPHICS, TextureLayout.COLOR, COLOR_OUTPUT, COLOR_READ, MemoryAccess.COLOR_WRITE),
    /** Written as the depth attachment; the values it tests against are its own. */
    DEPTH_WRITE(GRAPHICS, TextureLayout.DEPTH, DEPTH_TESTS, MemoryAccess.DEPTH_WRITE),
    /** Loaded, tested and written as the depth attachment. */
    DEPTH_READ_WRITE(GRAPHICS, TextureLayout.DEPTH, DEPTH_TESTS, MemoryAccess.DEPTH_READ, MemoryAccess.DEPTH_WRITE),
    /** Tested as a read-only depth attachment. */
    DEPTH_READ(GRAPHICS, TextureLayout.DEPTH_RO, DEPTH_TESTS, MemoryAccess.DEPTH_READ),
    /**
     * Written as the stencil attachment, the stencil plane of a texture with depth; the values it tests against are its
     * own.
     */
    STENCIL_WRITE(GRAPHICS, TextureLayout.DEPTH, DEPTH_TESTS, MemoryAccess.DEPTH_WRITE),
    /** Loaded, tested and written as the stencil attachment. */
    STENCIL_READ_WRITE(GRAPHICS, TextureLayout.DEPTH, DEPTH_TESTS, MemoryAccess.DEPTH_READ, MemoryAccess.DEPTH_WRITE),
    /** Tested as a read-only stencil attachment. */
    STENCIL_READ(GRAPHICS, TextureLayout.DEPTH_RO, DEPTH_TESTS, MemoryAccess.DEPTH_READ),
    /**
     * Attached without being written, and read by fragment shaders at the pixel that they draw: GLSL's {@code
     * subpassInput}. What earlier draws of the same render pass have written is read on the tile of tiling GPUs, after a
     * barrier inside of the render pass. Takes {@link Capability#DYNAMIC_RENDERING_LOCAL_READ}.
     */
    INPUT_ATTACHMENT(
            GRAPHICS, TextureLayout.LOCAL_READ, FRAGMENT_SHADER.bit() | COLOR_OUTPUT.bit(), SAMPLED_READ, COLOR_READ),
    /** Sampled by fragment shaders. */
    SAMPLED_FRAGMENT(GRAPHICS, TextureLayout.SHADER_RO, FRAGMENT_SHADER, SAMPLED_READ),
    /** Sampled by vertex shaders. */
    SAMPLED_VERTEX(GRAPHICS, TextureLayout.SHADER_RO, VERTEX_SHADER, SAMPLED_READ),
    /** Sampled by compute shaders. */
    SAMPLED_COMPUTE(COMPUTE, TextureLayout.SHADER_RO, COMPUTE_SHADER, SAMPLED_READ),
    /** Sampled by shaders of ray-tracing pipelines. */
    SAMPLED_RAYS(COMPUTE, TextureLayout.SHADER_RO, RAY_TRACING_SHADER, SAMPLED_READ),
    /** Read as storage by vertex shaders. */
    STORAGE_READ_VERTEX(GRAPHICS, TextureLayout.GENERAL, VERTEX_SHADER, STORAGE_READ),
    /** Read as storage by fragment shaders. */
    STORAGE_READ_FRAGMENT(GRAPHICS, TextureLayout.GENERAL, FRAGMENT_SHADER, STORAGE_READ),
    /** Read and written as storage by fragment shaders. */
    STORAGE_READ_WRITE_FRAGMENT(GRAPHICS, TextureLayout.GENERAL, FRAGMENT_SHADER, STORAGE_READ, STORAGE_WRITE),
    /** Read as storage by compute shaders. */
    STORAGE_READ_COMPUTE(COMPUTE, TextureLayout.GENERAL, COMPUTE_SHADER, STORAGE_READ),
    /** Written as storage by compute shaders. */
    STORAGE_WRITE_COMPUTE(COMPUTE, TextureLayout.GENERAL, COMPUTE_SHADER, STORAGE_WRITE),
    /** Read and written as storage by compute shaders. */
    STORAGE_READ_WRITE_COMPUTE(COMPUTE, TextureLayout.GENERAL, COMPUTE_SHADER, STORAGE_READ, STORAGE_WRITE),
    /** Read as storage by shaders of ray-tracing pipelines. */
    STORAGE_READ_RAYS(COMPUTE, TextureLayout.GENERAL, RAY_TRACING_SHADER, STORAGE_READ),
    /** Written as storage by shaders of ray-tracing pipelines. */
    STORAGE_WRITE_RAYS(COMPUTE, TextureLayout.GENERAL, RAY_TRACING_SHADER, STORAGE_WRITE),
    /** Read and written as storage by shaders of ray-tracing pipelines. */
    STORAGE_READ_WRITE_RAYS(COMPUTE, TextureLayout.GENERAL, RAY_TRACING_SHADER, STORAGE_READ, STORAGE_WRITE),
    /** Read as a uniform buffer by vertex and fragment shaders. */
    UNIFORM_GRAPHICS(GRAPHICS, TextureLayout.UNDEFINED, VERTEX_SHADER.bit() | FRAGMENT_SHADER.bit(), UNIFORM_READ),
    /** Read as a uniform buffer by compute shaders. */
    UNIFORM_COMPUTE(COMPUTE, TextureLayout.UNDEFINED, COMPUTE_SHADER, UNIFORM_READ),
    /** Read as a uniform buffer by shaders of ray-tracing pipelines. */
    UNIFORM_RAYS(COMPUTE, TextureLayout.UNDEFINED, RAY_TRACING_SHADER, UNIFORM_READ),
    /** Fetched as vertices. */
    VERTEX(GRAPHICS, TextureLayout.UNDEFINED, VERTEX_INPUT, VERTEX_READ),
    /** Fetched as indices. */
    INDEX(GRAPHICS, TextureLayout.UNDEFINED, VERTEX_INPUT, INDEX_READ),
    /** Read as arguments of indirect draws, dispatches and traces, as their number, or as a condition. */
    INDIRECT(COMPUTE, TextureLayout.UNDEFINED, DRAW_INDIRECT, INDIRECT_READ),
    /** Source of a copy. */
    COPY_SRC(QueueKind.COPY, TextureLayout.TRANSFER_SRC, PipelineStage.COPY, COPY_READ),
    /** Destination of a copy, clear of colour, or fill. */
    COPY_DST(QueueKind.COPY, TextureLayout.TRANSFER_DST, PipelineStage.COPY, COPY_WRITE),
    /** Destination of a multisample resolve at the end of a render pass. */
    RESOLVE_DST(GRAPHICS, TextureLayout.COLOR, COLOR_OUTPUT, MemoryAccess.COLOR_WRITE),
    /**
     * Depth and stencil attachment, loaded, tested and written, whose samples are resolved at the end of the render
     * pass. The resolve only reads, but it counts as a writer, as all stages of a use that writes do.
     */
    DEPTH_RESOLVE_SRC(
            GRAPHICS,
            TextureLayout.DEPTH,
            DEPTH_TESTS.bit() | COLOR_OUTPUT.bit(),
            MemoryAccess.DEPTH_READ,
            MemoryAccess.DEPTH_WRITE,
            COLOR_READ,
            MemoryAccess.COLOR_WRITE),
    /** Destination of a resolve of depth or stencil at the end of a render pass, which is work of the colour output. */
    DEPTH_RESOLVE_DST(GRAPHICS, TextureLayout.DEPTH, COLOR_OUTPUT, MemoryAccess.COLOR_WRITE),
    /** Source of a blit, or of a resolve outside of a render pass: as {@link #COPY_SRC}, but on a graphics queue. */
    BLIT_SRC(GRAPHICS, TextureLayout.TRANSFER_SRC, PipelineStage.COPY, COPY_READ),
    /**
     * Destination of a blit, resolve or clear of depth outside of a render pass: as {@link #COPY_DST}, on a graphics
     * queue.
     */
    BLIT_DST(GRAPHICS, TextureLayout.TRANSFER_DST, PipelineStage.COPY, COPY_WRITE),
    /**
     * Read by builds of acceleration structures: vertices, indices, boxes and instances. Also a serialised structure that
     * is copied into a structure.
     */
    ACCELERATION_STRUCTURE_INPUT(COMPUTE, TextureLayout.UNDEFINED, ACCELERATION_STRUCTURE_BUILD, STORAGE_READ),
    /** Written as a serialised acceleration structure. */
    ACCELERATION_STRUCTURE_OUTPUT(
            COMPUTE, TextureLayout.UNDEFINED, ACCELERATION_STRUCTURE_BUILD, ACCELERATION_STRUCTURE_WRITE),
    /** Scratch memory of builds of acceleration structures, mostly a discard. */
    ACCELERATION_STRUCTURE_SCRATCH(
            COMPUTE,
            TextureLayout.UNDEFINED,
            ACCELERATION_STRUCTURE_BUILD,
            ACCELERATION_STRUCTURE_READ,
            ACCELERATION_STRUCTURE_WRITE),
    /**
     * An acceleration structure that is copied, measured, or updated into another one; or that a top level refers to
     * which is built.
     */
    ACCELERATION_STRUCTURE_BUILD_READ(
            COMPUTE, TextureLayout.UNDEFINED, ACCELERATION_STRUCTURE_BUILD, ACCELERATION_STRUCTURE_READ),
    /** An acceleration structure that is built, or the destination of a copy. */
    ACCELERATION_STRUCTURE_BUILD_WRITE(
            COMPUTE, TextureLayout.UNDEFINED, ACCELERATION_STRUCTURE_BUILD, ACCELERATION_STRUCTURE_WRITE),
    /** An acceleration structure that is updated in place. */
    ACCELERATION_STRUCTURE_BUILD_READ_WRITE(
            COMPUTE,
            TextureLayout.UNDEFINED,
            ACCELERATION_STRUCTURE_BUILD,
            ACCELERATION_STRUCTURE_READ,
            ACCELERATION_STRUCTURE_WRITE),
    /** An acceleration structure that rays of vertex and fragment shaders are traced through. */
    ACCELERATION_STRUCTURE_TRACE_GRAPHICS(
            GRAPHICS,
            TextureLayout.UNDEFINED,
            VERTEX_SHADER.bit() | FRAGMENT_SHADER.bit(),
            ACCELERATION_STRUCTURE_READ),
    /** An acceleration structure that rays of compute shaders are traced through. */
    ACCELERATION_STRUCTURE_TRACE_COMPUTE(COMPUTE, TextureLayout.UNDEFINED, COMPUTE_SHADER, ACCELERATION_STRUCTURE_READ),
    /** An acceleration structure that rays of ray-tracing pipelines are traced through. */
    ACCELERATION_STRUCTURE_TRACE_RAYS(
            COMPUTE, TextureLayout.UNDEFINED, RAY_TRACING_SHADER, ACCELERATION_STRUCTURE_READ),
    /** Read as the records of a {@link ShaderBindingTable}. */
    SHADER_BINDING_TABLE(COMPUTE, TextureLayout.UNDEFINED, RAY_TRACING_SHADER, STORAGE_READ),
    /** Read by the host after the frame. */
    HOST_READ(QueueKind.COPY, TextureLayout.GENERAL, HOST, MemoryAccess.HOST_READ),
    /** Written by the host before the frame. */
    HOST_WRITE(QueueKind.COPY, TextureLayout.GENERAL, HOST, MemoryAccess.HOST_WRITE),
    /** Handed to the presentation engine. */
    PRESENT(GRAPHICS, TextureLayout.PRESENT, PipelineStage.NONE);

    private final boolean reads;
    private final boolean writes;
    private final int stages;
    private final int memoryAccess;
    private final TextureLayout layout;
    private final QueueKind queue;

    Access(QueueKind queue, TextureLayout layout, PipelineStage stage, MemoryAccess... accesses) {
        this(queue, layout, stage.bit(), accesses);
    }

    Access(QueueKind queue, TextureLayout layout, int stages, MemoryAccess... accesses) {
        this.memoryAccess = MemoryAccess.mask(accesses);
        int written = MemoryAccess.writesOf(memoryAccess);
        this.writes = written != 0;
        // The presentation engine reads by no access of the device.
        this.reads = !writes || memoryAccess != written;
        this.stages = stages;
        this.layout = layout;
        this.queue = queue;
    }

    /** Returns whether the access needs the contents written before. */
    public boolean reads() {
        return reads;
    }

    /** Returns whether the access writes. */
    public boolean writes() {
        return writes;
    }

    /** Returns the mask of {@link PipelineStage}s in which the access happens. */
    public int stages() {
        return stages;
    }

    /** Returns the mask of {@link MemoryAccess}es. */
    public int memoryAccess() {
        return memoryAccess;
    }

    /** Returns the layout that a texture must have; {@link TextureLayout#UNDEFINED} for buffer-only accesses. */
    public TextureLayout layout() {
        return layout;
    }

    /** Returns the least capable kind of queue that can execute the access. */
    public QueueKind queue() {
        return queue;
    }
}
