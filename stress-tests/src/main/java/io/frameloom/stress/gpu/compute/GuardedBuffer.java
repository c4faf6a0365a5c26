package io.frameloom.stress.gpu.compute;

import io.frameloom.gpu.BoundResource.BufferRange;
import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.GpuDevice;

/**
 * Words of device memory between canaries.
 *
 * @param role for messages
 * @param buffer all of it
 * @param before words before those that are used
 * @param words words that are used
 */
record GuardedBuffer(String role, Buffer buffer, long before, long words) implements AutoCloseable {
    static final int CANARY_WORDS = 67;

    /**
     * Makes one.
     *
     * @param alignment bytes that the used words begin at a multiple of, but not of twice as many
     */
    static GuardedBuffer create(GpuDevice device, String role, long words, int alignment) {
        long before = before(alignment);
        Buffer buffer = device.createBuffer(
                role,
                BufferDescription.device(
                        bytes(words, alignment), BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST));
        return new GuardedBuffer(role, buffer, before, words);
    }

    /** Returns how large such a buffer is. */
    static long bytes(long words, int alignment) {
        return (before(alignment) + words + CANARY_WORDS) * Integer.BYTES;
    }

    private static long before(int alignment) {
        long units = CANARY_WORDS * Integer.BYTES / alignment | 1;
        return units * alignment / Integer.BYTES;
    }

    /** Returns the words that are used. */
    BufferRange range() {
        return new BufferRange(buffer, before * Integer.BYTES, words * Integer.BYTES);
    }

    @Override
    public void close() {
        buffer.close();
    }
}
