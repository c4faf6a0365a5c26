package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.VulkanResults.check;

import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.EXTCalibratedTimestamps;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkCalibratedTimestampInfoKHR;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkCommandBufferAllocateInfo;
import org.lwjgl.vulkan.VkCommandBufferBeginInfo;
import org.lwjgl.vulkan.VkCommandBufferSubmitInfo;
import org.lwjgl.vulkan.VkCommandPoolCreateInfo;
import org.lwjgl.vulkan.VkFenceCreateInfo;
import org.lwjgl.vulkan.VkQueryPoolCreateInfo;
import org.lwjgl.vulkan.VkSubmitInfo2;

/**
 * Relates timestamps of the device to {@link System#nanoTime}. Any thread.
 *
 * <p>With VK_EXT_calibrated_timestamps both clocks are read together whenever timestamps are converted, so they do not
 * drift apart. Without, one timestamp is written at the start and taken to be halfway between submission and completion.
 */
final class DeviceClock {
    /** How often a wait that fails is tried again. */
    private static final int MOST_WAITS = 3;

    private final DeviceCore core;
    private final boolean calibrated;
    private final boolean monotonicDomain;
    private final Anchor start;

    /**
     * A moment on both clocks.
     *
     * @param ticks device clock
     * @param nanos host clock
     */
    record Anchor(long ticks, long nanos) {
        /**
         * Converts a timestamp taken less than half the device clock's range away.
         *
         * @param bits meaningful bits of the timestamp
         * @param period nanoseconds of one tick
         */
        long toNanos(long timestamp, int bits, float period) {
            int unused = Long.SIZE - bits;
            long delta = (timestamp - ticks) << unused >> unused;
            // Whole periods stay exact: a double holds 53 bits, a delta of hours more.
            return nanos + (period == 1 ? delta : Math.round(delta * (double) period));
        }
    }

    DeviceClock(DeviceCore core, boolean calibrated, DeviceQueue queue, QueueDriver driver) {
        this.core = core;
        this.calibrated = calibrated;
        this.monotonicDomain = calibrated && hasMonotonicDomain();
        boolean measure = !calibrated && queue.plan().family().timestampBits() > 0;
        this.start = measure ? measure(queue, driver) : new Anchor(0, 0);
    }

    private boolean hasMonotonicDomain() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var count = stack.mallocInt(1);
            var device = core.adapter().handle();
            check(
                    EXTCalibratedTimestamps.vkGetPhysicalDeviceCalibrateableTimeDomainsEXT(device, count, null),
                    "list the time domains");
            var domains = stack.mallocInt(count.get(0));
            check(
                    EXTCalibratedTimestamps.vkGetPhysicalDeviceCalibrateableTimeDomainsEXT(device, count, domains),
                    "list the time domains");
            boolean found = false;
            for (int i = 0; i < domains.limit(); i++) {
                found |= domains.get(i) == EXTCalibratedTimestamps.VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT;
            }
            return found;
        }
    }

    /** Returns a moment on both clocks. */
    Anchor anchor() {
        if (!calibrated) {
            return start;
        }
        try (MemoryStack stack = MemoryStack.stackPush()) {
            int domains = monotonicDomain ? 2 : 1;
            VkCalibratedTimestampInfoKHR.Buffer infos = VkCalibratedTimestampInfoKHR.calloc(domains, stack);
            infos.get(0).sType$Default().timeDomain(EXTCalibratedTimestamps.VK_TIME_DOMAIN_DEVICE_EXT);
            if (monotonicDomain) {
                infos.get(1).sType$Default().timeDomain(EXTCalibratedTimestamps.VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT);
            }
            var stamps = stack.mallocLong(domains);
            var deviation = stack.mallocLong(1);
            long before = System.nanoTime();
            check(
                    EXTCalibratedTimestamps.vkGetCalibratedTimestampsEXT(core.handle(), infos, stamps, deviation),
                    "relate the clocks of device and host");
            long after = System.nanoTime();
            // Where nanoTime is the monotonic clock the driver's pairing is the better one.
            boolean sameClock = monotonicDomain && stamps.get(1) - before >= 0 && after - stamps.get(1) >= 0;
            return new Anchor(stamps.get(0), sameClock ? stamps.get(1) : before + (after - before) / 2);
        }
    }

    private Anchor measure(DeviceQueue queue, QueueDriver driver) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var pool = stack.callocLong(1);
            var queries = stack.callocLong(1);
            var fence = stack.callocLong(1);
            PointerBuffer out = stack.mallocPointer(1);
            boolean pending = false;
            try {
                check(
                        VK13.vkCreateCommandPool(
                                core.handle(),
                                VkCommandPoolCreateInfo.calloc(stack)
                                        .sType$Default()
                                        .queueFamilyIndex(queue.plan().family().index()),
                                null,
                                pool),
                        "create a command pool");
                core.names().name(VK13.VK_OBJECT_TYPE_COMMAND_POOL, pool.get(0), "clock calibration");
                check(VK13.vkCreateQueryPool(core.handle(), queryPool(stack, 1), null, queries), "create a query pool");
                core.names().name(VK13.VK_OBJECT_TYPE_QUERY_POOL, queries.get(0), "clock calibration");
                check(
                        VK13.vkCreateFence(
                                core.handle(), VkFenceCreateInfo.calloc(stack).sType$Default(), null, fence),
                        "create a fence");
                core.names().name(VK13.VK_OBJECT_TYPE_FENCE, fence.get(0), "clock calibration");
                VK13.vkResetQueryPool(core.handle(), queries.get(0), 0, 1);
                check(
                        VK13.vkAllocateCommandBuffers(
                                core.handle(),
                                VkCommandBufferAllocateInfo.calloc(stack)
                                        .sType$Default()
                                        .commandPool(pool.get(0))
                                        .commandBufferCount(1),
                                out),
                        "allocate a command buffer");
                VkCommandBuffer commands = new VkCommandBuffer(out.get(0), core.handle());
                core.names().name(VK13.VK_OBJECT_TYPE_COMMAND_BUFFER, commands.address(), "clock calibration");
                check(
                        VK13.vkBeginCommandBuffer(
                                commands, VkCommandBufferBeginInfo.calloc(stack).sType$Default()),
                        "begin a command buffer");
                VK13.vkCmdWriteTimestamp2(commands, VK13.VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, queries.get(0), 0);
                check(VK13.vkEndCommandBuffer(commands), "end a command buffer");
                VkSubmitInfo2.Buffer submit = VkSubmitInfo2.calloc(1, stack);
                VkCommandBufferSubmitInfo.Buffer list = VkCommandBufferSubmitInfo.calloc(1, stack);
                list.get(0).sType$Default().commandBuffer(commands);
                submit.get(0).sType$Default().pCommandBufferInfos(list);
                long before = System.nanoTime();
                queue.guard().lock();
                try {
                    check(driver.submit(queue.handle(), submit, fence.get(0)), "submit the calibration");
                } finally {
                    queue.guard().unlock();
                }
                pending = true;
                check(driver.waitFence(core.handle(), fence.get(0)), "wait for the calibration");
                long after = System.nanoTime();
                pending = false;
                var ticks = stack.mallocLong(1);
                check(
                        VK13.vkGetQueryPoolResults(
                                core.handle(), queries.get(0), 0, 1, ticks, Long.BYTES, VK13.VK_QUERY_RESULT_64_BIT),
                        "read the calibration");
                return new Anchor(ticks.get(0), before + (after - before) / 2);
            } finally {
                if (!pending || awaitEnd(fence.get(0), driver)) {
                    // What was not created is VK_NULL_HANDLE, which is ignored.
                    VK13.vkDestroyFence(core.handle(), fence.get(0), null);
                    VK13.vkDestroyQueryPool(core.handle(), queries.get(0), null);
                    VK13.vkDestroyCommandPool(core.handle(), pool.get(0), null);
                }
            }
        }
    }

    /**
     * Waits once more for a calibration that the device may still be at work on. An engine's device is not waited for as a
     * whole, which would need the locks of all its queues.
     *
     * @return whether the device is through with it; what it may be at work on is not destroyed
     */
    private boolean awaitEnd(long fence, QueueDriver driver) {
        if (core.owned()) {
            driver.waitIdle(core.handle());
            return true;
        }
        int result = VK13.VK_NOT_READY;
        for (int i = 0; i < MOST_WAITS && result != VK13.VK_SUCCESS && result != VK13.VK_ERROR_DEVICE_LOST; i++) {
            result = driver.waitFence(core.handle(), fence);
        }
        return result == VK13.VK_SUCCESS || result == VK13.VK_ERROR_DEVICE_LOST;
    }

    static VkQueryPoolCreateInfo queryPool(MemoryStack stack, int count) {
        return VkQueryPoolCreateInfo.calloc(stack)
                .sType$Default()
                .queryType(VK13.VK_QUERY_TYPE_TIMESTAMP)
                .queryCount(count);
    }
}
