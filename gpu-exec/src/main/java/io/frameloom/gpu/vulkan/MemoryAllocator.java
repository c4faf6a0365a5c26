package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.VulkanResults.check;

import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.MemoryRequirements;
import io.frameloom.gpu.MemoryUsage;
import io.frameloom.gpu.Resource.Placement;
import io.frameloom.gpu.TextureDescription;
import java.util.concurrent.ConcurrentHashMap;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.util.vma.Vma;
import org.lwjgl.util.vma.VmaAllocationCreateInfo;
import org.lwjgl.util.vma.VmaAllocationInfo;
import org.lwjgl.util.vma.VmaAllocatorCreateInfo;
import org.lwjgl.util.vma.VmaVulkanFunctions;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDeviceBufferMemoryRequirements;
import org.lwjgl.vulkan.VkDeviceImageMemoryRequirements;
import org.lwjgl.vulkan.VkImageFormatProperties;
import org.lwjgl.vulkan.VkInstance;
import org.lwjgl.vulkan.VkMemoryRequirements;
import org.lwjgl.vulkan.VkMemoryRequirements2;

/**
 * Memory of a device through the Vulkan Memory Allocator. Any thread.
 *
 * <p>Mapped memory is always host-coherent, which every device offers: nothing has to be flushed or invalidated, and the
 * views that applications hold never go stale. Placed resources round sizes and offsets up to the page that a buffer and
 * a texture must not share, so that any two may lie side by side in a heap.
 */
final class MemoryAllocator implements AutoCloseable {
    private final DeviceCore core;
    private final long allocator;
    private final ConcurrentHashMap<TextureDescription, MemoryRequirements> textures = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<BufferDescription, MemoryRequirements> buffers = new ConcurrentHashMap<>();

    MemoryAllocator(VkInstance instance, DeviceCore core) {
        this.core = core;
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer out = stack.mallocPointer(1);
            check(
                    Vma.vmaCreateAllocator(
                            VmaAllocatorCreateInfo.calloc(stack)
                                    .instance(instance)
                                    .physicalDevice(core.adapter().handle())
                                    .device(core.handle())
                                    .vulkanApiVersion(VK13.VK_API_VERSION_1_3)
                                    .pVulkanFunctions(
                                            VmaVulkanFunctions.calloc(stack).set(instance, core.handle())),
                            out),
                    "create the memory allocator");
            allocator = out.get(0);
        }
    }

    /** Creates a texture with memory of its own. */
    VulkanTexture createTexture(String name, TextureDescription description) {
        requireSupported(name, description);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var image = stack.mallocLong(1);
            PointerBuffer allocation = stack.mallocPointer(1);
            check(
                    Vma.vmaCreateImage(
                            allocator,
                            ResourceInfos.image(description, core.families(), stack),
                            VmaAllocationCreateInfo.calloc(stack).usage(Vma.VMA_MEMORY_USAGE_AUTO),
                            image,
                            allocation,
                            null),
                    "create texture '" + name + "'");
            return new VulkanTexture(core, this, name, description, image.get(0), allocation.get(0), null);
        }
    }

    /** Creates a buffer with memory of its own, mapped if its usage asks for that. */
    VulkanBuffer createBuffer(String name, BufferDescription description) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var buffer = stack.mallocLong(1);
            PointerBuffer allocation = stack.mallocPointer(1);
            VmaAllocationInfo info = VmaAllocationInfo.calloc(stack);
            check(
                    Vma.vmaCreateBuffer(
                            allocator,
                            ResourceInfos.buffer(description, core.families(), stack),
                            allocationOf(description.memory(), stack),
                            buffer,
                            allocation,
                            info),
                    "create buffer '" + name + "' of " + description.bytes() + " bytes");
            return new VulkanBuffer(
                    core, this, name, description, buffer.get(0), allocation.get(0), info.pMappedData(), null);
        }
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
            PointerBuffer allocation = stack.mallocPointer(1);
            VkMemoryRequirements requirements = VkMemoryRequirements.calloc(stack);
            requirements.size(bytes).alignment(1).memoryTypeBits(memoryTypes);
            check(
                    Vma.vmaAllocateMemory(
                            allocator,
                            requirements,
                            VmaAllocationCreateInfo.calloc(stack)
                                    .flags(Vma.VMA_ALLOCATION_CREATE_DEDICATED_MEMORY_BIT)
                                    .preferredFlags(VK13.VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT),
                            allocation,
                            null),
                    "allocate heap '" + name + "' of " + bytes + " bytes");
            return allocation.get(0);
        }
    }

    /** Creates a texture in an allocation made by {@link #allocateHeap}. */
    VulkanTexture placeTexture(String name, TextureDescription description, long allocation, Placement placement) {
        requireSupported(name, description);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var image = stack.mallocLong(1);
            check(
                    Vma.vmaCreateAliasingImage2(
                            allocator,
                            allocation,
                            placement.offset(),
                            ResourceInfos.image(description, core.families(), stack),
                            image),
                    "place texture '" + name + "'");
            return new VulkanTexture(core, this, name, description, image.get(0), 0, placement);
        }
    }

    /** Creates a buffer in an allocation made by {@link #allocateHeap}. */
    VulkanBuffer placeBuffer(String name, BufferDescription description, long allocation, Placement placement) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var buffer = stack.mallocLong(1);
            check(
                    Vma.vmaCreateAliasingBuffer2(
                            allocator,
                            allocation,
                            placement.offset(),
                            ResourceInfos.buffer(description, core.families(), stack),
                            buffer),
                    "place buffer '" + name + "'");
            return new VulkanBuffer(core, this, name, description, buffer.get(0), 0, 0, placement);
        }
    }

    MemoryRequirements requirements(TextureDescription description) {
        return textures.computeIfAbsent(description, this::ask);
    }

    MemoryRequirements requirements(BufferDescription description) {
        return buffers.computeIfAbsent(description, this::ask);
    }

    private MemoryRequirements ask(TextureDescription description) {
        requireSupported("of the description", description);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkMemoryRequirements2 out = VkMemoryRequirements2.calloc(stack).sType$Default();
            VK13.vkGetDeviceImageMemoryRequirements(
                    core.handle(),
                    VkDeviceImageMemoryRequirements.calloc(stack)
                            .sType$Default()
                            .pCreateInfo(ResourceInfos.image(description, core.families(), stack)),
                    out);
            return paged(out.memoryRequirements());
        }
    }

    private MemoryRequirements ask(BufferDescription description) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkMemoryRequirements2 out = VkMemoryRequirements2.calloc(stack).sType$Default();
            VK13.vkGetDeviceBufferMemoryRequirements(
                    core.handle(),
                    VkDeviceBufferMemoryRequirements.calloc(stack)
                            .sType$Default()
                            .pCreateInfo(ResourceInfos.buffer(description, core.families(), stack)),
                    out);
            return paged(out.memoryRequirements());
        }
    }

    private MemoryRequirements paged(VkMemoryRequirements requirements) {
        long page = Math.max(1, core.adapter().bufferImageGranularity());
        long bytes = (requirements.size() + page - 1) / page * page;
        return new MemoryRequirements(bytes, Math.max(page, requirements.alignment()), requirements.memoryTypeBits());
    }

    private void requireSupported(String name, TextureDescription description) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkImageFormatProperties limits = VkImageFormatProperties.calloc(stack);
            int result = VK13.vkGetPhysicalDeviceImageFormatProperties(
                    core.adapter().handle(),
                    VulkanFormats.of(description.format()),
                    ResourceInfos.type(description),
                    VK13.VK_IMAGE_TILING_OPTIMAL,
                    VulkanMasks.textureUsage(description.usage()),
                    ResourceInfos.flags(description),
                    limits);
            String what = "texture '" + name + "' (" + description.format() + ", " + description.usage() + ")";
            if (result == VK13.VK_ERROR_FORMAT_NOT_SUPPORTED) {
                throw new IllegalArgumentException(what + " is not supported by "
                        + core.capabilities().name() + ": this format cannot be used so; take another format or usage");
            }
            check(result, "ask for the limits of " + what);
            if (description.width() > limits.maxExtent().width()
                    || description.height() > limits.maxExtent().height()
                    || description.depth() > limits.maxExtent().depth()
                    || description.layers() > limits.maxArrayLayers()) {
                throw new IllegalArgumentException(what + " of " + description.width() + "x" + description.height()
                        + "x" + description.depth() + " with " + description.layers()
                        + " layers is too large; the device allows "
                        + limits.maxExtent().width() + "x" + limits.maxExtent().height() + "x"
                        + limits.maxExtent().depth() + " with " + limits.maxArrayLayers() + " layers");
            }
            if ((limits.sampleCounts() & description.samples()) == 0) {
                throw new IllegalArgumentException(what + " with " + description.samples()
                        + " samples is not supported by " + core.capabilities().name()
                        + "; ask formatSupport for the numbers of samples that are");
            }
        }
    }

    void freeTexture(long image, long allocation) {
        Vma.vmaDestroyImage(allocator, image, allocation);
    }

    void freeBuffer(long buffer, long allocation) {
        Vma.vmaDestroyBuffer(allocator, buffer, allocation);
    }

    void freeHeap(long allocation) {
        Vma.vmaFreeMemory(allocator, allocation);
    }

    @Override
    public void close() {
        Vma.vmaDestroyAllocator(allocator);
    }
}
