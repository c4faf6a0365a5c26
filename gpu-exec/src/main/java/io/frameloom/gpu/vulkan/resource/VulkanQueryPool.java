package io.frameloom.gpu.vulkan.resource;

import io.frameloom.gpu.device.WrittenQueries;
import io.frameloom.gpu.vulkan.driver.DeviceClock;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.VulkanObject;
import java.nio.LongBuffer;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;

/** A pool of queries, reset by the host. */
abstract class VulkanQueryPool extends VulkanObject {
    final long pool;
    final WrittenQueries written;
    /** Numbers of a result. */
    private final int numbers;

    /** A pool whose queries are not written. */
    VulkanQueryPool(DeviceCore core, String name, int type, int statistics, int numbers, WrittenQueries written) {
        super(core, name);
        this.written = written;
        this.numbers = numbers;
        this.pool = DeviceClock.createPool(core, name, describe(), type, statistics, written.count());
        VK13.vkResetQueryPool(core.handle(), pool, 0, written.count());
    }

    public final int count() {
        return written.count();
    }

    public final void reset() {
        requireOpen("reset");
        core.gate().enter();
        try {
            requireOpen("reset");
            VK13.vkResetQueryPool(core.handle(), pool, 0, count());
            forget();
            written.reset();
        } finally {
            core.gate().leave();
        }
    }

    void forget() {}

    /** Returns each result followed by a number that is not 0 if it is there. In the gate of the device. */
    final long[] results() {
        requireOpen("read");
        int words = count() * (numbers + 1);
        // Mesa's software driver writes nothing for statistics that were not counted, not even that they are not there.
        LongBuffer results = MemoryUtil.memCallocLong(words);
        try {
            core.check(
                    VK13.vkGetQueryPoolResults(
                            core.handle(),
                            pool,
                            0,
                            count(),
                            results,
                            (numbers + 1) * (long) Long.BYTES,
                            VK13.VK_QUERY_RESULT_64_BIT | VK13.VK_QUERY_RESULT_WITH_AVAILABILITY_BIT),
                    "read " + describe());
            long[] copy = new long[words];
            results.get(0, copy);
            return copy;
        } finally {
            MemoryUtil.memFree(results);
        }
    }

    @Override
    protected final void free() {
        VK13.vkDestroyQueryPool(core.handle(), pool, null);
    }
}
