package io.frameloom.gpu.vulkan.driver;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.error.NoSuchDeviceException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A VkDevice with its used queues: opened here, or an engine's.
 *
 * @param logical device
 * @param queues queues in the order of the device
 * @param sharing families whose queues are not used here, but use what is made here
 */
public record OpenedDevice(LogicalDevice logical, List<DeviceQueue> queues, Set<Integer> sharing) {
    /**
     * Opens the device of an adapter, or takes an engine's own if {@code lent} is given.
     *
     * @param undo takes what destroys a device that is opened here
     */
    public static OpenedDevice of(
            VulkanAdapter adapter,
            DeviceOptions options,
            DeviceSeams seams,
            @Nullable LentDevice lent,
            UndoStack undo) {
        if (lent != null) {
            return new OpenedDevice(
                    LogicalDevice.lent(lent.device(), lent.features()),
                    AdoptionCheck.queues(lent, adapter),
                    lent.sharing());
        }
        QueuePlan wanted = adapter.queues(options.queues())
                .orElseThrow(() -> new NoSuchDeviceException(
                        adapter.info().name() + " lacks " + adapter.info().missing()));
        LogicalDevice logical = LogicalDevice.create(adapter, wanted, seams.hiddenExtensions(), options);
        undo.push(logical::destroy);
        return new OpenedDevice(logical, logical.queues(wanted, seams.driver()), Set.of());
    }

    /** Returns the kinds, families and names of the queues. */
    public QueuePlan plan() {
        return new QueuePlan(queues.stream().map(DeviceQueue::plan).toList());
    }

    /** Returns the families that share what is made here, each once, ascending. */
    int[] families() {
        return IntStream.concat(
                        Arrays.stream(plan().families()), sharing.stream().mapToInt(Integer::intValue))
                .distinct()
                .sorted()
                .toArray();
    }
}
