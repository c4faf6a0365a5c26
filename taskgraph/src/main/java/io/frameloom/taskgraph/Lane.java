package io.frameloom.taskgraph;

/** Where ready tasks for a named thread go. */
abstract class Lane implements Wakeable {
    /** Appends a ready task; {@link #wake()} must follow. */
    abstract void enqueue(Task task);

    /** Puts a queued task that has become urgent before the ordinary ones. */
    abstract void enqueueAgain(Task task);

    /** The target of tasks for its local queue. */
    abstract ExecutionTarget local();
}
