package io.frameloom.gpu.virtual.device;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that are ready, of which any can be taken, or the oldest, or the newest of all or of a queue. Each call takes
 * constant time on average. Confined to the thread of the virtual GPU.
 */
final class ReadyNodes {
    private static final int MOST_TAKEN = 64;

    /** In no order: the last one moves to the slot of one that is taken. */
    private final List<WorkNode> nodes = new ArrayList<>();
    /** As they became ready, with some that are taken. */
    private final ArrayDeque<WorkNode> inOrder = new ArrayDeque<>();

    private final List<ArrayDeque<WorkNode>> byQueue = new ArrayList<>();

    boolean isEmpty() {
        return nodes.isEmpty();
    }

    int size() {
        return nodes.size();
    }

    void add(WorkNode node) {
        node.slot(nodes.size());
        nodes.add(node);
        inOrder.addLast(node);
        int queue = node.queue.index();
        while (byQueue.size() <= queue) {
            byQueue.add(new ArrayDeque<>());
        }
        byQueue.get(queue).addLast(node);
        if (inOrder.size() > 2 * nodes.size() + MOST_TAKEN) {
            inOrder.removeIf(ReadyNodes::isTaken);
            byQueue.forEach(ofQueue -> ofQueue.removeIf(ReadyNodes::isTaken));
        }
    }

    /** Returns one of the nodes, by a number below {@link #size}. */
    WorkNode get(int slot) {
        return nodes.get(slot);
    }

    WorkNode take(WorkNode node) {
        WorkNode last = nodes.remove(nodes.size() - 1);
        if (last != node) {
            nodes.set(node.slot(), last);
            last.slot(node.slot());
        }
        node.slot(-1);
        return node;
    }

    WorkNode takeOldest() {
        return take(Objects.requireNonNull(left(inOrder::pollFirst)));
    }

    WorkNode takeNewest() {
        return take(Objects.requireNonNull(left(inOrder::pollLast)));
    }

    /** Takes the newest node of a queue, null if it has none. */
    @Nullable
    WorkNode takeNewest(int queue) {
        WorkNode node = queue < byQueue.size() ? left(byQueue.get(queue)::pollLast) : null;
        return node == null ? null : take(node);
    }

    private static @Nullable WorkNode left(Supplier<@Nullable WorkNode> poll) {
        WorkNode node = poll.get();
        while (node != null && isTaken(node)) {
            node = poll.get();
        }
        return node;
    }

    private static boolean isTaken(WorkNode node) {
        return node.slot() < 0;
    }

    void clear() {
        nodes.clear();
        inOrder.clear();
        byQueue.clear();
    }
}
