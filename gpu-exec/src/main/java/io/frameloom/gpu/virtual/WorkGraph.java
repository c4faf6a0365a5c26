package io.frameloom.gpu.virtual;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that are ready, and the adversary that chooses among them: for a random stretch it picks at random, the
 * newest, the oldest, or always from one queue, all decided by the seed. Confined to the thread of the virtual GPU.
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

    private final java.util.SplittableRandom random;
    private final List<WorkNode> ready = new ArrayList<>();
    private final ArrayDeque<WorkNode> joins = new ArrayDeque<>();
    private Mood mood = Mood.RANDOM;
    private int stretch;
    private int favourite;
    private @Nullable Consumer<String> listener;

    WorkGraph(long seed) {
        random = new java.util.SplittableRandom(seed);
    }

    void listener(@Nullable Consumer<String> newListener) {
        listener = newListener;
    }

    /** Ends the set-up of a node. */
    void release(WorkNode node) {
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
        return random.nextBoolean() ? 0 : random.nextInt(newNodes + 1);
    }

    /** Runs one ready node and returns it. */
    WorkNode step() {
        WorkNode node = choose();
        VirtualQueue queue = node.queue();
        long finish = Math.max(node.readyNanos(), queue.clockNanos()) + node.costNanos();
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

    void clear() {
        ready.clear();
        joins.clear();
    }

    private WorkNode choose() {
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
