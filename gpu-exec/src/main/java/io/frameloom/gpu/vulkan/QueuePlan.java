package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.QueueCounts;
import io.frameloom.gpu.QueueKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Which queues of a device are used: graphics queues, then where the device has them asynchronous compute queues and copy
 * queues.
 *
 * @param queues queues in the order of the device
 */
record QueuePlan(List<Entry> queues) {
    /** Index of a queue that is an engine's: its number within the family is not known. */
    static final int LENT = -1;

    QueuePlan {
        queues = List.copyOf(queues);
    }

    /**
     * One queue.
     *
     * @param name name
     * @param kind what it executes
     * @param family its family
     * @param index number within the family; {@link #LENT} for a queue that somebody else got
     */
    record Entry(String name, QueueKind kind, QueueFamily family, int index) {}

    /**
     * Chooses queues: graphics from the first family that executes both graphics and compute; compute from a family
     * without graphics, else from what is left of the graphics family; copy from a family that can do nothing else.
     *
     * @param counts how many are asked for; fewer where the families have fewer
     * @return the plan, or nothing if no family executes both graphics and compute
     */
    static Optional<QueuePlan> of(List<QueueFamily> families, QueueCounts counts) {
        Optional<QueueFamily> graphics =
                families.stream().filter(QueueFamily::graphicsAndCompute).findFirst();
        if (graphics.isEmpty()) {
            return Optional.empty();
        }
        List<Entry> queues = new ArrayList<>();
        add(queues, QueueKind.GRAPHICS, graphics, 0, counts.graphics());
        int used = queues.size();
        Optional<QueueFamily> compute =
                families.stream().filter(QueueFamily::computeOnly).findFirst();
        if (compute.isPresent()) {
            add(queues, QueueKind.COMPUTE, compute, 0, counts.compute());
        } else {
            add(queues, QueueKind.COMPUTE, graphics, used, counts.compute());
        }
        add(
                queues,
                QueueKind.COPY,
                families.stream().filter(QueueFamily::copyOnly).findFirst(),
                0,
                counts.copy());
        return Optional.of(new QueuePlan(queues));
    }

    private static void add(List<Entry> queues, QueueKind kind, Optional<QueueFamily> family, int first, int wanted) {
        int there = family.map(QueueFamily::count).orElse(0) - first;
        for (int i = 0; i < Math.min(wanted, there); i++) {
            queues.add(new Entry(name(kind, i), kind, family.orElseThrow(), first + i));
        }
    }

    /** Returns the name of the queue of a kind with a number: {@code compute}, {@code compute 2}. */
    static String name(QueueKind kind, int number) {
        String name = kind.name().toLowerCase(Locale.ROOT);
        return number == 0 ? name : name + " " + (number + 1);
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
