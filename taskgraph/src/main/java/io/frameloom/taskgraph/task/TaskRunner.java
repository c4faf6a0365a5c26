package io.frameloom.taskgraph.task;

import org.jspecify.annotations.Nullable;

/** What a thread that executes tasks carries with it, as far as tasks know. */
public abstract class TaskRunner {
    public final Completer completer;

    public TaskRunner(Completer completer) {
        this.completer = completer;
    }

    /** The task that the thread is in; any thread may ask. */
    public abstract @Nullable Task currentTask();

    /** Whether it is a worker, and not a named thread. */
    public abstract boolean isWorker();
}
