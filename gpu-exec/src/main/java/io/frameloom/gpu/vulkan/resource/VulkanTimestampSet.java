package io.frameloom.gpu.vulkan.resource;

import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.device.WrittenQueries;
import io.frameloom.gpu.vulkan.driver.DeviceClock;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.Vulkan13;
import java.util.Arrays;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkCommandBuffer;

/** A pool of timestamp queries. */
public final class VulkanTimestampSet extends VulkanQueryPool implements TimestampSet {
    private final DeviceClock clock;
    /** By index: the meaningful bits of the queue that writes it, 0 if none does. Each index has one writer. */
    private final byte[] bits;

    public VulkanTimestampSet(DeviceCore core, DeviceClock clock, String name, int count) {
        super(
                core,
                name,
                VK13.VK_QUERY_TYPE_TIMESTAMP,
                0,
                1,
                new WrittenQueries("writeTimestamp", "timestamp", name, count));
        this.clock = clock;
        this.bits = new byte[count];
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
    void forget() {
        Arrays.fill(bits, (byte) 0);
    }

    @Override
    public long[] readNanos() {
        requireOpen("read");
        return core.gate().inside(this::nanos);
    }

    private long[] nanos() {
        long[] results = results();
        long[] nanos = new long[bits.length];
        DeviceClock.Anchor anchor = clock.anchor();
        for (int i = 0; i < bits.length; i++) {
            nanos[i] = anchor != null && bits[i] != 0 && results[2 * i + 1] != 0
                    ? anchor.toNanos(results[2 * i], bits[i], core.adapter().timestampPeriod())
                    : Long.MIN_VALUE;
        }
        return nanos;
    }
}
