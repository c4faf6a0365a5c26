package io.frameloom.taskgraph;

/** Where ready tasks for a named thread go. */
abstract class Lane implements Wakeable {
    /** Appends a ready task; {@link #wake()} must follow. */
    abstract void enqueue(Task task);
}
