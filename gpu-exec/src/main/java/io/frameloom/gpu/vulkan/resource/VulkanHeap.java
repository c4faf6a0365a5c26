package io.frameloom.gpu.vulkan.resource;

import io.frameloom.gpu.record.ResourceLimits;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.Resource.Placement;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.VulkanObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** One dedicated allocation in which resources are placed. */
public final class VulkanHeap extends VulkanObject implements MemoryHeap {
    private final MemoryAllocator memory;
    private final long bytes;
    private final int memoryTypes;
    private final long allocation;
    /** The resources placed here by name, and how many. */
    private final Map<String, Integer> residents = new LinkedHashMap<>();

    public VulkanHeap(DeviceCore core, MemoryAllocator memory, String name, long bytes, int memoryTypes) {
        super(core, name);
        if (memoryTypes == 0) {
            throw new IllegalArgumentException("heap '" + name + "' needs at least 1 memory type, got none"
                    + "; resources whose memory types do not intersect need heaps of their own");
        }
        this.memory = memory;
        this.bytes = bytes;
        this.memoryTypes = memoryTypes;
        this.allocation = memory.allocateHeap(name, bytes, memoryTypes);
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public Texture placeTexture(String resource, TextureDescription description, long offset) {
        ResourceLimits.requireName(resource, "a texture");
        return place(
                resource,
                "texture '" + resource + "'",
                () -> memory.requirements(description),
                offset,
                placement -> memory.placeTexture(resource, description, allocation, placement));
    }

    @Override
    public Buffer placeBuffer(String resource, BufferDescription description, long offset) {
        ResourceLimits.requireName(resource, "a buffer");
        requirePlaceable(resource);
        ResourceLimits.checkPlaced(this, resource, description);
        return place(
                resource,
                "buffer '" + resource + "'",
                () -> memory.requirements(description),
                offset,
                placement -> memory.placeBuffer(resource, description, allocation, placement));
    }

    private <T extends VulkanResource> T place(
            String name, String words, Supplier<MemoryRequirements> needs, long offset, Function<Placement, T> maker) {
        requirePlaceable(name);
        return core.gate().inside(() -> {
            Placement placement = ResourceLimits.place(this, memoryTypes, words, needs.get(), offset);
            occupied(name);
            try {
                T made = maker.apply(placement);
                core.objects().add(made);
                return made;
            } catch (RuntimeException | Error e) {
                vacated(name);
                throw e;
            }
        });
    }

    private synchronized void occupied(String resource) {
        requirePlaceable(resource);
        residents.merge(resource, 1, Integer::sum);
    }

    private synchronized void requirePlaceable(String resource) {
        if (isClosed()) {
            throw new IllegalStateException(
                    "'" + resource + "' is placed in " + describe() + " after it was closed; use an open heap");
        }
    }

    synchronized void vacated(String resource) {
        residents.computeIfPresent(resource, (same, count) -> count == 1 ? null : (Integer) (count - 1));
    }

    @Override
    public void close() {
        core.gate().closing(this::destroyEmpty);
    }

    private synchronized void destroyEmpty() {
        if (!isClosed() && !residents.isEmpty()) {
            throw new IllegalStateException(describe() + " still holds " + residents.keySet() + "; close those first");
        }
        destroy();
    }

    @Override
    protected boolean isNamed() {
        return false;
    }

    @Override
    protected void free() {
        memory.freeMemory(allocation);
    }
}
