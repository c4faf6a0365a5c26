package io.frameloom.stress.gpu.compute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;

/**
 * Words of device memory between canaries.
 *
 * @param role for messages
 * @param buffer all of it
 * @param before words before those that are used
 * @param words words that are used
 */
record GuardedBuffer(String role, Buffer buffer, long before, long words) implements AutoCloseable {
    /** At least so many are on either side. */
    static final int CANARY_WORDS = 67;

    /** Makes one whose words may lie in any {@link Placement}. */
    static GuardedBuffer create(GpuDevice device, String role, long words) {
        return new GuardedBuffer(role, buffer(device, role, bytes(words)), Placement.UNALIGNED.before(), words);
    }

    /**
     * Makes one.
     *
     * @param alignment bytes that the used words begin at a multiple of, but not of twice as many
     */
    static GuardedBuffer create(GpuDevice device, String role, long words, int alignment) {
        return new GuardedBuffer(role, buffer(device, role, bytes(words, alignment)), before(alignment), words);
    }

    private static Buffer buffer(GpuDevice device, String role, long bytes) {
        return device.createBuffer(
                role, BufferDescription.device(bytes, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST));
    }

    /** Returns how large a buffer is whose words may be placed. */
    static long bytes(long words) {
        return (Placement.ALIGNED.before() + words + CANARY_WORDS) * Integer.BYTES;
    }

    /** Returns how large a buffer of words at a multiple of bytes is. */
    static long bytes(long words, int alignment) {
        return (before(alignment) + words + CANARY_WORDS) * Integer.BYTES;
    }

    private static long before(int alignment) {
        long units = CANARY_WORDS * Integer.BYTES / alignment | 1;
        return units * alignment / Integer.BYTES;
    }

    /** Returns other words of the same buffer. */
    GuardedBuffer at(Placement placement) {
        return new GuardedBuffer(role, buffer, placement.before(), words);
    }

    /** Returns the words that are used. */
    BufferRange range() {
        return new BufferRange(buffer, before * Integer.BYTES, words * Integer.BYTES);
    }

    /** Returns how many words are behind those that are used. */
    long behind() {
        return buffer.description().bytes() / Integer.BYTES - before - words;
    }

    @Override
    public void close() {
        buffer.close();
    }
}
