package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.parts.Wakeable;
import org.jspecify.annotations.Nullable;

/**
 * Where ready tasks for workers go. A class, not an interface: then a call of its only implementation costs nothing.
 */
public abstract class TaskQueues {
    /**
     * Queues a ready task; {@link #signal} must follow.
     *
     * @param worker the calling worker of this graph, or null
     * @return the sign of the task, for {@link #signal}
     */
    public abstract int push(Task task, @Nullable TaskThread worker);

    /** As {@link #push}, so that the calling worker does not find it first. */
    public abstract int pushShared(Task task);

    /** Queues a queued task once more, because it has become more urgent. */
    public abstract void pushAgain(Task task);

    /** Sees to it that pushed tasks are noticed: those of the given signs. */
    public abstract void signal(int signs);

    /** The worker that waits, or waited, for what a walk of the given number came to. */
    public abstract Wakeable walker(int walk);
}
