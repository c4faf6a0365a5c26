package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.device.ResidentLevels;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.record.ResourceLimits;
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.MemoryStatistics;
import io.frameloom.gpu.resource.MemoryStatistics.Allocation;
import io.frameloom.gpu.resource.MemoryStatistics.Kind;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.SparseLevels;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.gpu.virtual.memory.Mix;
import io.frameloom.gpu.virtual.memory.Pattern;
import io.frameloom.gpu.virtual.memory.VirtualBudget;
import io.frameloom.gpu.virtual.memory.VirtualMemory;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Makes the resources of a virtual device within limits and budget, with garbage in undefined memory. Any thread. */
final class VirtualResources {
    private static final long FRESH = 0xC10BBE2EDL;
    private static final long LEFT = 0x1EF7BE41DL;

    private final SimulatedDevice device;
    private final DeviceCapabilities capabilities;
    private final VirtualExecutor executor;
    private final VirtualBudget budget;
    /** Whether undefined memory is filled with garbage. */
    private final boolean clobbers;

    private final long outOfMemoryAt;
    private final AtomicLong allocations = new AtomicLong();

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
        this.clobbers = options.clobber();
        this.outOfMemoryAt = options.outOfMemoryAt();
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
                () -> new VirtualTexture(device, name, description, memory("texture", name, bytes), null, ofSwapchain));
    }

    /** Makes a texture whose levels have memory while it is bound. */
    VirtualTexture sparseTexture(String name, TextureDescription description) {
        ResourceLimits.sparse(name, description, capabilities);
        require(name, description);
        SparseLevels levels = SparsePages.levels(name, description);
        ResidentLevels<Object> resident = new ResidentLevels<>(levels, new ResidentLevels.Pages<>() {
            @Override
            public Object allocate(int level) {
                return budget.allocate(
                        "bind level " + level + " of texture '" + name + "'",
                        new Allocation(name, Kind.TEXTURE, 0, levels.bytes().get(level)),
                        Object::new);
            }

            @Override
            public void free(Object memory) {
                budget.free(memory);
            }
        });
        VirtualMemory memory = memory("texture", name, requirements(description).bytes());
        return new VirtualTexture(device, name, description, memory, null, false, resident);
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

    VirtualAccelerationStructure structure(String name, AccelerationStructure.Level level, long bytes) {
        BufferDescription description = ResourceLimits.structure(name, level, bytes, capabilities);
        return budget.allocate(
                "create acceleration structure '" + name + "'",
                new Allocation(name, Kind.of(description), 0, bytes),
                () -> new VirtualAccelerationStructure(
                        device, name, description, level, memory("acceleration structure", name, bytes)));
    }

    private VirtualMemory memoryOf(String name, BufferDescription description) {
        long bytes = description.bytes();
        if (description.memory() == MemoryUsage.DEVICE) {
            return memory("buffer", name, bytes);
        }
        count("buffer", name, bytes);
        return VirtualMemory.mapped(name, bytes, fresh(name));
    }

    private VirtualMemory memory(String what, String name, long bytes) {
        count(what, name, bytes);
        return VirtualMemory.device(name, bytes, fresh(name));
    }

    private Pattern fresh(String name) {
        return clobbers ? Pattern.ofStamp(Mix.mix(FRESH, name), 0) : Pattern.ofUnit(new byte[1], 0);
    }

    private void count(String what, String name, long bytes) {
        long number = allocations.incrementAndGet();
        if (number == outOfMemoryAt) {
            throw new GpuOutOfMemoryException("cannot create " + what + " '" + name + "' of " + bytes
                    + " bytes: the options of the virtual device say that allocation " + number + " finds no memory");
        }
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
                () -> new VirtualHeap(device, name, memory("heap", name, bytes)));
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
        return clobbers;
    }

    /** Leaves garbage in memory that nothing holds, after what was submitted so far. */
    void clobber(VirtualMemory range, long offset, long bytes) {
        if (clobbers) {
            Pattern garbage = Pattern.ofStamp(Mix.mix(LEFT, offset), offset);
            executor.post(graph -> range.set(offset, bytes, garbage));
        }
    }
}
