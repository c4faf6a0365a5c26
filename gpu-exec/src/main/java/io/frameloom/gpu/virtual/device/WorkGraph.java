package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.gpu.virtual.memory.CostModel;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The ready nodes, and the choice among them. An adversary picks for a random stretch at random, the newest, the
 * oldest, or always from one queue, all decided by the seed. In the other orders the first or the last submitted is
 * always taken. Confined to the thread of the virtual GPU.
 */
final class WorkGraph {
    private static final int LONGEST_STRETCH = 16;

    private enum Mood {
        RANDOM,
        NEWEST,
        OLDEST,
        ONE_QUEUE
    }

    private static final List<Mood> MOODS = List.of(Mood.values());

    private final SplittableRandom random;
    private final VirtualGpuOptions.Order order;
    private final int costPercent;
    /** What is ready where the seed decides. */
    private final ReadyNodes ready = new ReadyNodes();
    /** What is ready where the order of submission decides, the next one first. */
    private final PriorityQueue<WorkNode> inOrder;

    private final ArrayDeque<WorkNode> joins = new ArrayDeque<>();
    private Mood mood = Mood.RANDOM;
    private int stretch;
    private int favourite;
    private long released;
    private @Nullable Consumer<String> listener;

    WorkGraph(VirtualGpuOptions options) {
        random = new SplittableRandom(options.seed());
        order = options.order();
        costPercent = options.costPercent();
        Comparator<WorkNode> earliest = Comparator.comparingLong(WorkNode::number);
        inOrder = new PriorityQueue<>(order == VirtualGpuOptions.Order.IN_ORDER ? earliest : earliest.reversed());
    }

    void listener(@Nullable Consumer<String> newListener) {
        listener = newListener;
    }

    void release(WorkNode node) {
        node.number(++released);
        if (node.met(Long.MIN_VALUE)) {
            becomeReady(node);
            settleJoins();
        }
    }

    boolean hasReady() {
        return !ready.isEmpty() || !inOrder.isEmpty();
    }

    /** Returns how many nodes to run before looking for more submissions. */
    int stepsAfterSubmission(int newNodes) {
        if (order != VirtualGpuOptions.Order.RANDOM) {
            return order == VirtualGpuOptions.Order.IN_ORDER ? Integer.MAX_VALUE : 0;
        }
        return random.nextBoolean() ? 0 : random.nextInt(newNodes + 1);
    }

    WorkNode step() {
        WorkNode node = choose();
        VirtualQueue queue = node.queue;
        long finish = Math.max(node.readyNanos(), queue.clockNanos()) + cost(node);
        queue.clockNanos(finish);
        Consumer<String> observer = listener;
        if (observer != null) {
            observer.accept(queue.name() + ":" + node.label);
        }
        WorkNode.Action action = node.action;
        if (action != null) {
            action.run();
        }
        finished(node, finish);
        settleJoins();
        return node;
    }

    private long cost(WorkNode node) {
        return Math.min(CostModel.MOST_NANOS, node.costNanos) * costPercent / 100;
    }

    void clear() {
        ready.clear();
        inOrder.clear();
        joins.clear();
    }

    private WorkNode choose() {
        return order == VirtualGpuOptions.Order.RANDOM ? chooseAtRandom() : inOrder.remove();
    }

    private WorkNode chooseAtRandom() {
        if (stretch == 0) {
            mood = MOODS.get(random.nextInt(MOODS.size()));
            stretch = 1 + random.nextInt(LONGEST_STRETCH);
            favourite = ready.get(random.nextInt(ready.size())).queue.index();
        }
        stretch--;
        WorkNode favoured = mood == Mood.ONE_QUEUE ? ready.takeNewest(favourite) : null;
        if (favoured != null) {
            return favoured;
        }
        return switch (mood) {
            case NEWEST -> ready.takeNewest();
            case OLDEST -> ready.takeOldest();
            case RANDOM, ONE_QUEUE -> ready.take(ready.get(random.nextInt(ready.size())));
        };
    }

    private void becomeReady(WorkNode node) {
        if (node.action == null) {
            joins.add(node);
        } else {
            if (order == VirtualGpuOptions.Order.RANDOM) {
                ready.add(node);
            } else {
                inOrder.add(node);
            }
        }
    }

    private void finished(WorkNode node, long finish) {
        for (WorkNode successor : node.finish(finish)) {
            if (successor.met(finish)) {
                becomeReady(successor);
            }
        }
    }

    private void settleJoins() {
        for (WorkNode join = joins.poll(); join != null; join = joins.poll()) {
            finished(join, join.readyNanos());
        }
    }
}
