package io.frameloom.gpu.vulkan.resource;

import io.frameloom.gpu.record.DeviceObject;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.Resource.Placement;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import java.util.LinkedHashMap;
import java.util.Map;

/** One dedicated allocation in which resources are placed. */
public final class VulkanHeap implements MemoryHeap, DeviceObject {
    private final DeviceCore core;
    private final MemoryAllocator memory;
    private final String name;
    private final long bytes;
    private final int memoryTypes;
    private final long allocation;
    /** The resources placed here by name, and how many. */
    private final Map<String, Integer> residents = new LinkedHashMap<>();

    private boolean closed;

    public VulkanHeap(DeviceCore core, MemoryAllocator memory, String name, long bytes, int memoryTypes) {
        if (memoryTypes == 0) {
            throw new IllegalArgumentException("heap '" + name + "' needs at least 1 memory type, got none"
                    + "; resources whose memory types do not intersect need heaps of their own");
        }
        this.core = core;
        this.memory = memory;
        this.name = name;
        this.bytes = bytes;
        this.memoryTypes = memoryTypes;
        this.allocation = memory.allocateHeap(name, bytes, memoryTypes);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public Texture placeTexture(String resource, TextureDescription description, long offset) {
        requireOpen(resource);
        return core.gate().inside(() -> place(resource, description, offset));
    }

    private Texture place(String resource, TextureDescription description, long offset) {
        Placement placement = placement("texture '" + resource + "'", memory.requirements(description), offset);
        occupied(resource);
        try {
            VulkanTexture texture = memory.placeTexture(resource, description, allocation, placement);
            core.objects().add(texture);
            return texture;
        } catch (RuntimeException | Error e) {
            vacated(resource);
            throw e;
        }
    }

    @Override
    public Buffer placeBuffer(String resource, BufferDescription description, long offset) {
        requireOpen(resource);
        if (description.memory() != MemoryUsage.DEVICE) {
            throw new IllegalArgumentException("buffer '" + resource + "' in heap '" + name + "' asks for "
                    + description.memory() + " memory; only DEVICE buffers can be placed");
        }
        return core.gate().inside(() -> place(resource, description, offset));
    }

    private Buffer place(String resource, BufferDescription description, long offset) {
        Placement placement = placement("buffer '" + resource + "'", memory.requirements(description), offset);
        occupied(resource);
        try {
            VulkanBuffer buffer = memory.placeBuffer(resource, description, allocation, placement);
            core.objects().add(buffer);
            return buffer;
        } catch (RuntimeException | Error e) {
            vacated(resource);
            throw e;
        }
    }

    private Placement placement(String resource, MemoryRequirements needs, long offset) {
        if (offset < 0 || offset % needs.alignment() != 0) {
            throw new IllegalArgumentException(resource + " in heap '" + name
                    + "' needs an offset that is a multiple of " + needs.alignment() + ", got " + offset);
        }
        if (needs.bytes() > bytes - offset) {
            throw new IllegalArgumentException(resource + " of " + needs.bytes() + " bytes at offset " + offset
                    + " does not fit heap '" + name + "' of " + bytes + " bytes");
        }
        if ((needs.memoryTypes() & memoryTypes) != memoryTypes) {
            throw new IllegalArgumentException(resource + " may live in memory types 0x"
                    + Integer.toHexString(needs.memoryTypes()) + ", heap '" + name + "' may be of any of 0x"
                    + Integer.toHexString(memoryTypes) + "; create the heap with the intersection");
        }
        return new Placement(this, offset, needs.bytes());
    }

    private synchronized void occupied(String resource) {
        requireOpen(resource);
        residents.merge(resource, 1, Integer::sum);
    }

    private synchronized void requireOpen(String resource) {
        if (closed) {
            throw new IllegalStateException(
                    "'" + resource + "' is placed in heap '" + name + "' after it was closed; use an open heap");
        }
    }

    /** Notes that a resource placed here is gone. */
    synchronized void vacated(String resource) {
        residents.computeIfPresent(resource, (same, count) -> count == 1 ? null : (Integer) (count - 1));
    }

    @Override
    public void close() {
        core.gate().closing(this::destroy);
    }

    private synchronized void destroy() {
        if (closed) {
            return;
        }
        if (!residents.isEmpty()) {
            throw new IllegalStateException(
                    "heap '" + name + "' still holds " + residents.keySet() + "; close those first");
        }
        closed = true;
        core.objects().remove(this);
        core.retired().add(() -> memory.freeHeap(allocation));
    }
}
