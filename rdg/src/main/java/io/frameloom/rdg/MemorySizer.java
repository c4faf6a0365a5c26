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

    /** Returns the sizer that asks a device; equal for equal devices. */
    static MemorySizer of(GpuDevice device) {
        return new DeviceSizer(device);
    }
}
