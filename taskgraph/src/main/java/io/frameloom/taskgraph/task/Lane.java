package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.ExecutionTarget;
import io.frameloom.taskgraph.parts.Wakeable;

/** Where ready tasks for a named thread go. */
public abstract class Lane implements Wakeable {
    /** Appends a ready task; {@link #wake()} must follow. */
    public abstract void enqueue(Task task);

    /** Puts a queued task that has become urgent before the ordinary ones. */
    public abstract void enqueueAgain(Task task);

    public abstract ExecutionTarget local();
}
