package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.HeldTask;
import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.parts.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** The start of a {@link HeldTask}, at its release or at the closing of its graph. Any thread may call any method. */
public final class HeldStart implements HeldTask {
    private static final int HELD = 0;
    private static final int RELEASED = 1;
    private static final int FAILED_BY_CLOSE = 2;

    private static final VarHandle STATE = Fields.handle(MethodHandles.lookup(), HeldStart.class, "state", int.class);

    private final GraphCore graph;
    private final Task task;
    private final @Nullable Admission admission;

    @SuppressWarnings("unused") // accessed through STATE
    private volatile int state = HELD;

    public HeldStart(GraphCore graph, Task task, @Nullable Admission admission) {
        this.graph = graph;
        this.task = task;
        this.admission = admission;
    }

    @Override
    public Task event() {
        return task;
    }

    @Override
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

    /** Fails a task that was not released, because its graph closes; its body does not run. */
    public void failByClose() {
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
