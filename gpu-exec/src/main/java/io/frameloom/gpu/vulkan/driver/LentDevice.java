package io.frameloom.gpu.vulkan.driver;

import io.frameloom.gpu.command.QueueKind;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkQueue;

/**
 * An engine's description of a device that it lends.
 *
 * @param described the enabled features, null if not given
 * @param queues queues that may be used here
 * @param created queues that the device was created with, empty if not given
 * @param sharing families that use what Frameloom makes besides those of the lent queues
 */
public record LentDevice(
        VkDevice device,
        @Nullable DeviceFeatures described,
        List<Queue> queues,
        List<CreatedQueues> created,
        Set<Integer> sharing) {
    public LentDevice {
        queues = List.copyOf(queues);
        created = List.copyOf(created);
        sharing = Set.copyOf(sharing);
    }

    /** A queue as the engine describes it. */
    public record Queue(String name, QueueKind kind, VkQueue handle, int family, Lock guard) {}

    /** Queues without special flags that the device was created with. */
    public record CreatedQueues(int family, int count) {}

    /** Returns the enabled features, none if not given. */
    DeviceFeatures features() {
        return described == null ? DeviceFeatures.read(MemoryUtil.NULL, MemoryUtil.NULL) : described;
    }
}
