package io.frameloom.gpu.resource;

/**
 * One allocation of device memory in which resources are placed at chosen offsets, so that transient resources of a
 * frame can share bytes. Any thread may place; the heap must outlive what is placed in it.
 */
public interface MemoryHeap extends AutoCloseable {
    /** Returns the debug name. */
    String name();

    /** Returns the size in bytes. */
    long bytes();

    /**
     * Creates a texture at {@code offset}. Its contents are undefined, whatever lay there before.
     *
     * @throws IllegalArgumentException if the offset is not aligned or the texture does not fit
     */
    Texture placeTexture(String name, TextureDescription description, long offset);

    /**
     * Creates a buffer in device memory at {@code offset}.
     *
     * @throws IllegalArgumentException if the offset is not aligned, the buffer does not fit or asks for mapped memory
     */
    Buffer placeBuffer(String name, BufferDescription description, long offset);

    /**
     * Closes the heap; the resources placed in it must be closed. The memory is freed when the device has completed
     * what was submitted before. A second call does nothing.
     */
    @Override
    void close();
}
