package io.frameloom.gpu;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The shape of a buffer.
 *
 * @param bytes size, at least 1
 * @param usage what the buffer may be used for; not empty
 * @param memory where it lives
 */
public record BufferDescription(long bytes, Set<BufferUsage> usage, MemoryUsage memory) {

    /** Checks the size and copies the usage. */
    public BufferDescription {
        if (bytes < 1) {
            throw new IllegalArgumentException("buffer size must be at least 1 byte, got " + bytes);
        }
        if (usage.isEmpty()) {
            throw new IllegalArgumentException("buffer usage must not be empty");
        }
        usage = Collections.unmodifiableSet(EnumSet.copyOf(usage));
    }

    /** Returns the description of a buffer in device memory. */
    public static BufferDescription device(long bytes, BufferUsage first, BufferUsage... more) {
        return new BufferDescription(bytes, EnumSet.of(first, more), MemoryUsage.DEVICE);
    }

    /** Returns the description of a mapped buffer that the host writes. */
    public static BufferDescription upload(long bytes, BufferUsage first, BufferUsage... more) {
        return new BufferDescription(bytes, EnumSet.of(first, more), MemoryUsage.UPLOAD);
    }

    /** Returns the description of a mapped buffer that the host reads. */
    public static BufferDescription readback(long bytes) {
        return new BufferDescription(bytes, EnumSet.of(BufferUsage.COPY_DST), MemoryUsage.READBACK);
    }
}
