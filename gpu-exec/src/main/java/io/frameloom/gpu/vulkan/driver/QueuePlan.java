package io.frameloom.gpu.vulkan.driver;

import io.frameloom.gpu.QueueCounts;
import io.frameloom.gpu.command.QueueKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which queues of a device are used: graphics queues, then where the device has them asynchronous compute queues and
 * copy queues.
 *
 * @param queues queues in the order of the device
 */
public record QueuePlan(List<Entry> queues) {
    /** Index of an engine's queue: its number within the family is not known. */
    static final int LENT = -1;

    public QueuePlan {
        queues = List.copyOf(queues);
    }

    /**
     * One queue.
     *
     * @param index number within the family; {@link #LENT} for an engine's queue
     */
    public record Entry(String name, QueueKind kind, QueueFamily family, int index) {}

    /**
     * Chooses queues: graphics from families that execute both graphics and compute; compute from families without
     * graphics, else from the rest of those; copy from families that can do nothing else. Families are used up in their
     * order.
     *
     * @param counts how many are asked for; fewer where the families have fewer
     * @return the plan, or nothing if no family executes both graphics and compute
     */
    static Optional<QueuePlan> of(List<QueueFamily> families, QueueCounts counts) {
        List<QueueFamily> graphics =
                families.stream().filter(QueueFamily::graphicsAndCompute).toList();
        List<QueueFamily> compute =
                families.stream().filter(QueueFamily::computeOnly).toList();
        List<QueueFamily> copy = families.stream().filter(QueueFamily::copyOnly).toList();
        int there = graphics.stream().mapToInt(QueueFamily::count).sum();
        if (there == 0) {
            return Optional.empty();
        }
        boolean shared = compute.isEmpty() && counts.compute() > 0;
        List<Entry> queues = new ArrayList<>();
        add(
                queues,
                QueueKind.GRAPHICS,
                graphics,
                shared ? Math.min(counts.graphics(), Math.max(1, there - 1)) : counts.graphics());
        add(queues, QueueKind.COMPUTE, shared ? graphics : compute, counts.compute());
        add(queues, QueueKind.COPY, copy, counts.copy());
        return Optional.of(new QueuePlan(queues));
    }

    private static void add(List<Entry> queues, QueueKind kind, List<QueueFamily> families, int wanted) {
        int number = 0;
        for (QueueFamily family : families) {
            int used = (int) queues.stream()
                    .filter(queue -> queue.family().index() == family.index())
                    .count();
            for (int i = used; i < family.count() && number < wanted; i++) {
                number++;
                queues.add(new Entry(kind.queueName(number), kind, family, i));
            }
        }
    }

    /** Returns the families in use, each once, ascending. */
    public int[] families() {
        return queues.stream()
                .mapToInt(queue -> queue.family().index())
                .distinct()
                .sorted()
                .toArray();
    }
}
