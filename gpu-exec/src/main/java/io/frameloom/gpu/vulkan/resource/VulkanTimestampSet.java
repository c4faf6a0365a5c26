package io.frameloom.gpu.vulkan.resource;

import static io.frameloom.gpu.vulkan.driver.VulkanResults.check;

import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.device.WrittenTimestamps;
import io.frameloom.gpu.vulkan.driver.DeviceClock;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.Vulkan13;
import io.frameloom.gpu.vulkan.driver.VulkanObject;
import java.nio.LongBuffer;
import java.util.Arrays;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkCommandBuffer;

/** A pool of timestamp queries, reset by the host. */
public final class VulkanTimestampSet extends VulkanObject implements TimestampSet {
    private final DeviceClock clock;
    private final long pool;
    /** By index: the meaningful bits of the queue that writes it, 0 if none does. Each index has one writer. */
    private final byte[] bits;

    private final WrittenTimestamps written;

    public VulkanTimestampSet(DeviceCore core, DeviceClock clock, String name, int count) {
        super(core, name);
        this.clock = clock;
        this.bits = new byte[count];
        this.written = new WrittenTimestamps(name, count);
        this.pool = DeviceClock.createPool(core, name, describe(), count);
        VK13.vkResetQueryPool(core.handle(), pool, 0, count);
    }

    /** Records the writing of a timestamp by a list, or nothing on a queue that has none. */
    public void write(VkCommandBuffer commands, String list, int index, int queueBits) {
        requireOpen("written");
        written.write(list, index);
        if (queueBits > 0) {
            bits[index] = (byte) queueBits;
            Vulkan13.writeTimestamp(commands, pool, index);
        }
    }

    @Override
    public int count() {
        return bits.length;
    }

    @Override
    public void reset() {
        requireOpen("reset");
        core.gate().enter();
        try {
            requireOpen("reset");
            Arrays.fill(bits, (byte) 0);
            VK13.vkResetQueryPool(core.handle(), pool, 0, bits.length);
            written.reset();
        } finally {
            core.gate().leave();
        }
    }

    @Override
    public long[] readNanos() {
        requireOpen("read");
        return core.gate().inside(this::read);
    }

    private long[] read() {
        requireOpen("read");
        long[] nanos = new long[bits.length];
        int stride = 2 * Long.BYTES;
        LongBuffer results = MemoryUtil.memAllocLong(2 * bits.length);
        try {
            check(
                    VK13.vkGetQueryPoolResults(
                            core.handle(),
                            pool,
                            0,
                            bits.length,
                            results,
                            stride,
                            VK13.VK_QUERY_RESULT_64_BIT | VK13.VK_QUERY_RESULT_WITH_AVAILABILITY_BIT),
                    "read " + describe());
            DeviceClock.Anchor anchor = clock.anchor();
            if (anchor == null) {
                Arrays.fill(nanos, Long.MIN_VALUE);
                return nanos;
            }
            for (int i = 0; i < bits.length; i++) {
                boolean written = bits[i] != 0 && results.get(2 * i + 1) != 0;
                nanos[i] = written
                        ? anchor.toNanos(
                                results.get(2 * i), bits[i], core.adapter().timestampPeriod())
                        : Long.MIN_VALUE;
            }
            return nanos;
        } finally {
            MemoryUtil.memFree(results);
        }
    }

    @Override
    protected void free() {
        VK13.vkDestroyQueryPool(core.handle(), pool, null);
    }
}
