package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.ExternalPoint;
import io.frameloom.gpu.ExternalTimeline;

/**
 * An engine's timeline semaphore.
 *
 * @param core device
 * @param name name
 * @param semaphore VkSemaphore
 * @param values what submissions signal of it
 */
record VulkanExternalTimeline(DeviceCore core, String name, long semaphore, SignalledValues values)
        implements ExternalTimeline {
    /** Returns the semaphore of a point, which must be of the device. */
    static long semaphore(DeviceCore core, String submission, ExternalPoint point) {
        if (!(point.timeline() instanceof VulkanExternalTimeline ours) || ours.core != core) {
            throw new IllegalArgumentException("submission '" + submission + "' names external timeline '"
                    + point.timeline().name() + "', which was imported by another device");
        }
        return ours.semaphore;
    }

    @Override
    public long nativeHandle() {
        return semaphore;
    }

    @Override
    public String toString() {
        return name;
    }
}
