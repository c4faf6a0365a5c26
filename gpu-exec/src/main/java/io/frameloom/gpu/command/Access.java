package io.frameloom.gpu.command;

import static io.frameloom.gpu.command.MemoryAccess.COLOR_READ;
import static io.frameloom.gpu.command.MemoryAccess.COPY_READ;
import static io.frameloom.gpu.command.PipelineStage.COLOR_OUTPUT;
import static io.frameloom.gpu.command.PipelineStage.COMPUTE_SHADER;
import static io.frameloom.gpu.command.PipelineStage.FRAGMENT_SHADER;
import static io.frameloom.gpu.command.PipelineStage.VERTEX_INPUT;
import static io.frameloom.gpu.command.PipelineStage.VERTEX_SHADER;

import io.frameloom.gpu.resource.TextureLayout;

/**
 * How a pass uses a resource: the one table from a declared use to stages, memory accesses, layout and the queue that
 * can execute it. Other code switches on kinds of access for what the table does not hold: the usage flags of a resource,
 * the layouts that the checker allows, loaded and stored attachments, and the names in graph files.
 *
 * <p>A use that both reads and writes keeps the old contents alive unless it is declared as a discard.
 */
public enum Access {
    /** Written as a colour attachment. */
    COLOR_WRITE(
            false, true, COLOR_OUTPUT.bit(), MemoryAccess.COLOR_WRITE.bit(), TextureLayout.COLOR, QueueKind.GRAPHICS),
    /** Blended or loaded as a colour attachment. */
    COLOR_READ_WRITE(
            true,
            true,
            COLOR_OUTPUT.bit(),
            COLOR_READ.bit() | MemoryAccess.COLOR_WRITE.bit(),
            TextureLayout.COLOR,
            QueueKind.GRAPHICS),
    /** Written as the depth attachment; the values it tests against are its own. */
    DEPTH_WRITE(
            false,
            true,
            PipelineStage.DEPTH_TESTS.bit(),
            MemoryAccess.DEPTH_WRITE.bit(),
            TextureLayout.DEPTH,
            QueueKind.GRAPHICS),
    /** Loaded, tested and written as the depth attachment. */
    DEPTH_READ_WRITE(
            true,
            true,
            PipelineStage.DEPTH_TESTS.bit(),
            MemoryAccess.DEPTH_READ.bit() | MemoryAccess.DEPTH_WRITE.bit(),
            TextureLayout.DEPTH,
            QueueKind.GRAPHICS),
    /** Tested as a read-only depth attachment. */
    DEPTH_READ(
            true,
            false,
            PipelineStage.DEPTH_TESTS.bit(),
            MemoryAccess.DEPTH_READ.bit(),
            TextureLayout.DEPTH_RO,
            QueueKind.GRAPHICS),
    /**
     * Written as the stencil attachment, the stencil plane of a texture with depth; the values it tests against are its
     * own.
     */
    STENCIL_WRITE(
            false,
            true,
            PipelineStage.DEPTH_TESTS.bit(),
            MemoryAccess.DEPTH_WRITE.bit(),
            TextureLayout.DEPTH,
            QueueKind.GRAPHICS),
    /** Loaded, tested and written as the stencil attachment. */
    STENCIL_READ_WRITE(
            true,
            true,
            PipelineStage.DEPTH_TESTS.bit(),
            MemoryAccess.DEPTH_READ.bit() | MemoryAccess.DEPTH_WRITE.bit(),
            TextureLayout.DEPTH,
            QueueKind.GRAPHICS),
    /** Tested as a read-only stencil attachment. */
    STENCIL_READ(
            true,
            false,
            PipelineStage.DEPTH_TESTS.bit(),
            MemoryAccess.DEPTH_READ.bit(),
            TextureLayout.DEPTH_RO,
            QueueKind.GRAPHICS),
    /** Read as an input attachment. */
    INPUT_ATTACHMENT(
            true,
            false,
            FRAGMENT_SHADER.bit(),
            MemoryAccess.SAMPLED_READ.bit(),
            TextureLayout.SHADER_RO,
            QueueKind.GRAPHICS),
    /** Sampled by fragment shaders. */
    SAMPLED_FRAGMENT(
            true,
            false,
            FRAGMENT_SHADER.bit(),
            MemoryAccess.SAMPLED_READ.bit(),
            TextureLayout.SHADER_RO,
            QueueKind.GRAPHICS),
    /** Sampled by vertex shaders. */
    SAMPLED_VERTEX(
            true,
            false,
            VERTEX_SHADER.bit(),
            MemoryAccess.SAMPLED_READ.bit(),
            TextureLayout.SHADER_RO,
            QueueKind.GRAPHICS),
    /** Sampled by compute shaders. */
    SAMPLED_COMPUTE(
            true,
            false,
            COMPUTE_SHADER.bit(),
            MemoryAccess.SAMPLED_READ.bit(),
            TextureLayout.SHADER_RO,
            QueueKind.COMPUTE),
    /** Read as storage by vertex shaders. */
    STORAGE_READ_VERTEX(
            true,
            false,
            VERTEX_SHADER.bit(),
            MemoryAccess.STORAGE_READ.bit(),
            TextureLayout.GENERAL,
            QueueKind.GRAPHICS),
    /** Read as storage by fragment shaders. */
    STORAGE_READ_FRAGMENT(
            true,
            false,
            FRAGMENT_SHADER.bit(),
            MemoryAccess.STORAGE_READ.bit(),
            TextureLayout.GENERAL,
            QueueKind.GRAPHICS),
    /** Read and written as storage by fragment shaders. */
    STORAGE_READ_WRITE_FRAGMENT(
            true,
            true,
            FRAGMENT_SHADER.bit(),
            MemoryAccess.STORAGE_READ.bit() | MemoryAccess.STORAGE_WRITE.bit(),
            TextureLayout.GENERAL,
            QueueKind.GRAPHICS),
    /** Read as storage by compute shaders. */
    STORAGE_READ_COMPUTE(
            true,
            false,
            COMPUTE_SHADER.bit(),
            MemoryAccess.STORAGE_READ.bit(),
            TextureLayout.GENERAL,
            QueueKind.COMPUTE),
    /** Written as storage by compute shaders. */
    STORAGE_WRITE_COMPUTE(
            false,
            true,
            COMPUTE_SHADER.bit(),
            MemoryAccess.STORAGE_WRITE.bit(),
            TextureLayout.GENERAL,
            QueueKind.COMPUTE),
    /** Read and written as storage by compute shaders. */
    STORAGE_READ_WRITE_COMPUTE(
            true,
            true,
            COMPUTE_SHADER.bit(),
            MemoryAccess.STORAGE_READ.bit() | MemoryAccess.STORAGE_WRITE.bit(),
            TextureLayout.GENERAL,
            QueueKind.COMPUTE),
    /** Read as a uniform buffer by vertex and fragment shaders. */
    UNIFORM_GRAPHICS(
            true,
            false,
            VERTEX_SHADER.bit() | FRAGMENT_SHADER.bit(),
            MemoryAccess.UNIFORM_READ.bit(),
            TextureLayout.UNDEFINED,
            QueueKind.GRAPHICS),
    /** Read as a uniform buffer by compute shaders. */
    UNIFORM_COMPUTE(
            true,
            false,
            COMPUTE_SHADER.bit(),
            MemoryAccess.UNIFORM_READ.bit(),
            TextureLayout.UNDEFINED,
            QueueKind.COMPUTE),
    /** Fetched as vertices. */
    VERTEX(
            true,
            false,
            VERTEX_INPUT.bit(),
            MemoryAccess.VERTEX_READ.bit(),
            TextureLayout.UNDEFINED,
            QueueKind.GRAPHICS),
    /** Fetched as indices. */
    INDEX(true, false, VERTEX_INPUT.bit(), MemoryAccess.INDEX_READ.bit(), TextureLayout.UNDEFINED, QueueKind.GRAPHICS),
    /** Read as arguments of indirect draws and dispatches, or as their number. */
    INDIRECT(
            true,
            false,
            PipelineStage.DRAW_INDIRECT.bit(),
            MemoryAccess.INDIRECT_READ.bit(),
            TextureLayout.UNDEFINED,
            QueueKind.COMPUTE),
    /** Source of a copy. */
    COPY_SRC(true, false, PipelineStage.COPY.bit(), COPY_READ.bit(), TextureLayout.TRANSFER_SRC, QueueKind.COPY),
    /** Destination of a copy, clear of colour, or fill. */
    COPY_DST(
            false,
            true,
            PipelineStage.COPY.bit(),
            MemoryAccess.COPY_WRITE.bit(),
            TextureLayout.TRANSFER_DST,
            QueueKind.COPY),
    /** Destination of a multisample resolve at the end of a render pass. */
    RESOLVE_DST(
            false, true, COLOR_OUTPUT.bit(), MemoryAccess.COLOR_WRITE.bit(), TextureLayout.COLOR, QueueKind.GRAPHICS),
    /**
     * Depth and stencil attachment, loaded, tested and written, whose samples are resolved at the end of the render
     * pass. The resolve only reads, but it counts as a writer, as all stages of a use that writes do.
     */
    DEPTH_RESOLVE_SRC(
            true,
            true,
            PipelineStage.DEPTH_TESTS.bit() | COLOR_OUTPUT.bit(),
            MemoryAccess.DEPTH_READ.bit()
                    | MemoryAccess.DEPTH_WRITE.bit()
                    | MemoryAccess.COLOR_READ.bit()
                    | MemoryAccess.COLOR_WRITE.bit(),
            TextureLayout.DEPTH,
            QueueKind.GRAPHICS),
    /** Destination of a resolve of depth or stencil at the end of a render pass, which is work of the colour output. */
    DEPTH_RESOLVE_DST(
            false, true, COLOR_OUTPUT.bit(), MemoryAccess.COLOR_WRITE.bit(), TextureLayout.DEPTH, QueueKind.GRAPHICS),
    /** Source of a blit, or of a resolve outside of a render pass: as {@link #COPY_SRC}, but on a graphics queue. */
    BLIT_SRC(true, false, PipelineStage.COPY.bit(), COPY_READ.bit(), TextureLayout.TRANSFER_SRC, QueueKind.GRAPHICS),
    /**
     * Destination of a blit, resolve or clear of depth outside of a render pass: as {@link #COPY_DST}, on a graphics
     * queue.
     */
    BLIT_DST(
            false,
            true,
            PipelineStage.COPY.bit(),
            MemoryAccess.COPY_WRITE.bit(),
            TextureLayout.TRANSFER_DST,
            QueueKind.GRAPHICS),
    /** Read by the host after the frame. */
    HOST_READ(
            true, false, PipelineStage.HOST.bit(), MemoryAccess.HOST_READ.bit(), TextureLayout.GENERAL, QueueKind.COPY),
    /** Written by the host before the frame. */
    HOST_WRITE(
            false,
            true,
            PipelineStage.HOST.bit(),
            MemoryAccess.HOST_WRITE.bit(),
            TextureLayout.GENERAL,
            QueueKind.COPY),
    /** Handed to the presentation engine. */
    PRESENT(true, false, PipelineStage.NONE, MemoryAccess.NONE, TextureLayout.PRESENT, QueueKind.GRAPHICS);

    private final boolean reads;
    private final boolean writes;
    private final int stages;
    private final int memoryAccess;
    private final TextureLayout layout;
    private final QueueKind queue;

    Access(boolean reads, boolean writes, int stages, int memoryAccess, TextureLayout layout, QueueKind queue) {
        this.reads = reads;
        this.writes = writes;
        this.stages = stages;
        this.memoryAccess = memoryAccess;
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
