package io.frameloom.gpu.vulkan;

import java.nio.LongBuffer;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkSemaphoreWaitInfo;
import org.lwjgl.vulkan.VkSubmitInfo2;

/** The calls themselves. */
final class NativeQueueDriver implements QueueDriver {
    @Override
    public VkQueue queue(VkDevice device, int family, int index) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer out = stack.mallocPointer(1);
            VK13.vkGetDeviceQueue(device, family, index, out);
            return new VkQueue(out.get(0), device);
        }
    }

    @Override
    public int submit(VkQueue queue, VkSubmitInfo2.Buffer submission, long fence) {
        return VK13.vkQueueSubmit2(queue, submission, fence);
    }

    @Override
    public int waitIdle(VkDevice device) {
        return VK13.vkDeviceWaitIdle(device);
    }

    @Override
    public int waitSemaphores(VkDevice device, VkSemaphoreWaitInfo wait, long timeoutNanos) {
        return VK13.vkWaitSemaphores(device, wait, timeoutNanos);
    }

    @Override
    public int counterValue(VkDevice device, long semaphore, LongBuffer value) {
        return VK13.vkGetSemaphoreCounterValue(device, semaphore, value);
    }
}
