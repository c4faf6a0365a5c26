package io.frameloom.gpu.vulkan;

import java.nio.LongBuffer;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkSemaphoreWaitInfo;
import org.lwjgl.vulkan.VkSubmitInfo2;

/**
 * The calls by which a device is found to be lost, and by which queues are got; tests replace them to lose a device at
 * will, or to fail half-way through opening one. Results are VkResults.
 */
interface QueueDriver {
    VkQueue queue(VkDevice device, int family, int index);

    /** Submits; {@code fence} may be VK_NULL_HANDLE. */
    int submit(VkQueue queue, VkSubmitInfo2.Buffer submission, long fence);

    int waitIdle(VkDevice device);

    int waitSemaphores(VkDevice device, VkSemaphoreWaitInfo wait, long timeoutNanos);

    int counterValue(VkDevice device, long semaphore, LongBuffer value);
}
