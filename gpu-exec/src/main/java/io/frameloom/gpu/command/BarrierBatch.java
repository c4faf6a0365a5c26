package io.frameloom.gpu.command;

import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Barriers issued at one point of a command list, as one command.
 *
 * @param globals barriers of all memory
 */
public record BarrierBatch(List<TextureBarrier> textures, List<BufferBarrier> buffers, List<GlobalBarrier> globals) {
    public BarrierBatch {
        textures = List.copyOf(textures);
        buffers = List.copyOf(buffers);
        globals = List.copyOf(globals);
    }

    /** Returns whether there is nothing to issue. */
    public boolean isEmpty() {
        return textures.isEmpty() && buffers.isEmpty() && globals.isEmpty();
    }

    /** Returns the number of barriers. */
    public int size() {
        return textures.size() + buffers.size() + globals.size();
    }

    /**
     * The two halves of a dependency: what must have happened, and what waits for it.
     *
     * @param srcStages mask of {@link PipelineStage}s
     * @param srcAccess mask of {@link MemoryAccess}es to make available
     * @param dstStages mask of {@link PipelineStage}s
     * @param dstAccess mask of {@link MemoryAccess}es to make visible to
     */
    public record Scope(int srcStages, int srcAccess, int dstStages, int dstAccess) {}

    /**
     * A transfer between queue families, recorded once as a release on the source and once as an acquire on the
     * destination. Both are families of the device. What comes from another device or process, through
     * VK_QUEUE_FAMILY_EXTERNAL, is handed over by the engine that has it.
     *
     * @param from source family, from 0
     * @param to destination family, from 0
     */
    public record OwnershipTransfer(int from, int to) {}

    /**
     * A dependency on, and a layout transition of, a texture range.
     *
     * @param oldLayout layout before; {@link TextureLayout#UNDEFINED} discards the contents
     * @param newLayout layout after
     * @param ownership ownership transfer, or null for none
     */
    public record TextureBarrier(
            Texture texture,
            SubresourceRange range,
            Scope scope,
            TextureLayout oldLayout,
            TextureLayout newLayout,
            @Nullable OwnershipTransfer ownership) {}

    /**
     * A dependency on a range of a buffer.
     *
     * @param offset first byte
     * @param bytes length
     * @param ownership ownership transfer, or null for none
     */
    public record BufferBarrier(
            Buffer buffer,
            long offset,
            long bytes,
            Scope scope,
            @Nullable OwnershipTransfer ownership) {}

    /** A dependency on all memory. */
    public record GlobalBarrier(Scope scope) {
        /** Everything before, with all writes, happens before everything after. */
        public static final GlobalBarrier FULL = new GlobalBarrier(new Scope(
                PipelineStage.ALL_COMMANDS.bit(),
                MemoryAccess.MEMORY_WRITE.bit(),
                PipelineStage.ALL_COMMANDS.bit(),
                MemoryAccess.MEMORY_READ.bit() | MemoryAccess.MEMORY_WRITE.bit()));
    }
}
