package io.frameloom.gpu.virtual;

import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.MemoryHeap;
import io.frameloom.gpu.MemoryRequirements;
import io.frameloom.gpu.MemoryUsage;
import io.frameloom.gpu.Resource;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.internal.Placements;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** Memory of the virtual device in which resources are placed, clobbered when it is created. */
final class VirtualHeap implements MemoryHeap, VirtualObject {
    private final VirtualDevice device;
    private final String name;
    private final VirtualMemory memory;
    private final Set<VirtualResource> residents = new LinkedHashSet<>();
    /** These, and what is closed and in use by the virtual GPU perhaps. */
    private final Placements<VirtualResource> held =
            new Placements<>(resource -> Objects.requireNonNull(resource.placement()));

    private final AtomicBoolean closed = new AtomicBoolean();

    VirtualHeap(VirtualDevice device, String name, VirtualMemory memory) {
        this.device = device;
        this.name = name;
        this.memory = memory;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long bytes() {
        return memory.bytes();
    }

    @Override
    public Texture placeTexture(String textureName, TextureDescription description, long offset) {
        requireOpen(textureName);
        Resource.Placement placement = place(textureName, device.resources().requirements(description), offset);
        return device.gate()
                .inside(() -> occupied(new VirtualTexture(device, textureName, description, memory, placement, false)));
    }

    @Override
    public Buffer placeBuffer(String bufferName, BufferDescription description, long offset) {
        requireOpen(bufferName);
        if (description.memory() != MemoryUsage.DEVICE) {
            throw new IllegalArgumentException("buffer '" + bufferName + "' asks for mapped memory ("
                    + description.memory() + "), but heap '" + name + "' is device memory; create it by itself");
        }
        Resource.Placement placement = place(bufferName, device.resources().requirements(description), offset);
        return device.gate()
                .inside(() -> occupied(new VirtualBuffer(device, bufferName, description, memory, placement)));
    }

    private synchronized <T extends VirtualResource> T occupied(T resource) {
        requireOpen(resource.name());
        clobber(resource);
        residents.add(resource);
        held.add(resource);
        return device.objects().add(resource);
    }

    private void requireOpen(String resource) {
        if (closed.get()) {
            throw new IllegalStateException("'" + resource + "' is placed in heap '" + name + "' after it was closed");
        }
    }

    /** Notes that a resource placed here is closed. */
    synchronized void vacated(VirtualResource resource) {
        residents.remove(resource);
    }

    /** Notes that nothing uses a closed resource any more. */
    synchronized void freed(VirtualResource resource) {
        held.remove(resource);
        clobber(resource);
    }

    /** Leaves garbage where a resource comes or goes, but for what others hold. */
    private void clobber(VirtualResource resource) {
        Resource.Placement placement = resource.placement();
        if (placement == null) {
            return;
        }
        long end = placement.offset() + placement.bytes();
        List<Resource.Placement> others = new ArrayList<>();
        held.overlapping(placement, other -> others.add(Objects.requireNonNull(other.placement())));
        others.sort(Comparator.comparingLong(Resource.Placement::offset));
        long at = placement.offset();
        for (Resource.Placement other : others) {
            if (other.offset() > at) {
                device.resources().clobber(memory, at, other.offset() - at);
            }
            at = Math.max(at, other.offset() + other.bytes());
        }
        if (at < end) {
            device.resources().clobber(memory, at, end - at);
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed.get()) {
                return;
            }
            if (!residents.isEmpty()) {
                throw new IllegalStateException("heap '" + name + "' still holds " + residents + "; close those first");
            }
            closed.set(true);
        }
        // Out of the lock, which whoever frees what was placed here takes.
        device.closed(this);
    }

    private Resource.Placement place(String resource, MemoryRequirements needs, long offset) {
        if (offset < 0 || offset % needs.alignment() != 0) {
            throw new IllegalArgumentException("offset " + offset + " of '" + resource + "' in heap '" + name
                    + "' is not a multiple of " + needs.alignment());
        }
        if (needs.bytes() > memory.bytes() - offset) {
            throw new IllegalArgumentException("'" + resource + "' needs " + needs.bytes() + " bytes at " + offset
                    + ", but heap '" + name + "' has " + memory.bytes());
        }
        return new Resource.Placement(this, offset, needs.bytes());
    }
}
