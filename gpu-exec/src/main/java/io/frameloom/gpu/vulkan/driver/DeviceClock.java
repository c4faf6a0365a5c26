package io.frameloom.gpu.vulkan.driver;

import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.EXTCalibratedTimestamps;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkCalibratedTimestampInfoKHR;
import org.lwjgl.vulkan.VkQueryPoolCreateInfo;

/**
 * Relates timestamps of the device to {@link System#nanoTime}. Any thread.
 *
 * <p>With VK_EXT_calibrated_timestamps both clocks are read together whenever timestamps are converted, so they do not
 * drift apart. Without, they are related once, at the start, by a {@link ClockCalibration}, or not at all: if other
 * work kept the device's queue busy all the time, it has no timestamps, rather than wrong ones.
 */
public final class DeviceClock implements AutoCloseable {
    private final DeviceCore core;
    private final boolean calibrated;
    private final boolean monotonicDomain;
    private final @Nullable ClockCalibration calibration;
    private final @Nullable Anchor start;

    /**
     * A moment on both clocks.
     *
     * @param ticks device clock
     * @param nanos host clock
     */
    public record Anchor(long ticks, long nanos) {
        /**
         * Converts a timestamp taken less than half the device clock's range away.
         *
         * @param bits meaningful bits of the timestamp
         * @param period nanoseconds of one tick
         */
        public long toNanos(long timestamp, int bits, float period) {
            int unused = Long.SIZE - bits;
            long delta = (timestamp - ticks) << unused >> unused;
            // Whole periods stay exact: a double holds 53 bits, a delta of hours more.
            return nanos + (period == 1 ? delta : Math.round(delta * (double) period));
        }
    }

    public DeviceClock(DeviceCore core, boolean calibrated, DeviceQueue queue, QueueDriver driver) {
        this.core = core;
        this.calibrated = calibrated;
        this.monotonicDomain = calibrated && hasMonotonicDomain();
        boolean measure = !calibrated && queue.plan().family().timestampBits() > 0;
        this.calibration = measure ? new ClockCalibration(core, queue, driver) : null;
        this.start = calibration == null ? null : calibration.measure();
    }

    /** Returns whether {@link #anchor} knows any moment, on devices whose first queue writes timestamps. */
    public boolean known() {
        return calibrated || start != null || calibration == null;
    }

    private boolean hasMonotonicDomain() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var count = stack.mallocInt(1);
            var device = core.adapter().handle();
            core.check(
                    EXTCalibratedTimestamps.vkGetPhysicalDeviceCalibrateableTimeDomainsEXT(device, count, null),
                    "list the time domains");
            var domains = stack.mallocInt(count.get(0));
            core.check(
                    EXTCalibratedTimestamps.vkGetPhysicalDeviceCalibrateableTimeDomainsEXT(device, count, domains),
                    "list the time domains");
            boolean found = false;
            for (int i = 0; i < domains.limit(); i++) {
                found |= domains.get(i) == EXTCalibratedTimestamps.VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT;
            }
            return found;
        }
    }

    /** Returns a moment on both clocks, null if none is known. */
    public @Nullable Anchor anchor() {
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
            core.check(
                    EXTCalibratedTimestamps.vkGetCalibratedTimestampsEXT(core.handle(), infos, stamps, deviation),
                    "relate the clocks of device and host");
            long after = System.nanoTime();
            // Where nanoTime is the monotonic clock the driver's pairing is the better one.
            boolean sameClock = monotonicDomain && stamps.get(1) - before >= 0 && after - stamps.get(1) >= 0;
            return new Anchor(stamps.get(0), sameClock ? stamps.get(1) : before + (after - before) / 2);
        }
    }

    /**
     * Creates a VkQueryPool; the names are those of {@link DeviceCore#create}.
     *
     * @param type a VkQueryType
     * @param statistics what a pool of statistics counts
     */
    public static long createPool(DeviceCore core, String name, String what, int type, int statistics, int count) {
        return core.create(
                VK13.VK_OBJECT_TYPE_QUERY_POOL,
                name,
                what,
                (stack, out) -> VK13.vkCreateQueryPool(
                        core.handle(),
                        VkQueryPoolCreateInfo.calloc(stack)
                                .sType$Default()
                                .queryType(type)
                                .pipelineStatistics(statistics)
                                .queryCount(count),
                        null,
                        out));
    }

    /** Returns when the device has finished the samples. */
    @Override
    public void close() {
        if (calibration != null) {
            calibration.close();
        }
    }
}
