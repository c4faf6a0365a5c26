package io.frameloom.gpu.vulkan.resource;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.device.LruBytes;
import io.frameloom.gpu.device.MemoryLedger;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.record.ResourceLimits;
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.MemoryStatistics;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.Resource.Placement;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.vulkan.SharedMemory;
import io.frameloom.gpu.vulkan.driver.DebugNames;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.Vulkan13;
import io.frameloom.gpu.vulkan.driver.VulkanResults;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.util.vma.Vma;
import org.lwjgl.util.vma.VmaAllocateDeviceMemoryFunction;
import org.lwjgl.util.vma.VmaAllocationCreateInfo;
import org.lwjgl.util.vma.VmaAllocationInfo;
import org.lwjgl.util.vma.VmaAllocatorCreateInfo;
import org.lwjgl.util.vma.VmaBudget;
import org.lwjgl.util.vma.VmaDeviceMemoryCallbacks;
import org.lwjgl.util.vma.VmaVulkanFunctions;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkBufferCreateInfo;
import org.lwjgl.vulkan.VkDeviceBufferMemoryRequirements;
import org.lwjgl.vulkan.VkDeviceImageMemoryRequirements;
import org.lwjgl.vulkan.VkImageCreateInfo;
import org.lwjgl.vulkan.VkInstance;
import org.lwjgl.vulkan.VkMemoryRequirements;
import org.lwjgl.vulkan.VkMemoryRequirements2;
import org.lwjgl.vulkan.VkPhysicalDeviceMemoryProperties;

/**
 * Memory of a device through the Vulkan Memory Allocator. Any thread.
 *
 * <p>Mapped memory is always host-coherent, which every device offers: nothing has to be flushed or invalidated, and
 * the views that applications hold never go stale. Placed resources round sizes and offsets up to the page that a
 * buffer and a texture must not share, so that any two may lie side by side in a heap.
 */
public final class MemoryAllocator implements AutoCloseable {
    /** Of textures, and of buffers. */
    public static final int MOST_ANSWERS = 4096;

    private final DeviceCore core;
    private final long allocator;
    private final int extraFlags;
    private final VkPhysicalDeviceMemoryProperties properties;
    private final long[] heapBytes;
    private final VmaAllocateDeviceMemoryFunction blocks;
    private final MemoryLedger ledger = new MemoryLedger();
    private final SharedAllocations shared;
    private final AtomicInteger frames = new AtomicInteger();
    /** Of sparse textures, with memory or without; at most what the device has. */
    private final AtomicLong addressBytes = new AtomicLong();

    /** The last request; a frame asks for the same as the one before. */
    private final LruBytes<TextureDescription, MemoryRequirements> textures = new LruBytes<>(MOST_ANSWERS, answer -> 1);

    private final LruBytes<BufferDescription, MemoryRequirements> buffers = new LruBytes<>(MOST_ANSWERS, answer -> 1);

    /**
     * A new allocator.
     *
     * @param budgets whether the driver reports how much memory this process may use
     * @param limit most bytes to take from each heap
     */
    public MemoryAllocator(VkInstance instance, DeviceCore core, boolean budgets, long limit) {
        this.core = core;
        boolean limited = limit < Long.MAX_VALUE;
        // A budget that is only estimated is no reason to refuse anything. Nor is one that is cut to the limit of this
        // device: some drivers compare it with what the whole system uses. The allocator keeps to the limit by itself.
        this.extraFlags = budgets && !limited ? Vma.VMA_ALLOCATION_CREATE_WITHIN_BUDGET_BIT : 0;
        try (MemoryStack stack = MemoryStack.stackPush()) {
            properties = VkPhysicalDeviceMemoryProperties.create();
            VK13.vkGetPhysicalDeviceMemoryProperties(core.adapter().handle(), properties);
            shared = new SharedAllocations(core, properties);
            heapBytes = new long[properties.memoryHeapCount()];
            for (int i = 0; i < heapBytes.length; i++) {
                heapBytes[i] = Math.min(properties.memoryHeaps(i).size(), limit);
            }
            blocks = VmaAllocateDeviceMemoryFunction.create((allocator, type, memory, size, user) ->
                    core.names().name(VK13.VK_OBJECT_TYPE_DEVICE_MEMORY, memory, "block of memory type " + type));
            PointerBuffer out = stack.mallocPointer(1);
            VmaAllocatorCreateInfo info = VmaAllocatorCreateInfo.calloc(stack)
                    .flags((budgets ? Vma.VMA_ALLOCATOR_CREATE_EXT_MEMORY_BUDGET_BIT : 0)
                            | (core.adapter().core13() ? 0 : Vma.VMA_ALLOCATOR_CREATE_KHR_MAINTENANCE4_BIT)
                            | (core.capabilities().has(Capability.BUFFER_DEVICE_ADDRESS)
                                    ? Vma.VMA_ALLOCATOR_CREATE_BUFFER_DEVICE_ADDRESS_BIT
                                    : 0))
                    .instance(instance)
                    .physicalDevice(core.adapter().handle())
                    .device(core.handle())
                    .vulkanApiVersion(core.adapter().core13() ? VK13.VK_API_VERSION_1_3 : VK13.VK_API_VERSION_1_2)
                    .pDeviceMemoryCallbacks(
                            VmaDeviceMemoryCallbacks.calloc(stack).pfnAllocate(blocks))
                    .pVulkanFunctions(VmaVulkanFunctions.calloc(stack).set(instance, core.handle()));
            if (limited) {
                info.pHeapSizeLimit(stack.longs(heapBytes));
            }
            int result = Vma.vmaCreateAllocator(info, out);
            if (result != VK13.VK_SUCCESS) {
                blocks.free();
                core.check(result, "create the memory allocator");
            }
            allocator = out.get(0);
        }
    }

    /** Creates a texture with memory of its own. */
    public VulkanTexture createTexture(String name, TextureDescription description) {
        TextureSupport.require(core, name, description);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var image = stack.mallocLong(1);
            PointerBuffer allocation = stack.mallocPointer(1);
            VmaAllocationInfo info = VmaAllocationInfo.calloc(stack);
            VkImageCreateInfo shape = ResourceInfos.image(core, description, core.families(), stack);
            VmaAllocationCreateInfo wanted = textureMemory(description, stack);
            int result = tried(() -> Vma.vmaCreateImage(allocator, shape, wanted, image, allocation, info));
            if (result != VK13.VK_SUCCESS) {
                throw refused(
                        result,
                        "create texture '" + name + "'",
                        requirements(description).bytes());
            }
            try {
                note(name, MemoryStatistics.Kind.TEXTURE, allocation.get(0), info);
                return new VulkanTexture(core, this, name, description, image.get(0), allocation.get(0), null);
            } catch (RuntimeException | Error e) {
                freeTexture(image.get(0), allocation.get(0));
                throw e;
            }
        }
    }

    /** Creates a buffer with memory of its own, mapped if its usage asks for that. */
    public VulkanBuffer createBuffer(String name, BufferDescription description) {
        ResourceLimits.check(name, description, core.capabilities());
        return createBuffer(
                name,
                description,
                (buffer, allocation, mapped) ->
                        new VulkanBuffer(core, this, name, description, buffer, allocation, mapped, null));
    }

    /** Creates an acceleration structure with memory of its own. */
    public VulkanAccelerationStructure createStructure(String name, AccelerationStructure.Level level, long bytes) {
        BufferDescription description = ResourceLimits.structure(name, level, bytes, core.capabilities());
        return createBuffer(
                name,
                description,
                (buffer, allocation, mapped) ->
                        VulkanAccelerationStructure.create(core, this, name, description, level, buffer, allocation));
    }

    /** Makes a buffer of its handle, its allocation and its mapped address. */
    @FunctionalInterface
    private interface Maker<B> {
        B make(long buffer, long allocation, long mapped);
    }

    private <B> B createBuffer(String name, BufferDescription description, Maker<B> maker) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var buffer = stack.mallocLong(1);
            PointerBuffer allocation = stack.mallocPointer(1);
            VmaAllocationInfo info = VmaAllocationInfo.calloc(stack);
            VkBufferCreateInfo shape = ResourceInfos.buffer(core, description, stack);
            VmaAllocationCreateInfo wanted = allocationOf(description.memory(), stack);
            wanted.flags(wanted.flags() | extraFlags).minAlignment(ResourceInfos.alignment(core, description));
            int result = tried(() -> Vma.vmaCreateBuffer(allocator, shape, wanted, buffer, allocation, info));
            if (result != VK13.VK_SUCCESS) {
                throw refused(result, "create buffer '" + name + "'", description.bytes());
            }
            try {
                note(name, MemoryStatistics.Kind.of(description), allocation.get(0), info);
                return maker.make(buffer.get(0), allocation.get(0), info.pMappedData());
            } catch (RuntimeException | Error e) {
                freeBuffer(buffer.get(0), allocation.get(0));
                throw e;
            }
        }
    }

    /**
     * Creates a buffer whose memory others can have, or which is that of another one.
     *
     * @param from the other one's memory, or null
     */
    public VulkanBuffer createSharedBuffer(String name, BufferDescription description, @Nullable SharedMemory from) {
        ResourceLimits.check(name, description, core.capabilities());
        SharedAllocations.Made made = shared.buffer(name, description, from);
        note(name, MemoryStatistics.Kind.of(description), made);
        VulkanBuffer buffer;
        try {
            buffer = new VulkanBuffer(
                    core, this, name, description, made.handle(), made.memory(), MemoryUtil.NULL, null);
        } catch (RuntimeException | Error e) {
            freeBuffer(made.handle(), made.memory());
            throw e;
        }
        if (from != null) {
            SharedAllocations.taken(from);
        }
        return buffer;
    }

    /** As {@link #createSharedBuffer}, of a texture. */
    public VulkanTexture createSharedTexture(String name, TextureDescription description, @Nullable SharedMemory from) {
        TextureSupport.require(core, name, description);
        SharedAllocations.Made made = shared.texture(name, description, from);
        note(name, MemoryStatistics.Kind.TEXTURE, made);
        VulkanTexture texture;
        try {
            texture = new VulkanTexture(core, this, name, description, made.handle(), made.memory(), null);
        } catch (RuntimeException | Error e) {
            freeTexture(made.handle(), made.memory());
            throw e;
        }
        if (from != null) {
            SharedAllocations.taken(from);
        }
        return texture;
    }

    private void note(String name, MemoryStatistics.Kind kind, SharedAllocations.Made made) {
        int heap = properties.memoryTypes(made.memoryType()).heapIndex();
        ledger.add(made.memory(), new MemoryStatistics.Allocation(name, kind, heap, made.bytes()));
    }

    /** Returns the memory of a buffer or texture that was made to be shared. */
    public SharedMemory share(VulkanResource resource) {
        return shared.share(resource.describe(), resource.allocation);
    }

    private void note(String name, MemoryStatistics.Kind kind, long allocation, VmaAllocationInfo info) {
        Vma.vmaSetAllocationName(allocator, allocation, DebugNames.cut(name));
        int heap = properties.memoryTypes(info.memoryType()).heapIndex();
        ledger.add(allocation, new MemoryStatistics.Allocation(name, kind, heap, info.size()));
    }

    /** Allocates; if there is no memory, once more after closed objects have been destroyed. */
    private int tried(IntSupplier allocation) {
        long destroyed = core.retired().destroyed();
        int result = allocation.getAsInt();
        boolean again = isOutOfMemory(result) && core.retired().reclaim(destroyed);
        return again ? allocation.getAsInt() : result;
    }

    private static boolean isOutOfMemory(int result) {
        return result == VK13.VK_ERROR_OUT_OF_DEVICE_MEMORY
                || result == VK13.VK_ERROR_OUT_OF_HOST_MEMORY
                || result == VK13.VK_ERROR_TOO_MANY_OBJECTS;
    }

    /** Returns the exception for a call that has failed, for lack of memory or otherwise. */
    private RuntimeException refused(int result, String what, long bytes) {
        if (isOutOfMemory(result)) {
            return MemoryLedger.outOfMemory(what, bytes, VulkanResults.name(result), statistics());
        }
        if (result == VK13.VK_ERROR_DEVICE_LOST) {
            return core.loss().lose("trying to " + what, result);
        }
        return new GpuException("cannot " + what + " of " + bytes + " bytes: " + VulkanResults.name(result));
    }

    /**
     * Begins another frame: the driver is asked for the budgets, which others change. By itself the allocator asks only
     * once in many allocations.
     */
    public void beginFrame() {
        Vma.vmaSetCurrentFrameIndex(allocator, frames.incrementAndGet() & Integer.MAX_VALUE);
    }

    /** Returns how often the driver was asked for the budgets. */
    public int frames() {
        return frames.get();
    }

    /** Returns how memory is used now. */
    public MemoryStatistics statistics() {
        beginFrame();
        List<MemoryStatistics.Heap> heaps = new ArrayList<>();
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VmaBudget.Buffer budgets = VmaBudget.calloc(VK13.VK_MAX_MEMORY_HEAPS, stack);
            Vma.vmaGetHeapBudgets(allocator, budgets);
            for (int i = 0; i < heapBytes.length; i++) {
                VmaBudget budget = budgets.get(i);
                boolean local = (properties.memoryHeaps(i).flags() & VK13.VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0;
                heaps.add(new MemoryStatistics.Heap(
                        i,
                        local,
                        heapBytes[i],
                        budget.budget(),
                        budget.usage(),
                        budget.statistics().blockBytes(),
                        budget.statistics().allocationBytes()));
            }
        }
        return new MemoryStatistics(heaps, ledger.allocations());
    }

    /** Memory that is allocated lazily is never part of a larger block, which another texture might make whole. */
    private VmaAllocationCreateInfo textureMemory(TextureDescription description, MemoryStack stack) {
        VmaAllocationCreateInfo wanted = VmaAllocationCreateInfo.calloc(stack)
                .usage(Vma.VMA_MEMORY_USAGE_AUTO)
                .flags(extraFlags);
        boolean lazy = description.usage().contains(TextureUsage.TRANSIENT_ATTACHMENT)
                && core.capabilities().limits().memory().lazilyAllocated();
        return lazy
                ? wanted.preferredFlags(VK13.VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT)
                        .flags(extraFlags | Vma.VMA_ALLOCATION_CREATE_DEDICATED_MEMORY_BIT)
                : wanted;
    }

    private static VmaAllocationCreateInfo allocationOf(MemoryUsage usage, MemoryStack stack) {
        VmaAllocationCreateInfo info = VmaAllocationCreateInfo.calloc(stack).usage(Vma.VMA_MEMORY_USAGE_AUTO);
        int coherent = VK13.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK13.VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
        return switch (usage) {
            case DEVICE -> info;
            case UPLOAD ->
                info.flags(Vma.VMA_ALLOCATION_CREATE_MAPPED_BIT
                                | Vma.VMA_ALLOCATION_CREATE_HOST_ACCESS_SEQUENTIAL_WRITE_BIT)
                        .requiredFlags(coherent);
            case READBACK ->
                info.flags(Vma.VMA_ALLOCATION_CREATE_MAPPED_BIT | Vma.VMA_ALLOCATION_CREATE_HOST_ACCESS_RANDOM_BIT)
                        .requiredFlags(coherent)
                        .preferredFlags(VK13.VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
        };
    }

    /** Allocates device memory for placed resources. */
    long allocateHeap(String name, long bytes, int memoryTypes) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkMemoryRequirements needs =
                    VkMemoryRequirements.calloc(stack).size(bytes).alignment(1).memoryTypeBits(memoryTypes);
            VmaAllocationInfo info = VmaAllocationInfo.calloc(stack);
            int flags = Vma.VMA_ALLOCATION_CREATE_DEDICATED_MEMORY_BIT;
            long allocation = allocate("allocate heap '" + name + "'", needs, flags, info, stack);
            try {
                core.names().name(VK13.VK_OBJECT_TYPE_DEVICE_MEMORY, info.deviceMemory(), name);
                note(name, MemoryStatistics.Kind.HEAP, allocation, info);
            } catch (RuntimeException | Error e) {
                freeMemory(allocation);
                throw e;
            }
            return allocation;
        }
    }

    /** Allocates memory of a sparse texture; {@link #freeMemory} takes it back. */
    long allocatePages(String texture, int level, VkMemoryRequirements needs) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VmaAllocationInfo info = VmaAllocationInfo.calloc(stack);
            long allocation = allocate("bind level " + level + " of texture '" + texture + "'", needs, 0, info, stack);
            try {
                note(texture, MemoryStatistics.Kind.TEXTURE, allocation, info);
            } catch (RuntimeException | Error e) {
                freeMemory(allocation);
                throw e;
            }
            return allocation;
        }
    }

    private long allocate(
            String what, VkMemoryRequirements needs, int flags, VmaAllocationInfo info, MemoryStack stack) {
        PointerBuffer allocation = stack.mallocPointer(1);
        VmaAllocationCreateInfo wanted = VmaAllocationCreateInfo.calloc(stack)
                .flags(flags | extraFlags)
                .preferredFlags(VK13.VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
        int result = tried(() -> Vma.vmaAllocateMemory(allocator, needs, wanted, allocation, info));
        if (result != VK13.VK_SUCCESS) {
            throw refused(result, what, needs.size());
        }
        return allocation.get(0);
    }

    /** Takes addresses for a sparse texture; {@link #freeAddresses} gives them back. */
    void takeAddresses(String texture, long bytes) {
        long most = core.adapter().sparseAddressBytes();
        int result = tried(() -> {
            long taken = addressBytes.getAndUpdate(now -> bytes > most - now ? now : now + bytes);
            return bytes > most - taken ? VK13.VK_ERROR_OUT_OF_DEVICE_MEMORY : VK13.VK_SUCCESS;
        });
        if (result != VK13.VK_SUCCESS) {
            String why = "the device has addresses for " + most + " bytes of sparse textures, of which others take "
                    + addressBytes.get();
            throw MemoryLedger.outOfMemory("create sparse texture '" + texture + "'", bytes, why, statistics());
        }
    }

    void freeAddresses(long bytes) {
        addressBytes.addAndGet(-bytes);
    }

    /** Returns where an allocation is: its VkDeviceMemory, and the offset in that. */
    long[] place(long allocation) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VmaAllocationInfo info = VmaAllocationInfo.calloc(stack);
            Vma.vmaGetAllocationInfo(allocator, allocation, info);
            return new long[] {info.deviceMemory(), info.offset()};
        }
    }

    /** Creates a texture in an allocation made by {@link #allocateHeap}. */
    VulkanTexture placeTexture(String name, TextureDescription description, long allocation, Placement placement) {
        TextureSupport.require(core, name, description);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var image = stack.mallocLong(1);
            core.check(
                    Vma.vmaCreateAliasingImage2(
                            allocator,
                            allocation,
                            placement.offset(),
                            ResourceInfos.image(core, description, core.families(), stack),
                            image),
                    "place texture '" + name + "'");
            return new VulkanTexture(core, this, name, description, image.get(0), 0, placement);
        }
    }

    /** Creates a buffer in an allocation made by {@link #allocateHeap}. */
    VulkanBuffer placeBuffer(String name, BufferDescription description, long allocation, Placement placement) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var buffer = stack.mallocLong(1);
            core.check(
                    Vma.vmaCreateAliasingBuffer2(
                            allocator,
                            allocation,
                            placement.offset(),
                            ResourceInfos.buffer(core, description, stack),
                            buffer),
                    "place buffer '" + name + "'");
            return new VulkanBuffer(core, this, name, description, buffer.get(0), 0, 0, placement);
        }
    }

    public MemoryRequirements requirements(TextureDescription description) {
        MemoryRequirements known = textures.get(description);
        if (known != null) {
            return known;
        }
        MemoryRequirements asked = ask(description);
        textures.put(description, asked);
        return asked;
    }

    public MemoryRequirements requirements(BufferDescription description) {
        MemoryRequirements known = buffers.get(description);
        if (known != null) {
            return known;
        }
        MemoryRequirements asked = ask(description);
        buffers.put(description, asked);
        return asked;
    }

    /** Returns how many requirements are remembered. */
    public int answers() {
        return textures.size() + buffers.size();
    }

    private MemoryRequirements ask(TextureDescription description) {
        TextureSupport.require(core, null, description);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkMemoryRequirements2 out = VkMemoryRequirements2.calloc(stack).sType$Default();
            Vulkan13.requirements(
                    core.handle(),
                    VkDeviceImageMemoryRequirements.calloc(stack)
                            .sType$Default()
                            .pCreateInfo(ResourceInfos.image(core, description, core.families(), stack)),
                    out);
            return paged(out.memoryRequirements(), 1);
        }
    }

    private MemoryRequirements ask(BufferDescription description) {
        ResourceLimits.check(null, description, core.capabilities());
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkMemoryRequirements2 out = VkMemoryRequirements2.calloc(stack).sType$Default();
            Vulkan13.requirements(
                    core.handle(),
                    VkDeviceBufferMemoryRequirements.calloc(stack)
                            .sType$Default()
                            .pCreateInfo(ResourceInfos.buffer(core, description, stack)),
                    out);
            return paged(out.memoryRequirements(), ResourceInfos.alignment(core, description));
        }
    }

    private MemoryRequirements paged(VkMemoryRequirements requirements, long alignment) {
        long page = Math.max(alignment, core.adapter().bufferImageGranularity());
        long bytes = (requirements.size() + page - 1) / page * page;
        return new MemoryRequirements(bytes, Math.max(page, requirements.alignment()), requirements.memoryTypeBits());
    }

    /** Also of an image without an allocation of its own. */
    void freeTexture(long image, long allocation) {
        ledger.remove(allocation);
        if (shared.has(allocation)) {
            VK13.vkDestroyImage(core.handle(), image, null);
            shared.free(allocation);
            return;
        }
        Vma.vmaDestroyImage(allocator, image, allocation);
    }

    /** Returns whether memory was made for or by others, without addresses of its buffer. */
    boolean isShared(long allocation) {
        return shared.has(allocation);
    }

    void freeBuffer(long buffer, long allocation) {
        ledger.remove(allocation);
        if (shared.has(allocation)) {
            VK13.vkDestroyBuffer(core.handle(), buffer, null);
            shared.free(allocation);
            return;
        }
        Vma.vmaDestroyBuffer(allocator, buffer, allocation);
    }

    /** Frees what {@link #allocateHeap} or {@link #allocatePages} has allocated. */
    void freeMemory(long allocation) {
        ledger.remove(allocation);
        Vma.vmaFreeMemory(allocator, allocation);
    }

    @Override
    public void close() {
        Vma.vmaDestroyAllocator(allocator);
        blocks.free();
    }
}
