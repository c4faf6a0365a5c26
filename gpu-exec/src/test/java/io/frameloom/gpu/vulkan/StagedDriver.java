package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.vulkan.driver.NativeQueueDriver;
import io.frameloom.gpu.vulkan.driver.QueueDriver;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkBindSparseInfo;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkHdrMetadataEXT;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPresentInfoKHR;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkSubmitInfo2;

/** Hides completion from the host until released, and reports the device as lost on demand. */
public final class StagedDriver implements QueueDriver {
    private final QueueDriver real = new NativeQueueDriver();
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile boolean failSubmit;
    private volatile boolean refuseSubmit;
    private volatile boolean failWait;
    private volatile boolean failIdle;
    private volatile boolean failCounter;
    private volatile boolean failQueue;
    private volatile boolean held;
    private volatile Runnable whileBinding = () -> {};

    /** Hides completion from now on. */
    public void hold() {
        held = true;
    }

    /** Shows completion again. */
    public void release() {
        held = false;
        released.countDown();
    }

    public void failSubmissions() {
        failSubmit = true;
    }

    /** Makes the next submission fail for want of memory, and no later one. */
    public void refuseSubmission() {
        refuseSubmit = true;
    }

    /** Has something happen in each binding of memory before the driver sees it. */
    void whileBinding(Runnable action) {
        whileBinding = action;
    }

    public void failWaits() {
        failWait = true;
    }

    public void failIdleWaits() {
        failIdle = true;
    }

    /** Makes the next question for a timeline's value find the device lost, with nothing left running. */
    public void failCounters() {
        failCounter = true;
    }

    void failQueues() {
        failQueue = true;
    }

    @Override
    public VkQueue queue(VkDevice device, int family, int index) {
        if (failQueue) {
            throw new GpuException("no queue for the test");
        }
        return real.queue(device, family, index);
    }

    @Override
    public int submit(VkQueue queue, VkSubmitInfo2.Buffer submission, long fence) {
        if (refuseSubmit) {
            refuseSubmit = false;
            return VK13.VK_ERROR_OUT_OF_HOST_MEMORY;
        }
        return failSubmit ? VK13.VK_ERROR_DEVICE_LOST : real.submit(queue, submission, fence);
    }

    @Override
    public int bindSparse(VkQueue queue, VkBindSparseInfo binding) {
        whileBinding.run();
        if (refuseSubmit) {
            refuseSubmit = false;
            return VK13.VK_ERROR_OUT_OF_HOST_MEMORY;
        }
        return failSubmit ? VK13.VK_ERROR_DEVICE_LOST : real.bindSparse(queue, binding);
    }

    @Override
    public int waitIdle(VkQueue queue) {
        int result = real.waitIdle(queue);
        return failIdle ? VK13.VK_ERROR_DEVICE_LOST : result;
    }

    @Override
    public int waitFence(VkDevice device, long fence, long timeoutNanos) {
        return real.waitFence(device, fence, timeoutNanos);
    }

    @Override
    public int waitSemaphore(VkDevice device, long semaphore, long value, long timeoutNanos) {
        try {
            if (held && !released.await(timeoutNanos, TimeUnit.NANOSECONDS)) {
                return VK13.VK_TIMEOUT;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return VK13.VK_ERROR_DEVICE_LOST;
        }
        return failWait ? VK13.VK_ERROR_DEVICE_LOST : real.waitSemaphore(device, semaphore, value, timeoutNanos);
    }

    @Override
    public int counterValue(VkDevice device, long semaphore, long address) {
        if (held) {
            MemoryUtil.memPutLong(address, 0);
            return VK13.VK_SUCCESS;
        }
        if (failCounter) {
            VK13.vkDeviceWaitIdle(device);
            return VK13.VK_ERROR_DEVICE_LOST;
        }
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
