package io.frameloom.gpu.transfer.staging;

import io.frameloom.gpu.resource.Buffer;
import java.nio.ByteBuffer;

/**
 * Mapped memory that is taken at its head and given back at its tail, in the order in which it was taken. Positions
 * count up for ever; the offset of a position is its remainder by the capacity. Guarded by the lock of its owner, but
 * for {@link #write}.
 */
public final class StagingRing implements AutoCloseable {
    private final Buffer buffer;
    private final ByteBuffer memory;
    private final int capacity;
    private long head;
    private long tail;

    public StagingRing(Buffer buffer, int capacity) {
        this.buffer = buffer;
        this.memory = buffer.mapped();
        this.capacity = capacity;
    }

    Buffer buffer() {
        return buffer;
    }

    public int capacity() {
        return capacity;
    }

    /** Returns the position after what was taken last. */
    long head() {
        return head;
    }

    /** Returns whether so many contiguous bytes can be taken now. */
    boolean hasRoom(int bytes, int alignment) {
        return start(bytes, alignment) + bytes - tail <= capacity;
    }

    /**
     * Takes bytes for which there is room.
     *
     * @return their offset, a multiple of {@code alignment}
     */
    int take(int bytes, int alignment) {
        long start = start(bytes, alignment);
        head = start + bytes;
        return (int) (start % capacity);
    }

    void giveBack(long position) {
        tail = position;
    }

    /** Begins at offset 0 again; nothing may be taken. */
    void restart() {
        head = 0;
        tail = 0;
    }

    /** Copies to what was taken. Any thread. */
    public void write(int at, ByteBuffer data, int from, int bytes) {
        memory.put(at, data, from, bytes);
    }

    /** Returns the next position that is aligned and has so many bytes before the end of the memory. */
    private long start(int bytes, int alignment) {
        long at = head % capacity;
        long next = (at + alignment - 1) / alignment * alignment;
        return next + bytes <= capacity ? head + next - at : (head / capacity + 1) * capacity;
    }

    @Override
    public void close() {
        buffer.close();
    }
}
