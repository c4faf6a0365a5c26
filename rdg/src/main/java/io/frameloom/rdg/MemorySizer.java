package io.frameloom.rdg;

import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.MemoryRequirements;
import io.frameloom.gpu.TextureDescription;

/**
 * Tells the compiler what placing a transient takes. Called on the compiling thread, once for each transient that the
 * plan uses, in order of declaration; not at all for a graph that gets the plan of an equal one, see {@link
 * RenderGraphCompiler}. Equal descriptions have equal sizes.
 */
public interface MemorySizer {
    /** Returns what placing such a texture takes. */
    MemoryRequirements requirements(TextureDescription description);

    /** Returns what placing such a buffer takes. */
    MemoryRequirements requirements(BufferDescription description);

    /** Returns whether targets that no render pass leaves behind get lazily allocated memory of their own, not a place. */
    default boolean lazyMemory() {
        return false;
    }

    /**
     * Returns whether a pass that reads targets only where it draws goes on with them on the tiles of the pass before. No
     * device does so yet: plans for one that does are for reading, and executors refuse them.
     */
    default boolean readsOnTiles() {
        return false;
    }

    /** Returns the sizer that asks a device; equal for equal devices. */
    static MemorySizer of(GpuDevice device) {
        return new DeviceSizer(device);
    }
}
