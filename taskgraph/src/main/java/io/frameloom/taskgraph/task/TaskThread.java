package io.frameloom.taskgraph.task;

import org.jspecify.annotations.Nullable;

/** A thread of a graph with a field for inherited values: a thread-local variable would cost every task a look-up. */
public abstract class TaskThread extends Thread {
    /** Belongs to this thread. */
    @Nullable
    InheritedBindings inherited;

    public TaskThread(String name) {
        super(null, null, name, 0, false);
    }
}
