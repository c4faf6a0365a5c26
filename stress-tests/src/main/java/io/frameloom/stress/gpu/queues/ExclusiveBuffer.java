package io.frameloom.stress.gpu.queues;

import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.vulkan.VulkanDevice;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkBufferCreateInfo;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkMemoryAllocateInfo;
import org.lwjgl.vulkan.VkMemoryRequirements;

/** A VkBuffer that one queue family owns at a time, made beside Frameloom and imported. Closed when the device has done. */
public final class ExclusiveBuffer implements AutoCloseable {
    private final VkDevice device;
    private final long handle;
    private final long memory;
    private final Buffer buffer;

    /** Makes a buffer of so many bytes. */
    public ExclusiveBuffer(VulkanDevice gpu, String name, long bytes) {
        device = gpu.handles().device();
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            check(
                    VK13.vkCreateBuffer(
                            device,
                            VkBufferCreateInfo.calloc(stack)
                                    .sType$Default()
                                    .size(bytes)
                                    .sharingMode(VK13.VK_SHARING_MODE_EXCLUSIVE)
                                    .usage(VK13.VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
                                            | VK13.VK_BUFFER_USAGE_TRANSFER_SRC_BIT
                                            | VK13.VK_BUFFER_USAGE_TRANSFER_DST_BIT),
                            null,
                            out),
                    "create");
            handle = out.get(0);
            VkMemoryRequirements needs = VkMemoryRequirements.calloc(stack);
            VK13.vkGetBufferMemoryRequirements(device, handle, needs);
            check(
                    VK13.vkAllocateMemory(
                            device,
                            VkMemoryAllocateInfo.calloc(stack)
                                    .sType$Default()
                                    .allocationSize(needs.size())
                                    .memoryTypeIndex(Integer.numberOfTrailingZeros(needs.memoryTypeBits())),
                            null,
                            out),
                    "allocate");
            memory = out.get(0);
            check(VK13.vkBindBufferMemory(device, handle, memory, 0), "bind");
        }
        buffer = gpu.importBuffer(
                name,
                handle,
                BufferDescription.device(bytes, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST));
    }

    private static void check(int result, String what) {
        if (result != VK13.VK_SUCCESS) {
            throw new GpuException("an exclusive buffer failed to " + what + ": VkResult " + result);
        }
    }

    /** Returns the buffer as it is imported. */
    public Buffer buffer() {
        return buffer;
    }

    @Override
    public void close() {
        buffer.close();
        VK13.vkDestroyBuffer(device, handle, null);
        VK13.vkFreeMemory(device, memory, null);
    }
}
