package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.vulkan.driver.NativeQueueDriver;
import io.frameloom.gpu.vulkan.driver.QueueDriver;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import org.lwjgl.vulkan.VkBindSparseInfo;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkHdrMetadataEXT;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPresentInfoKHR;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkSubmitInfo2;

/** The real calls, to be overridden one by one. */
public class ForwardingDriver implements QueueDriver {
    private final QueueDriver real = new NativeQueueDriver();

    @Override
    public VkQueue queue(VkDevice device, int family, int index) {
        return real.queue(device, family, index);
    }

    @Override
    public int submit(VkQueue queue, VkSubmitInfo2.Buffer submission, long fence) {
        return real.submit(queue, submission, fence);
    }

    @Override
    public int bindSparse(VkQueue queue, VkBindSparseInfo binding) {
        return real.bindSparse(queue, binding);
    }

    @Override
    public int waitIdle(VkQueue queue) {
        return real.waitIdle(queue);
    }

    @Override
    public int waitFence(VkDevice device, long fence, long timeoutNanos) {
        return real.waitFence(device, fence, timeoutNanos);
    }

    @Override
    public int waitSemaphore(VkDevice device, long semaphore, long value, long timeoutNanos) {
        return real.waitSemaphore(device, semaphore, value, timeoutNanos);
    }

    @Override
    public int counterValue(VkDevice device, long semaphore, long address) {
        return real.counterValue(device, semaphore, address);
    }

    @Override
    public int present(VkQueue queue, VkPresentInfoKHR presentation) {
        return real.present(queue, presentation);
    }

    @Override
    public int waitForPresent(VkDevice device, long swapchain, long id, long timeoutNanos) {
        return real.waitForPresent(device, swapchain, id, timeoutNanos);
    }

    @Override
    public void describe(VkDevice device, long swapchain, VkHdrMetadataEXT metadata) {
        real.describe(device, swapchain, metadata);
    }

    @Override
    public int timelineSharing(VkPhysicalDevice device) {
        return real.timelineSharing(device);
    }

    @Override
    public int createTimeline(VkDevice device, boolean shared, LongBuffer semaphore) {
        return real.createTimeline(device, shared, semaphore);
    }

    @Override
    public void destroySemaphore(VkDevice device, long semaphore) {
        real.destroySemaphore(device, semaphore);
    }

    @Override
    public int shareSemaphore(VkDevice device, long semaphore, IntBuffer fileDescriptor) {
        return real.shareSemaphore(device, semaphore, fileDescriptor);
    }

    @Override
    public int importSemaphore(VkDevice device, long semaphore, int fileDescriptor) {
        return real.importSemaphore(device, semaphore, fileDescriptor);
    }
}
