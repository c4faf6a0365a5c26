package io.frameloom.gpu.vulkan;

import java.nio.LongBuffer;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkSemaphoreWaitInfo;
import org.lwjgl.vulkan.VkSubmitInfo2;

/** The calls themselves. */
final class NativeQueueDriver implements QueueDriver {
    @Override
    public int submit(VkQueue queue, VkSubmitInfo2.Buffer submission) {
        return VK13.vkQueueSubmit2(queue, submission, VK13.VK_NULL_HANDLE);
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
