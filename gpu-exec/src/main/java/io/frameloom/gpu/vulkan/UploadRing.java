package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.BufferSlice;
import io.frameloom.gpu.BufferUsage;
import java.util.ArrayList;
import java.util.List;

/**
 * Mapped memory handed out from the start of a list of chunks and taken back at once. Grows by chunks, keeps them. Any
 * thread.
 */
final class UploadRing implements AutoCloseable {
    private static final long CHUNK_BYTES = 1 << 20;

    private final MemoryAllocator memory;
    private final String name;
    private final int minAlignment;
    private final List<VulkanBuffer> chunks = new ArrayList<>();
    private int current;
    private long used;
    private boolean closed;

    UploadRing(MemoryAllocator memory, String name, int minAlignment) {
        this.memory = memory;
        this.name = name;
        this.minAlignment = minAlignment;
    }

    synchronized BufferSlice allocate(long bytes, int alignment) {
        if (closed) {
            throw new IllegalStateException(
                    "frame context '" + name + "' is closed; allocate upload memory from an open one");
        }
        if (bytes < 1 || bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "upload size must be 1 to " + Integer.MAX_VALUE + " bytes, got " + bytes);
        }
        if (Integer.bitCount(alignment) != 1 || alignment < 1) {
            throw new IllegalArgumentException("upload alignment must be a power of two, got " + alignment);
        }
        long step = Math.max(alignment, minAlignment);
        while (true) {
            if (current == chunks.size()) {
                chunks.add(createChunk(Math.max(bytes, CHUNK_BYTES)));
            }
            VulkanBuffer chunk = chunks.get(current);
            long offset = (used + step - 1) & -step;
            if (offset + bytes <= chunk.description().bytes()) {
                used = offset + bytes;
                return new BufferSlice(chunk, offset, bytes, chunk.mapped(offset, (int) bytes));
            }
            current++;
            used = 0;
        }
    }

    private VulkanBuffer createChunk(long bytes) {
        return memory.createBuffer(
                name + " upload " + chunks.size(),
                BufferDescription.upload(
                        bytes,
                        BufferUsage.COPY_SRC,
                        BufferUsage.UNIFORM,
                        BufferUsage.STORAGE,
                        BufferUsage.VERTEX,
                        BufferUsage.INDEX,
                        BufferUsage.INDIRECT));
    }

    /** Returns the number of chunks, which steady use does not change. */
    synchronized int chunkCount() {
        return chunks.size();
    }

    synchronized void reset() {
        current = 0;
        used = 0;
    }

    @Override
    public synchronized void close() {
        closed = true;
        chunks.forEach(VulkanBuffer::close);
        chunks.clear();
    }
}
