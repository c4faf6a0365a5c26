package io.frameloom.taskgraph;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A task that was set up but may not start yet: it starts when it has been released and its
 * prerequisites are complete.
 *
 * <p>Use it to hand out the event of a task before everything the body needs is in place. Every method
 * may be called from any thread; exactly one {@link #release()} is allowed.
 */
public final class HeldTask {
    private static final int HELD = 0;
    private static final int RELEASED = 1;
    private static final int FAILED_BY_CLOSE = 2;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(HeldTask.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final TaskGraph graph;
    private final Task task;
    private final @Nullable Admission admission;

    @SuppressWarnings("unused") // accessed through STATE
    private volatile int state = HELD;

    HeldTask(TaskGraph graph, Task task, @Nullable Admission admission) {
        this.graph = graph;
        this.task = task;
        this.admission = admission;
    }

    /**
     * The completion of the task; valid before the release.
     *
     * @return the event
     */
    public GraphEvent event() {
        return task;
    }

    /**
     * Lets the task start. If the graph was closed in the meantime the task has already failed and the
     * call has no effect.
     *
     * @throws IllegalStateException if the task was released before; the message names it
     */
    public void release() {
        graph.requireRunning();
        try {
            releaseOnce();
        } catch (Error e) {
            graph.error = e;
            throw graph.stopped(e);
        }
    }

    private void releaseOnce() {
        graph.reached(SchedulingPoint.COUNT, task.name());
        if (STATE.compareAndSet(this, HELD, RELEASED)) {
            graph.roots().remove(this);
            releaseLock();
        } else if (!STATE.compareAndSet(this, FAILED_BY_CLOSE, RELEASED)) {
            throw new IllegalStateException("task '" + task.name() + "' was released already; release it once");
        }
    }

    /** Lets go of a task that nobody has released, because its graph closes; it fails instead of running. */
    void failByClose() {
        if (STATE.compareAndSet(this, HELD, FAILED_BY_CLOSE)) {
            graph.roots().remove(this);
            releaseLock();
        }
    }

    private void releaseLock() {
        graph.reached(SchedulingPoint.COUNT, task.name());
        Admission guard = admission;
        if (task.releaseLock()) {
            graph.launch(task);
        } else if (guard != null) {
            guard.released(graph.completer());
        }
    }
}
