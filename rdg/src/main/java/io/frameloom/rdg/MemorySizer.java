package io.frameloom.rdg;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.compile.DeviceSizer;

/**
 * Returns to the compiler what placing a transient takes, and what of a graph the device does not have at all. The
 * compiling thread calls it for transients that the plan uses, in order of declaration, and again if any of them is
 * refused. Equal descriptions have equal sizes, so it is called once for all transients of one. It is not called for a
 * graph that gets the plan of an equal one, see {@link RenderGraphCompiler}.
 *
 * <p>Several threads may call it at the same time: those that compile, a worker that searches for lower heaps ({@link
 * HeapSearch#REUSED}), and each thread that asks a plan for reasons.
 */
public interface MemorySizer {
    /**
     * Returns what placing such a texture takes.
     *
     * @throws IllegalArgumentException if the device has no such textures, which the compiler reports for all resources
     *     at once ({@link RdgError.Code#UNSUPPORTED})
     */
    MemoryRequirements requirements(TextureDescription description);

    /**
     * Returns what placing such a buffer takes.
     *
     * @throws IllegalArgumentException if the device has no such buffers, which the compiler reports for all resources
     *     at once ({@link RdgError.Code#UNSUPPORTED})
     */
    MemoryRequirements requirements(BufferDescription description);

    /**
     * Checks a texture that the graph makes with memory of its own; by default the device has every one.
     *
     * @throws IllegalArgumentException as {@link #requirements(TextureDescription)}
     */
    default void requireSupported(TextureDescription description) {}

    /**
     * Checks a buffer that the graph makes with memory of its own; by default the device has every one.
     *
     * @throws IllegalArgumentException as {@link #requirements(BufferDescription)}
     */
    default void requireSupported(BufferDescription description) {}

    /**
     * Returns the most bytes of a heap: transients that need more get several heaps, and one that needs more alone is
     * refused. By default there is no limit.
     */
    default long maxHeapBytes() {
        return Long.MAX_VALUE;
    }

    /** Returns the most colour targets of a pass; a pass with more is refused. By default there is no limit. */
    default int maxColorAttachments() {
        return Integer.MAX_VALUE;
    }

    /**
     * Returns whether targets that never leave their render pass get lazily allocated memory of their own, not a place.
     */
    default boolean lazyMemory() {
        return false;
    }

    /** Returns the sizer that asks a device; equal for equal devices. */
    static MemorySizer of(GpuDevice device) {
        return new DeviceSizer(device);
    }
}
