package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.record.Perishable;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.virtual.memory.Mix;
import io.frameloom.gpu.virtual.memory.VirtualMemory;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The common part of textures and buffers of the virtual device: a name, memory, and a state of life. */
abstract class VirtualResource implements VirtualObject, Perishable {
    private final SimulatedDevice device;
    private final String name;
    private final VirtualMemory memory;
    private final Resource.@Nullable Placement placement;
    private final AtomicBoolean closed = new AtomicBoolean();

    VirtualResource(SimulatedDevice device, String name, VirtualMemory memory, Resource.@Nullable Placement placement) {
        this.device = device;
        this.name = name;
        this.memory = memory;
        this.placement = placement;
    }

    @Override
    public String name() {
        return name;
    }

    public Resource.@Nullable Placement placement() {
        return placement;
    }

    public boolean isClosed() {
        return closed.get();
    }

    @Override
    public @Nullable String closedPart() {
        return closed.get() ? "'" + name + "'" : null;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            if (placement != null) {
                VirtualHeap heap = (VirtualHeap) placement.heap();
                heap.vacated(this);
                device.closed(this, () -> heap.freed(this));
            } else {
                device.closed(this, () -> device.resources().clobber(memory, 0, memory.bytes()));
            }
        }
    }

    SimulatedDevice device() {
        return device;
    }

    VirtualMemory memory() {
        return memory;
    }

    /** Returns the address of the resource's first byte in its memory. */
    long base() {
        return placement == null ? 0 : placement.offset();
    }

    void checkOpen(String action) {
        if (closed.get()) {
            throw new IllegalStateException("'" + name + "' is " + action + " after it was closed");
        }
    }

    /** Identity of the contents of this resource before anything has written them. */
    long clobberStamp() {
        return Mix.mix(0xC10BBE2EDL, name);
    }

    @Override
    public String toString() {
        return name;
    }
}
