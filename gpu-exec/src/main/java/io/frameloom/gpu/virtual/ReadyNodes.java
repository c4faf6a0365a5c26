package io.frameloom.gpu.virtual;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Nodes in the order in which they became ready, of which any can be taken: by its place, or the newest of a queue. Each
 * call costs a logarithm of their number. Confined to the thread of the virtual GPU.
 *
 * <p>A node keeps its slot until the slots are used up. How many nodes are left in which slots says a Fenwick tree
 * (Fenwick: "A new data structure for cumulative frequency tables").
 */
final class ReadyNodes {
    private static final int FEWEST = 64;

    private @Nullable WorkNode[] slots = new @Nullable WorkNode[FEWEST];
    private int[] tree = new int[FEWEST + 1];
    private int used;
    private int size;
    /** By queue its nodes, of which some may be done by now. */
    private final List<ArrayDeque<WorkNode>> byQueue = new ArrayList<>();

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    void add(WorkNode node) {
        if (used == slots.length) {
            makeRoom();
        }
        put(node);
        int queue = node.queue().index();
        while (byQueue.size() <= queue) {
            byQueue.add(new ArrayDeque<>());
        }
        byQueue.get(queue).addLast(node);
    }

    private void put(WorkNode node) {
        slots[used] = node;
        node.slot(used++);
        count(node.slot(), 1);
        size++;
    }

    private void makeRoom() {
        @Nullable WorkNode[] old = slots;
        slots = new @Nullable WorkNode[Math.max(FEWEST, 2 * size)];
        tree = new int[slots.length + 1];
        used = 0;
        size = 0;
        for (WorkNode node : old) {
            if (node != null) {
                put(node);
            }
        }
        byQueue.forEach(nodes -> nodes.removeIf(WorkNode::isDone));
    }

    private void count(int slot, int difference) {
        for (int i = slot + 1; i < tree.length; i += i & -i) {
            tree[i] += difference;
        }
    }

    /** Returns the node with {@code place} nodes before it. */
    WorkNode get(int place) {
        int before = place;
        int slot = 0;
        for (int step = Integer.highestOneBit(tree.length - 1); step > 0; step >>= 1) {
            if (slot + step < tree.length && tree[slot + step] <= before) {
                slot += step;
                before -= tree[slot];
            }
        }
        WorkNode node = slots[slot];
        if (node == null) {
            throw new IllegalStateException("there is no node " + place + " of " + size);
        }
        return node;
    }

    /** Takes the node with {@code place} nodes before it. */
    WorkNode take(int place) {
        return taken(get(place));
    }

    /** Takes the newest node of a queue, null if it has none. */
    @Nullable
    WorkNode takeNewest(int queue) {
        ArrayDeque<WorkNode> nodes = queue < byQueue.size() ? byQueue.get(queue) : null;
        while (nodes != null && !nodes.isEmpty()) {
            WorkNode node = nodes.removeLast();
            if (!node.isDone()) {
                return taken(node);
            }
        }
        return null;
    }

    private WorkNode taken(WorkNode node) {
        slots[node.slot()] = null;
        count(node.slot(), -1);
        size--;
        return node;
    }

    void clear() {
        Arrays.fill(slots, null);
        Arrays.fill(tree, 0);
        used = 0;
        size = 0;
        byQueue.clear();
    }
}
