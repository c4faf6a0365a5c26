package io.frameloom.gpu.vulkan.queue;

import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.device.ImageTurn;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.resource.VulkanTexture;
import org.jspecify.annotations.Nullable;

/** A turn of an image with its binary semaphores. */
final class VulkanSwapchainImage extends ImageTurn {
    private final long acquired;
    private final long presentable;
    private volatile @Nullable TimelinePoint waitedBy;

    /**
     * A turn.
     *
     * @param acquired semaphore that the presentation engine signals when it has finished with the image
     * @param presentable semaphore for which presentation waits
     */
    VulkanSwapchainImage(
            DeviceCore core,
            VulkanSwapchain swapchain,
            int index,
            VulkanTexture texture,
            long acquired,
            long presentable) {
        super(core, swapchain, index, texture);
        this.acquired = acquired;
        this.presentable = presentable;
    }

    long acquired() {
        return acquired;
    }

    long presentable() {
        return presentable;
    }

    /** Notes when the wait for the acquisition is surely over. */
    void waitedBy(TimelinePoint point) {
        waitedBy = point;
    }

    /** Returns whether the device has waited for the acquisition, so that the semaphore may be used again. */
    boolean isWaitOver() {
        TimelinePoint point = waitedBy;
        if (point == null) {
            return false;
        }
        VulkanTimeline timeline = ((VulkanQueue) point.queue()).vulkanTimeline();
        return timeline.seen() >= point.value() || timeline.completed() >= point.value();
    }
}
