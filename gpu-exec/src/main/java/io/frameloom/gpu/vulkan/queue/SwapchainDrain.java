package io.frameloom.gpu.vulkan.queue;

import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.QueueDriver;
import java.util.List;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkSemaphoreSubmitInfo;
import org.lwjgl.vulkan.VkSubmitInfo2;

/**
 * Waits until the device has finished with the images of a swapchain: submissions on any queue, presentations on the
 * presenting queue, and signals of acquisitions without a wait, which would otherwise come to destroyed semaphores. A
 * device that cannot be waited for is lost.
 */
final class SwapchainDrain {
    private final DeviceCore core;
    private final QueueDriver driver;
    private final List<VulkanQueue> queues;
    private final VulkanQueue presenting;

    SwapchainDrain(DeviceCore core, QueueDriver driver, List<VulkanQueue> queues, VulkanQueue presenting) {
        this.core = core;
        this.driver = driver;
        this.queues = queues;
        this.presenting = presenting;
    }

    /**
     * Waits.
     *
     * @param unwaited turns whose acquisition nothing has waited for; no submission names a turn any more
     */
    void drain(List<VulkanSwapchainImage> unwaited) {
        // A submission that was in progress when the turns were taken back has ended when its queue can be had.
        queues.forEach(queue -> queue.exclusively(() -> {}));
        queues.forEach(queue -> queue.vulkanTimeline().drain());
        if (core.loss().cause() != null) {
            return;
        }
        int result;
        presenting.guard().lock();
        try {
            result = waitInside(unwaited);
        } finally {
            presenting.guard().unlock();
        }
        // Out of the gate: code that learns of a loss may close the device.
        if (result != VK13.VK_SUCCESS) {
            core.loss().lose("waiting for what queue '" + presenting.name() + "' presents", result);
        }
    }

    /** Closing the device waits for all of it. */
    private int waitInside(List<VulkanSwapchainImage> unwaited) {
        if (!core.gate().enterToClose()) {
            return VK13.VK_SUCCESS;
        }
        try {
            int result = unwaited.isEmpty() ? VK13.VK_SUCCESS : waitFor(unwaited);
            return result == VK13.VK_SUCCESS ? driver.waitIdle(presenting.handle()) : result;
        } finally {
            core.gate().leave();
        }
    }

    private int waitFor(List<VulkanSwapchainImage> unwaited) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkSemaphoreSubmitInfo.Buffer waits = VkSemaphoreSubmitInfo.calloc(unwaited.size(), stack);
            for (int i = 0; i < unwaited.size(); i++) {
                waits.get(i)
                        .sType$Default()
                        .semaphore(unwaited.get(i).acquired())
                        .stageMask(VK13.VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
            }
            VkSubmitInfo2.Buffer submission = VkSubmitInfo2.calloc(1, stack);
            submission.get(0).sType$Default().pWaitSemaphoreInfos(waits);
            return driver.submit(presenting.handle(), submission, VK13.VK_NULL_HANDLE);
        }
    }
}
