package io.frameloom.gpu.vulkan.queue;

import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.ExternalSemaphore;
import io.frameloom.gpu.command.ExternalTimeline;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import org.jspecify.annotations.Nullable;

/** An engine's semaphore, of either kind, or a timeline that devices share. */
public sealed interface VulkanExternalSemaphore extends ExternalSemaphore
        permits VulkanExternalSemaphore.Binary, VulkanExternalSemaphore.Timeline, VulkanSharedTimeline {
    DeviceCore core();

    long semaphore();

    /** Returns the values that submissions signal of it; null for a binary semaphore. */
    default @Nullable SignalledValues values() {
        return null;
    }

    /** Throws if it is closed. */
    default void requireOpen(String use) {}

    @Override
    default long nativeHandle() {
        return semaphore();
    }

    /** Returns the VkSemaphore of a point, which must be of the device, and open. */
    static long of(DeviceCore core, String submission, ExternalPoint point) {
        if (!(point.semaphore() instanceof VulkanExternalSemaphore ours) || ours.core() != core) {
            throw new IllegalArgumentException("submission '" + submission + "' names external semaphore '"
                    + point.semaphore().name() + "', which was imported by another device");
        }
        ours.requireOpen("named by submission '" + submission + "'");
        return ours.semaphore();
    }

    /** An engine's binary semaphore. */
    record Binary(DeviceCore core, String name, long semaphore) implements VulkanExternalSemaphore {
        @Override
        public String toString() {
            return name;
        }
    }

    /**
     * An engine's timeline semaphore.
     *
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
