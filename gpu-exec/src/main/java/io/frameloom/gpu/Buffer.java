package io.frameloom.gpu;

import java.nio.ByteBuffer;

/** A buffer of a device. */
public non-sealed interface Buffer extends Resource {
    /** Returns the shape. */
    BufferDescription description();

    /**
     * Returns the mapped memory, native byte order, position 0, limit at the size; a fresh view on every call. The
     * host may touch it only while no submission that uses the same bytes is pending.
     *
     * @throws IllegalStateException if the buffer lives in {@link MemoryUsage#DEVICE} memory
     */
    ByteBuffer mapped();
}
