package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.NoSuchDeviceException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A VkDevice with the queues of it that are used: opened here, or an engine's.
 *
 * @param logical device
 * @param queues queues in the order of the device
 */
record OpenedDevice(LogicalDevice logical, List<DeviceQueue> queues) {
    /**
     * Opens the device of an adapter, or takes an engine's own if {@code lent} is given.
     *
     * @param undo takes what destroys a device that is opened here
     */
    static OpenedDevice of(
            VulkanAdapter adapter,
            DeviceOptions options,
            DeviceSeams seams,
            @Nullable AdoptedDevice lent,
            UndoStack undo) {
        if (lent != null) {
            return new OpenedDevice(
                    LogicalDevice.lent(lent.device(), lent.features()), AdoptionCheck.queues(lent, adapter));
        }
        QueuePlan wanted = adapter.queues(options.queues())
                .orElseThrow(() -> new NoSuchDeviceException(
                        adapter.info().name() + " lacks " + adapter.info().missing()));
        LogicalDevice logical = LogicalDevice.create(
                adapter,
                wanted,
                seams.hiddenExtensions(),
                !options.surfaceExtensions().isEmpty());
        undo.push(logical::destroy);
        return new OpenedDevice(logical, logical.queues(wanted, seams.driver()));
    }

    /** Returns the kinds, families and names of the queues. */
    QueuePlan plan() {
        return new QueuePlan(queues.stream().map(DeviceQueue::plan).toList());
    }
}
