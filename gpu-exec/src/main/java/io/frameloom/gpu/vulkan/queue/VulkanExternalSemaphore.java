package io.frameloom.gpu.vulkan.queue;

import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.ExternalSemaphore;
import io.frameloom.gpu.command.ExternalTimeline;
import io.frameloom.gpu.vulkan.driver.DeviceCore;

/** An engine's semaphore, of either kind. */
public sealed interface VulkanExternalSemaphore extends ExternalSemaphore {
    /** Returns the device that it was imported by. */
    DeviceCore core();

    /** Returns the VkSemaphore. */
    long semaphore();

    @Override
    default long nativeHandle() {
        return semaphore();
    }

    /** Returns the VkSemaphore of a point, which must be of the device. */
    static long of(DeviceCore core, String submission, ExternalPoint point) {
        if (!(point.semaphore() instanceof VulkanExternalSemaphore ours) || ours.core() != core) {
            throw new IllegalArgumentException("submission '" + submission + "' names external semaphore '"
                    + point.semaphore().name() + "', which was imported by another device");
        }
        return ours.semaphore();
    }

    /**
     * An engine's binary semaphore.
     *
     * @param core device
     * @param name name
     * @param semaphore VkSemaphore
     */
    record Binary(DeviceCore core, String name, long semaphore) implements VulkanExternalSemaphore {
        @Override
        public String toString() {
            return name;
        }
    }

    /**
     * An engine's timeline semaphore.
     *
     * @param core device
     * @param name name
     * @param semaphore VkSemaphore
     * @param values the values that submissions signal of it
     */
    record Timeline(DeviceCore core, String name, long semaphore, SignalledValues values)
            implements VulkanExternalSemaphore, ExternalTimeline {
        @Override
        public String toString() {
            return name;
        }
    }
}
