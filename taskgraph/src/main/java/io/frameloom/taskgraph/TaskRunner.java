package io.frameloom.taskgraph;

import org.jspecify.annotations.Nullable;

/** What a thread that executes tasks carries with it, as far as tasks know. */
abstract class TaskRunner {
    final Completer completer;

    TaskRunner(Completer completer) {
        this.completer = completer;
    }

    /** The task that the thread is in; any thread may ask. */
    abstract @Nullable Task currentTask();

    /** Whether it is a worker, and not a named thread. */
    abstract boolean isWorker();
}
