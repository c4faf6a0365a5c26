package io.frameloom.gpu.vulkan;

import java.nio.LongBuffer;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkSemaphoreWaitInfo;
import org.lwjgl.vulkan.VkSubmitInfo2;

/** The calls by which a device is found to be lost; tests replace them to lose one at will. Results are VkResults. */
interface QueueDriver {
    int submit(VkQueue queue, VkSubmitInfo2.Buffer submission);

    int waitSemaphores(VkDevice device, VkSemaphoreWaitInfo wait, long timeoutNanos);

    int counterValue(VkDevice device, long semaphore, LongBuffer value);
}
