package io.frameloom.rdg.compile;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.MemorySizer;

/** Asks a device what placing a resource takes, and what it has at all. */
public record DeviceSizer(GpuDevice device) implements MemorySizer {
    @Override
    public boolean lazyMemory() {
        return device.capabilities().limits().memory().lazilyAllocated();
    }

    @Override
    public long maxHeapBytes() {
        return device.capabilities().limits().memory().maxAllocationBytes();
    }

    @Override
    public int maxColorAttachments() {
        return device.capabilities().limits().drawing().maxColorAttachments();
    }

    @Override
    public void requireSupported(TextureDescription description) {
        device.requirements(description);
    }

    @Override
    public void requireSupported(BufferDescription description) {
        device.requirements(description);
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
