package io.frameloom.taskgraph;

import io.frameloom.taskgraph.internal.InjectionQueue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The worker queues, one per level and priority, in strict order. Any thread may call any method. */
final class WorkerQueues {
    private static final int CAPACITY = 2048;
    private static final int FIRST_BACKGROUND = 2 * WorkerLevel.BACKGROUND.rank;
    private static final int COUNT = FIRST_BACKGROUND + 2;

    private final List<InjectionQueue<Task>> queues = new ArrayList<>(COUNT);

    WorkerQueues() {
        for (int i = 0; i < COUNT; i++) {
            queues.add(new InjectionQueue<>(CAPACITY));
        }
    }

    private static int rank(Task task) {
        int level = task.target instanceof WorkerLevel worker ? worker.rank : 0;
        return 2 * level + (task.high ? 0 : 1);
    }

    void offer(Task task) {
        queues.get(rank(task)).offer(task);
    }

    @Nullable
    Task claimForeground() {
        return claim(0, FIRST_BACKGROUND);
    }

    @Nullable
    Task claimBackground() {
        return claim(FIRST_BACKGROUND, COUNT);
    }

    private @Nullable Task claim(int from, int to) {
        for (int i = from; i < to; i++) {
            InjectionQueue<Task> queue = queues.get(i);
            for (Task task = queue.poll(); task != null; task = queue.poll()) {
                if (task.claim()) {
                    return task;
                }
            }
        }
        return null;
    }

    boolean hasForeground() {
        return anyNonEmpty(0, FIRST_BACKGROUND);
    }

    boolean hasBackground() {
        return anyNonEmpty(FIRST_BACKGROUND, COUNT);
    }

    /** Whether something that goes before the given task is queued. */
    boolean hasAbove(Task task) {
        return anyNonEmpty(0, rank(task));
    }

    /** Whether something of a higher level is queued. */
    boolean hasAbove(WorkerLevel level) {
        return anyNonEmpty(0, 2 * level.rank);
    }

    private boolean anyNonEmpty(int from, int to) {
        for (int i = from; i < to; i++) {
            if (!queues.get(i).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    int size(WorkerLevel level) {
        return queues.get(2 * level.rank).size()
                + queues.get(2 * level.rank + 1).size();
    }
}
