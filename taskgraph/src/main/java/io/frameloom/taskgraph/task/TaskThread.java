package io.frameloom.taskgraph.task;

import org.jspecify.annotations.Nullable;

/** A thread of a graph with a field for inherited values: a thread-local variable would cost every task a look-up. */
public abstract class TaskThread extends Thread {
    /** The values in force on all other threads. */
    private static final ThreadLocal<@Nullable InheritedBindings> OTHERS = new ThreadLocal<>();

    /** Belongs to this thread. */
    private @Nullable InheritedBindings inherited;

    public TaskThread(String name) {
        super(null, null, name, 0, false);
    }

    /** What is in force on the calling thread, or null. */
    public static @Nullable InheritedBindings inherited() {
        return Thread.currentThread() instanceof TaskThread own ? own.inherited : OTHERS.get();
    }

    /** As {@link #inherited()} on this thread, which calls. */
    public final @Nullable InheritedBindings ownInherited() {
        return inherited;
    }

    /** Changes what is in force on the calling thread; the caller changes it back, whatever happens. */
    public static void inherit(@Nullable InheritedBindings innermost) {
        if (Thread.currentThread() instanceof TaskThread own) {
            own.inherited = innermost;
        } else {
            OTHERS.set(innermost);
        }
    }
}
