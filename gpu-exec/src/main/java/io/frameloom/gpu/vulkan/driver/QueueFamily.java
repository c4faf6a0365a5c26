package io.frameloom.gpu.vulkan.driver;

import io.frameloom.gpu.command.CopyUnit;
import io.frameloom.gpu.command.QueueKind;
import org.lwjgl.vulkan.VK13;

/**
 * A queue family of a device.
 *
 * @param flags what its queues execute, as VkQueueFlags
 * @param count number of queues
 * @param timestampBits meaningful bits of its timestamps, 0 for none
 * @param copyUnit units in which its queues copy regions of textures
 */
public record QueueFamily(int index, int flags, int count, int timestampBits, CopyUnit copyUnit) {
    boolean graphicsAndCompute() {
        int both = VK13.VK_QUEUE_GRAPHICS_BIT | VK13.VK_QUEUE_COMPUTE_BIT;
        return (flags & both) == both;
    }

    boolean computeOnly() {
        return (flags & VK13.VK_QUEUE_COMPUTE_BIT) != 0 && (flags & VK13.VK_QUEUE_GRAPHICS_BIT) == 0;
    }

    boolean executes(QueueKind kind) {
        int compute = VK13.VK_QUEUE_COMPUTE_BIT;
        return switch (kind) {
            case GRAPHICS -> graphicsAndCompute();
            case COMPUTE -> (flags & compute) != 0;
            case COPY -> (flags & (VK13.VK_QUEUE_TRANSFER_BIT | VK13.VK_QUEUE_GRAPHICS_BIT | compute)) != 0;
        };
    }

    /** Returns whether this is a copy engine; video families can copy too, but are not meant for it. */
    boolean copyOnly() {
        int work = flags & ~(VK13.VK_QUEUE_SPARSE_BINDING_BIT | VK13.VK_QUEUE_PROTECTED_BIT);
        return work == VK13.VK_QUEUE_TRANSFER_BIT;
    }
}
