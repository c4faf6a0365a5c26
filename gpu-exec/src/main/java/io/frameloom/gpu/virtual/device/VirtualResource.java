package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.virtual.memory.Mix;
import io.frameloom.gpu.virtual.memory.Pattern;
import io.frameloom.gpu.virtual.memory.VirtualMemory;
import org.jspecify.annotations.Nullable;

/** The common part of textures and buffers of the virtual device: memory, and where in it they are. */
abstract class VirtualResource extends VirtualObject {
    private final VirtualMemory memory;
    private final Resource.@Nullable Placement placement;

    VirtualResource(SimulatedDevice device, String name, VirtualMemory memory, Resource.@Nullable Placement placement) {
        super(device, name);
        this.memory = memory;
        this.placement = placement;
    }

    public final Resource.@Nullable Placement placement() {
        return placement;
    }

    @Override
    final void retire() {
        if (placement != null) {
            VirtualHeap heap = (VirtualHeap) placement.heap();
            heap.vacated(this);
            device().closed(this, () -> heap.freed(this));
        } else {
            device().closed(this, () -> {
                device().resources().clobber(memory, 0, memory.bytes());
                freed();
            });
        }
    }

    /** Follows the close of what has memory of its own, when the virtual GPU no longer uses it. */
    void freed() {}

    /** Returns memory as large, of which nothing exists yet. */
    final VirtualMemory emptyMemory() {
        long bytes = placement == null ? memory.bytes() : placement.bytes();
        return VirtualMemory.device(name(), bytes, Pattern.ofUnit(new byte[1], 0));
    }

    final VirtualMemory memory() {
        return memory;
    }

    /** Returns the address of the resource's first byte in its memory. */
    final long base() {
        return placement == null ? 0 : placement.offset();
    }

    /** Identity of the contents of this resource before anything has written them. */
    final long clobberStamp() {
        return Mix.mix(0xC10BBE2EDL, name());
    }
}
