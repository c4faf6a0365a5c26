package io.frameloom.gpu.resource;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A texture or buffer of one device.
 *
 * <p>Resources are immutable handles: any thread may read them and name them in command lists. A resource may be closed
 * while the device uses it. From then on nothing can use it, and lists that name it and were not submitted are refused.
 * No other thread may be recording a list that names it while it is closed; a list of the closing thread then takes
 * no command but its end, which is refused. Its memory is freed when the device has completed all earlier submissions,
 * whether they name it or not, and with the device at the latest. The same holds for pipelines, binding sets, timestamp
 * sets and heaps.
 *
 * <p>An {@linkplain #imported imported} resource belongs to its engine: before that destroys or changes it, all its
 * uses must be complete. New resources may be placed in a heap as soon as the old ones are closed. Work on the one and
 * on the other needs the same barriers as that of any resources that alias.
 */
public sealed interface Resource extends AutoCloseable permits Texture, Buffer {
    /** Returns the debug name. */
    String name();

    /** Returns where the resource was placed in a heap, or null if it owns its memory. */
    @Nullable
    Placement placement();

    /**
     * Returns the layout that a texture was in when it was imported, or {@link TextureLayout#GENERAL} for an imported
     * buffer; null for a resource that Frameloom made. Imported resources have contents, and all earlier work on them
     * counts as complete.
     */
    default @Nullable TextureLayout imported() {
        return null;
    }

    /**
     * Returns the queue families that an imported resource was created for concurrent use by. They need no handing
     * over, and no other family may use it. Empty for a resource that belongs to one family at a time, and for one that
     * Frameloom made.
     */
    default Set<Integer> sharedFamilies() {
        return Set.of();
    }

    /**
     * Returns whether it belongs to one queue family at a time, which hands it over to the next: whether it was made or
     * imported as {@link QueueSharing#EXCLUSIVE}.
     */
    boolean isExclusive();

    /**
     * Returns the driver's handle of the resource, or 0 if there is no driver. Two resources of one kind and device
     * with one handle other than 0 were imported from the same object: they are the same memory.
     */
    default long nativeHandle() {
        return 0;
    }

    /**
     * Returns whether others use its memory through a file descriptor. What they write is not known here, so its
     * contents count as defined.
     */
    default boolean isShared() {
        return false;
    }

    /** Returns whether the resource has been closed. */
    boolean isClosed();

    /**
     * Closes the resource: all later uses are refused. It neither waits nor refuses because the device is busy, so it
     * may end a block that has failed; the device destroys the resource when it no longer uses it. A second call does
     * nothing.
     */
    @Override
    void close();

    /**
     * A byte range of a heap. Resources whose placements overlap alias: at any time at most one of them has contents.
     *
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
