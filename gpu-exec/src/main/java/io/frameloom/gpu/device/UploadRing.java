package io.frameloom.gpu.device;

import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferSlice;
import io.frameloom.gpu.resource.UploadSlice;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Mapped memory of a frame context, handed out from the start of a list of chunks and taken back at once. Steady use
 * makes neither chunks nor, with slices of the caller's, objects; {@link UploadSizes} says what other use does. Any
 * thread.
 */
public final class UploadRing implements AutoCloseable {
    private final String context;
    private final int minAlignment;
    private final Memory memory;
    private final UploadSizes sizes;
    private final List<Chunk> chunks = new ArrayList<>();
    private int made;
    private int current;
    private long used;
    private long reserved;
    private boolean closed;

    /** Where chunks come from. */
    public interface Memory {
        /** Makes a mapped buffer. */
        Buffer create(String name, long bytes);

        void destroy(Buffer buffer);
    }

    private record Chunk(Buffer buffer, ByteBuffer whole) {}

    /**
     * A ring without chunks.
     *
     * @param context name of the frame context
     * @param minAlignment least alignment of memory handed out, a power of two
     * @param most bytes of the device's largest buffer
     */
    public UploadRing(String context, int minAlignment, long most, Memory memory) {
        this.context = context;
        this.minAlignment = minAlignment;
        this.memory = memory;
        this.sizes = new UploadSizes(most);
    }

    /** Hands out memory as {@link io.frameloom.gpu.command.FrameContext#allocateUpload(long, int)} does. */
    public synchronized BufferSlice allocate(long bytes, int alignment) {
        long offset = take(bytes, alignment);
        Chunk chunk = chunks.get(current);
        ByteBuffer data = chunk.whole.slice((int) offset, (int) bytes).order(ByteOrder.nativeOrder());
        return new BufferSlice(chunk.buffer, offset, bytes, data);
    }

    /** As {@link io.frameloom.gpu.command.FrameContext#allocateUpload(long, int, UploadSlice)}. */
    public synchronized void allocate(long bytes, int alignment, UploadSlice into) {
        long offset = take(bytes, alignment);
        Chunk chunk = chunks.get(current);
        into.set(chunk.buffer, chunk.whole, (int) offset, (int) bytes);
    }

    /** Returns the offset of memory taken from the current chunk. */
    private long take(long bytes, int alignment) {
        if (closed) {
            throw new IllegalStateException(
                    "frame context '" + context + "' is closed; allocate upload memory from an open one");
        }
        if (bytes < 1 || bytes > Integer.MAX_VALUE || alignment < 1) {
            throw new IllegalArgumentException("upload memory of frame context '" + context + "' is 1 to "
                    + Integer.MAX_VALUE + " bytes with an alignment of 1 or more, got " + bytes + " bytes aligned to "
                    + alignment);
        }
        long step = commonMultiple(alignment, minAlignment);
        while (true) {
            if (current == chunks.size()) {
                chunks.add(make(bytes));
            }
            long offset = (used + step - 1) / step * step;
            if (offset + bytes <= chunks.get(current).whole.capacity()) {
                used = offset + bytes;
                sizes.allocated(bytes, step);
                return offset;
            }
            current++;
            used = 0;
        }
    }

    /** The least multiple of a number and a power of two. */
    private static long commonMultiple(int number, int power) {
        int common = Math.min(Integer.lowestOneBit(number), power);
        return (long) number / common * power;
    }

    private Chunk make(long bytes) {
        Buffer buffer = create(bytes);
        made++;
        reserved += buffer.description().bytes();
        return new Chunk(buffer, buffer.mapped());
    }

    private Buffer create(long bytes) {
        String name = context + " upload " + made;
        long wanted = sizes.chunk(bytes, reserved);
        long needed = Math.max(bytes, UploadSizes.LEAST);
        try {
            return memory.create(name, wanted);
        } catch (GpuOutOfMemoryException full) {
            if (wanted <= needed) {
                throw full;
            }
            return memory.create(name, needed);
        }
    }

    /** Returns the number of chunks, which steady use does not change. */
    public synchronized int chunkCount() {
        return chunks.size();
    }

    /** Takes all memory back: the device has finished with it. */
    public synchronized void reset() {
        current = 0;
        used = 0;
        if (sizes.endRound(chunks.size(), reserved)) {
            giveUp();
        }
    }

    private void giveUp() {
        chunks.forEach(chunk -> memory.destroy(chunk.buffer));
        chunks.clear();
        reserved = 0;
    }

    @Override
    public synchronized void close() {
        closed = true;
        giveUp();
    }
}
