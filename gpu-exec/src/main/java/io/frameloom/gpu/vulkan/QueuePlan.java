package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.QueueKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which queues of a device are used: a graphics queue, then where the device has them an asynchronous compute queue and
 * a copy queue.
 *
 * @param queues queues in the order of the device
 */
record QueuePlan(List<Entry> queues) {
    QueuePlan {
        queues = List.copyOf(queues);
    }

    /**
     * One queue.
     *
     * @param name name
     * @param kind what it executes
     * @param family its family
     * @param index number within the family
     */
    record Entry(String name, QueueKind kind, QueueFamily family, int index) {}

    /**
     * Chooses queues: compute from a family without graphics, else the second queue of the graphics family; copy from a
     * family that can do nothing else.
     *
     * @return the plan, or nothing if no family executes both graphics and compute
     */
    static Optional<QueuePlan> of(List<QueueFamily> families) {
        Optional<QueueFamily> graphics =
                families.stream().filter(QueueFamily::graphicsAndCompute).findFirst();
        if (graphics.isEmpty()) {
            return Optional.empty();
        }
        List<Entry> queues = new ArrayList<>();
        queues.add(new Entry("graphics", QueueKind.GRAPHICS, graphics.get(), 0));
        Optional<QueueFamily> compute =
                families.stream().filter(QueueFamily::computeOnly).findFirst();
        if (compute.isPresent()) {
            queues.add(new Entry("compute", QueueKind.COMPUTE, compute.get(), 0));
        } else if (graphics.get().count() > 1) {
            queues.add(new Entry("compute", QueueKind.COMPUTE, graphics.get(), 1));
        }
        families.stream()
                .filter(QueueFamily::copyOnly)
                .findFirst()
                .ifPresent(family -> queues.add(new Entry("copy", QueueKind.COPY, family, 0)));
        return Optional.of(new QueuePlan(queues));
    }

    /** Returns the families in use, each once, ascending. */
    int[] families() {
        return queues.stream()
                .mapToInt(queue -> queue.family().index())
                .distinct()
                .sorted()
                .toArray();
    }
}
