package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.record.ResourceLimits;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.MemoryStatistics;
import io.frameloom.gpu.resource.MemoryStatistics.Allocation;
import io.frameloom.gpu.resource.MemoryStatistics.Kind;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.gpu.virtual.memory.VirtualAllocator;
import io.frameloom.gpu.virtual.memory.VirtualBudget;
import io.frameloom.gpu.virtual.memory.VirtualMemory;
import org.jspecify.annotations.Nullable;

/** Makes the resources of a virtual device within limits and budget, with garbage in undefined memory. Any thread. */
final class VirtualResources {
    private final SimulatedDevice device;
    private final DeviceCapabilities capabilities;
    private final VirtualExecutor executor;
    private final VirtualBudget budget;
    private final VirtualAllocator allocator;

    /**
     * Memory of a device.
     *
     * @param memoryLimit bytes that may be in use
     */
    VirtualResources(SimulatedDevice device, VirtualGpuOptions options, long memoryLimit) {
        this.device = device;
        this.capabilities = device.capabilities();
        this.executor = device.queuing().executor();
        this.budget = new VirtualBudget(memoryLimit, device.queuing().retired());
        this.allocator = new VirtualAllocator(options);
    }

    VirtualTexture texture(String name, TextureDescription description) {
        return texture(name, description, false);
    }

    /** Makes an image of a swapchain, which closes it. */
    VirtualTexture swapchainTexture(String name, TextureDescription description) {
        return texture(name, description, true);
    }

    private VirtualTexture texture(String name, TextureDescription description, boolean ofSwapchain) {
        require(name, description);
        long bytes = requirements(description).bytes();
        return budget.allocate(
                "create texture '" + name + "'",
                new Allocation(name, Kind.TEXTURE, 0, bytes),
                () -> new VirtualTexture(
                        device, name, description, allocator.device("texture", name, bytes), null, ofSwapchain));
    }

    private void require(@Nullable String name, TextureDescription description) {
        ResourceLimits.check(name, description, capabilities);
        VirtualFormats.require(name, description, capabilities);
    }

    /**
     * Memory that the host sees lies in one piece, whose pages all exist; other memory has bytes where something is.
     */
    private void require(@Nullable String name, BufferDescription description) {
        ResourceLimits.check(name, description, capabilities);
        if (description.memory() != MemoryUsage.DEVICE && description.bytes() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(ResourceLimits.buffer(name) + " of " + description.bytes() + " bytes in "
                    + description.memory() + " memory is too large; the virtual device maps at most "
                    + Integer.MAX_VALUE + " bytes of a buffer, which it holds in one piece: take several buffers, or"
                    + " DEVICE memory");
        }
    }

    VirtualBuffer buffer(String name, BufferDescription description) {
        require(name, description);
        return budget.allocate(
                "create buffer '" + name + "'",
                new Allocation(name, Kind.of(description), 0, description.bytes()),
                () -> new VirtualBuffer(device, name, description, memoryOf(name, description), null));
    }

    private VirtualMemory memoryOf(String name, BufferDescription description) {
        if (description.memory() == MemoryUsage.DEVICE) {
            return allocator.device("buffer", name, description.bytes());
        }
        return allocator.mapped("buffer", name, description.bytes());
    }

    VirtualHeap heap(String name, long bytes, int memoryTypes) {
        ResourceLimits.checkHeap(name, bytes, capabilities);
        if ((memoryTypes & 1) == 0) {
            throw new IllegalArgumentException("heap '" + name + "' needs at least 1 memory type, got none of the "
                    + "device's in " + Integer.toBinaryString(memoryTypes));
        }
        return budget.allocate(
                "allocate heap '" + name + "'",
                new Allocation(name, Kind.HEAP, 0, bytes),
                () -> new VirtualHeap(device, name, allocator.device("heap", name, bytes)));
    }

    MemoryRequirements requirements(TextureDescription description) {
        require(null, description);
        return requirements(VirtualTexture.bytes(description));
    }

    MemoryRequirements requirements(BufferDescription description) {
        require(null, description);
        return requirements(description.bytes());
    }

    private static MemoryRequirements requirements(long bytes) {
        long alignment = VirtualCapabilities.ALIGNMENT;
        return new MemoryRequirements((bytes + alignment - 1) & -alignment, alignment, 1);
    }

    /** Takes back the memory of something; nothing if it has none of its own. */
    void free(Object thing) {
        budget.free(thing);
    }

    MemoryStatistics statistics() {
        return budget.statistics();
    }

    /** Returns whether undefined memory is filled with garbage. */
    boolean clobbers() {
        return allocator.clobbers();
    }

    /** Leaves garbage in memory that nothing holds, after what was submitted so far. */
    void clobber(VirtualMemory range, long offset, long bytes) {
        if (allocator.clobbers()) {
            executor.post(graph -> allocator.clobber(range, offset, bytes));
        }
    }
}
