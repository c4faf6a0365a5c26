package io.frameloom.rdg;

import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.MemoryRequirements;
import io.frameloom.gpu.TextureDescription;

/**
 * Asks a device what placing a resource takes.
 *
 * @param device device
 */
record DeviceSizer(GpuDevice device) implements MemorySizer {
    @Override
    public boolean lazyMemory() {
        return device.capabilities().limits().memory().lazilyAllocated();
    }

    @Override
    public MemoryRequirements requirements(TextureDescription description) {
        return device.requirements(description);
    }

    @Override
    public MemoryRequirements requirements(BufferDescription description) {
        return device.requirements(description);
    }
}
