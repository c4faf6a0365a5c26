package io.frameloom.gpu.virtual;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that are ready, and who chooses among them: an adversary that for a random stretch picks at random, the
 * newest, the oldest, or always from one queue, all decided by the seed; or always what was submitted first or last.
 * Confined to the thread of the virtual GPU.
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
    private final List<WorkNode> ready = new ArrayList<>();
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
    }

    void listener(@Nullable Consumer<String> newListener) {
        listener = newListener;
    }

    /** Ends the set-up of a node. */
    void release(WorkNode node) {
        node.number(++released);
        if (node.met(Long.MIN_VALUE)) {
            becomeReady(node);
            settleJoins();
        }
    }

    boolean hasReady() {
        return !ready.isEmpty();
    }

    /** Returns how many nodes to run before looking for more submissions. */
    int stepsAfterSubmission(int newNodes) {
        if (order != VirtualGpuOptions.Order.RANDOM) {
            return order == VirtualGpuOptions.Order.IN_ORDER ? Integer.MAX_VALUE : 0;
        }
        return random.nextBoolean() ? 0 : random.nextInt(newNodes + 1);
    }

    /** Runs one ready node and returns it. */
    WorkNode step() {
        WorkNode node = choose();
        VirtualQueue queue = node.queue();
        long finish = Math.max(node.readyNanos(), queue.clockNanos()) + cost(node);
        queue.clockNanos(finish);
        Consumer<String> observer = listener;
        if (observer != null) {
            observer.accept(queue.name() + ":" + node.label());
        }
        WorkNode.Action action = node.action();
        if (action != null) {
            action.run();
        }
        finished(node, finish);
        settleJoins();
        return node;
    }

    private long cost(WorkNode node) {
        return Math.min(CostModel.MOST_NANOS, node.costNanos()) * costPercent / 100;
    }

    void clear() {
        ready.clear();
        joins.clear();
    }

    private WorkNode choose() {
        return order == VirtualGpuOptions.Order.RANDOM ? chooseAtRandom() : ready.remove(extreme());
    }

    /** Returns the place of what was submitted first, or last. */
    private int extreme() {
        int best = 0;
        for (int i = 1; i < ready.size(); i++) {
            boolean earlier = ready.get(i).number() < ready.get(best).number();
            best = earlier == (order == VirtualGpuOptions.Order.IN_ORDER) ? i : best;
        }
        return best;
    }

    private WorkNode chooseAtRandom() {
        if (stretch == 0) {
            mood = MOODS.get(random.nextInt(MOODS.size()));
            stretch = 1 + random.nextInt(LONGEST_STRETCH);
            favourite = ready.get(random.nextInt(ready.size())).queue().index();
        }
        stretch--;
        int last = ready.size() - 1;
        return switch (mood) {
            case NEWEST -> ready.remove(last);
            case OLDEST -> ready.remove(0);
            case RANDOM -> ready.remove(random.nextInt(ready.size()));
            case ONE_QUEUE -> {
                for (int i = last; i >= 0; i--) {
                    if (ready.get(i).queue().index() == favourite) {
                        yield ready.remove(i);
                    }
                }
                yield ready.remove(random.nextInt(ready.size()));
            }
        };
    }

    private void becomeReady(WorkNode node) {
        if (node.action() == null) {
            joins.add(node);
        } else {
            ready.add(node);
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
