package io.frameloom.gpu.resource;

import java.nio.ByteBuffer;

/** A buffer of a device. */
public non-sealed interface Buffer extends Resource {
    /** Returns the shape. */
    BufferDescription description();

    @Override
    default boolean isExclusive() {
        return imported() == null
                ? description().sharing() == QueueSharing.EXCLUSIVE
                : sharedFamilies().isEmpty();
    }

    /**
     * Returns the mapped memory, native byte order, position 0, limit at the size; a fresh view on every call. The host
     * may touch it only while no submission that uses the same bytes is pending. Any thread.
     *
     * @throws IllegalStateException if the buffer lives in {@link MemoryUsage#DEVICE} memory, is closed, or has more
     *     bytes than a {@link ByteBuffer} can hold ({@link Integer#MAX_VALUE}); {@link #mapped(long, int)} shows parts
     *     of it
     */
    ByteBuffer mapped();

    /**
     * Returns a part of the mapped memory, of buffers of any size; otherwise as {@link #mapped()}. Any thread.
     *
     * @param offset first byte
     * @param bytes number of bytes, the limit of what is returned
     * @throws IllegalStateException if the buffer lives in {@link MemoryUsage#DEVICE} memory or is closed
     * @throws IllegalArgumentException if the part is not within the buffer
     */
    ByteBuffer mapped(long offset, int bytes);

    /**
     * Returns the address of the first byte on the device, by which shaders reach the buffer without a binding
     * ({@code GL_EXT_buffer_reference}). Declare such uses in the pass as those of a bound storage buffer. The address
     * is valid as long as the buffer; another buffer may have it afterwards. Any thread.
     *
     * @throws IllegalStateException if the device was opened without {@link
     *     io.frameloom.gpu.Capability#BUFFER_DEVICE_ADDRESS}, or the buffer has no usage STORAGE (with {@link
     *     io.frameloom.gpu.Capability#RAY_TRACING_PIPELINES}, neither that nor INDIRECT), was imported or shared, or is
     *     closed
     */
    default long address() {
        throw new IllegalStateException("buffer '" + name() + "' has no address; create one of usage STORAGE, that is"
                + " neither shared nor imported, on a device that was opened with BUFFER_DEVICE_ADDRESS");
    }
}
