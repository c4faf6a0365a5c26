package io.frameloom.rdg;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.QueueKind;
import java.util.ArrayList;
import java.util.List;

/**
 * The queues that a graph is compiled for; the first is the graphics queue.
 *
 * @param queues queues in the order of {@link GpuDevice#queues}
 */
public record QueueTopology(List<Queue> queues) {
    /** Checks that the first queue does graphics and copies the list. */
    public QueueTopology {
        queues = List.copyOf(queues);
        if (queues.isEmpty() || queues.get(0).kind() != QueueKind.GRAPHICS) {
            throw new IllegalArgumentException("the first queue must be a graphics queue, got " + queues);
        }
    }

    /**
     * A queue.
     *
     * @param name name
     * @param kind what it can execute
     * @param family queue family
     */
    public record Queue(String name, QueueKind kind, int family) {}

    /** Returns the queues of a device. */
    public static QueueTopology of(GpuDevice device) {
        List<Queue> queues = new ArrayList<>();
        for (GpuQueue queue : device.queues()) {
            queues.add(new Queue(queue.name(), queue.kind(), queue.family()));
        }
        return new QueueTopology(queues);
    }

    /** Returns one graphics queue. */
    public static QueueTopology single() {
        return new QueueTopology(List.of(new Queue("graphics", QueueKind.GRAPHICS, 0)));
    }

    /** Returns a graphics queue and a compute queue of another family. */
    public static QueueTopology graphicsAndCompute() {
        return new QueueTopology(
                List.of(new Queue("graphics", QueueKind.GRAPHICS, 0), new Queue("compute", QueueKind.COMPUTE, 1)));
    }
}
