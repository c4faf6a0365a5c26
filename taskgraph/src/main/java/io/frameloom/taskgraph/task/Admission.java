package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.TaskBody;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Holds one task back, beyond its prerequisites, until something lets it in. Notified when the task has ended.
 *
 * <p>It is the body of its task and keeps one count of its prerequisite counter. So until {@link #admit} the task
 * cannot start, be skipped or complete. Everything after the admission ends in {@link #ended}: a task that is skipped
 * or refused completes its event like one that ran.
 */
public abstract class Admission implements Needs, Subsequent {
    private final GraphCore graph;
    private @Nullable Task task;
    /** Written before the task is set up. */
    private boolean reportsFailure;
    /** The work; null once it has begun, or the task has ended without it. */
    private @Nullable TaskBody body;

    Admission(GraphCore graph) {
        this.graph = graph;
    }

    /**
     * Takes charge of a task that is set up but for this admission.
     *
     * @param held whether the application must release it, too
     * @param completer that of the calling thread
     */
    public final void takeCharge(Task admitted, CoreEvent[] events, boolean held, Completer completer) {
        task = admitted;
        admitted.addSubsequent(this);
        enter(events, held, completer);
    }

    /** No code looks at the failure of this task: it goes to the uncaught handler. Before the launch. */
    public final void reportFailure() {
        reportsFailure = true;
    }

    /** Changes the work; before the launch. */
    final void setWork(TaskBody changed) {
        body = changed;
    }

    final TaskBody work() {
        return Objects.requireNonNull(body, "a body runs once");
    }

    @Override
    public final void run() throws Exception {
        TaskBody work = work();
        body = null;
        work.run();
    }

    abstract void enter(CoreEvent[] events, boolean held, Completer completer);

    /** The application has released the task. */
    void released(Completer completer) {}

    /** A prerequisite other than the task itself, that this object was registered with, is complete. */
    void prerequisiteEnded(Completer completer) {}

    /** The task has ended: it ran, was skipped or was refused. */
    abstract void ended(Completer completer);

    /** Lets the task go on. Once. The completer makes a chain of refused tasks a loop. */
    final void admit(Completer completer) {
        Task own = task();
        if (own.releaseLock()) {
            completer.launch(own);
        }
    }

    @Override
    public final void prerequisiteComplete(CoreEvent complete, Completer completer) {
        Task own = task();
        if (complete != own) {
            prerequisiteEnded(completer);
            return;
        }
        // Before the end: what runs in the place of this task may look for the report.
        Throwable failure = own.outcome();
        if (reportsFailure && failure != null) {
            graph.reportUncaught(own.name(), failure);
        }
        body = null;
        ended(completer);
    }

    /** A place in the protocol at which another thread may go first. */
    final void reached(SchedulingPoint point) {
        graph.reached(point, task().name());
    }

    public final Task task() {
        return Objects.requireNonNull(task, "the task is not set up");
    }
}
