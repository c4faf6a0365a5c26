package io.frameloom.gpu;

import org.jspecify.annotations.Nullable;

/**
 * A texture or buffer of one device.
 *
 * <p>Resources are immutable handles: any thread may read them and name them in command lists. Closing one is the
 * owner's business: the device must have completed every submission that uses it. Lists that name it and were not
 * submitted are lost: they are refused from then on.
 */
public sealed interface Resource extends AutoCloseable permits Texture, Buffer {
    /** Returns the debug name. */
    String name();

    /** Returns where the resource was placed in a heap, or null if it owns its memory. */
    @Nullable
    Placement placement();

    /**
     * Returns the layout that a texture was in when it was imported, or {@link TextureLayout#GENERAL} for an imported
     * buffer; null for a resource that Frameloom made. Imported resources have contents, and whatever was done to them
     * before the import counts as complete.
     */
    default @Nullable TextureLayout imported() {
        return null;
    }

    /**
     * Returns what the driver knows the resource by, or 0 if there is no driver. Two resources of one kind and device
     * with one handle other than 0 were imported from the same object: they are the same memory.
     */
    default long nativeHandle() {
        return 0;
    }

    /** Returns whether the resource has been closed. */
    boolean isClosed();

    /** Destroys the resource; a second call does nothing. */
    @Override
    void close();

    /**
     * A byte range of a heap. Resources whose placements overlap alias: at any time at most one of them has contents.
     *
     * @param heap the heap
     * @param offset first byte
     * @param bytes length
     */
    record Placement(MemoryHeap heap, long offset, long bytes) {
        /** Returns whether the two placements share a byte. */
        public boolean overlaps(Placement other) {
            return heap == other.heap && offset < other.offset + other.bytes && other.offset < offset + bytes;
        }
    }
}
