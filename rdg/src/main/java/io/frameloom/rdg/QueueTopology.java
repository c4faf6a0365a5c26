package io.frameloom.rdg;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.QueueKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The queues that a graph is compiled for. The first does all that any of them does, so it is the graphics queue if
 * there is one. A plan with passes of {@link PassKind#HOST} has one more after those of the device, the host's, on
 * which these passes stand. The host waits for what this queue waits for. What waits for it is submitted when the host
 * is done. Immutable; any thread.
 *
 * <p>Creating one throws {@link IllegalArgumentException} if there is no queue, or if one has an ability that the first
 * has not.
 *
 * @param queues queues in the order of {@link GpuDevice#queues}, then the host's if the plan has passes for it
 */
public record QueueTopology(List<Queue> queues) {
    private static final Queue HOST = new Queue("host", QueueKind.COPY, -1);

    public QueueTopology {
        queues = List.copyOf(queues);
        if (queues.isEmpty() || !doesAll(queues.get(0).kind(), queues)) {
            throw new IllegalArgumentException(
                    "the first queue must do all that the others do, got " + inWords(queues));
        }
    }

    private static boolean doesAll(QueueKind kind, List<Queue> queues) {
        return queues.stream().allMatch(queue -> kind.supports(queue.kind()));
    }

    /**
     * A queue.
     *
     * @param kind what it can execute
     * @param family queue family
     */
    public record Queue(String name, QueueKind kind, int family) {
        /** Returns whether this stands for the host: no queue of a device, and of no family. */
        public boolean isHost() {
            return family < 0;
        }
    }

    /** Returns the position of the host among the queues, or -1. */
    public int host() {
        int last = queues.size() - 1;
        return queues.get(last).isHost() ? last : -1;
    }

    /** Returns the queues of the device alone. */
    public QueueTopology ofDevice() {
        return host() < 0 ? this : new QueueTopology(queues.subList(0, host()));
    }

    /** Returns these queues, then the host. */
    public QueueTopology withHost() {
        if (host() >= 0) {
            return this;
        }
        List<Queue> more = new ArrayList<>(queues);
        more.add(HOST);
        return new QueueTopology(more);
    }

    /** Returns the queues in words, for messages: name, kind and family of each. */
    @Override
    public String toString() {
        return inWords(queues);
    }

    private static String inWords(List<Queue> queues) {
        return queues.isEmpty()
                ? "none"
                : queues.stream()
                        .map(queue -> "'" + queue.name() + "'"
                                + (queue.isHost()
                                        ? ""
                                        : " (" + queue.kind().name().toLowerCase(Locale.ROOT) + ", family "
                                                + queue.family() + ")"))
                        .collect(Collectors.joining(", "));
    }

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
