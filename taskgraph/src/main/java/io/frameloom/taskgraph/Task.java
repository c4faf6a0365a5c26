package io.frameloom.taskgraph;

import io.frameloom.taskgraph.internal.PrerequisiteCounter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The execution side of a launched task; the completion side is its {@link GraphEvent}.
 *
 * <pre>
 *   PENDING --last prerequisite--> QUEUED --claim (one winner)--> RUNNING --body returned--> RETURNED
 *      |                                                            ^                          ^
 *      +--continued by the completing worker------------------------+                          |
 *      +--skipped, refused, or a join without a body-------------------------------------------+
 * </pre>
 *
 * <p>Who leaves PENDING is decided by the prerequisite counter (one winner), who leaves QUEUED by a
 * compare-and-set: queue entries whose claim fails are stale and skipped, which is what lets a waiter
 * take a task out of the middle of a queue. Everything that must be visible to the body is written
 * before the counter, the queue or the event's list publishes the task. A body is run after a claim
 * only, hence at most once.
 */
final class Task extends PrerequisiteCounter implements Subsequent, LaneItem {
    static final GraphEvent[] NO_EVENTS = {};

    private static final int PENDING = 0;
    private static final int QUEUED = 1;
    private static final int RUNNING = 2;
    private static final int RETURNED = 3;

    private static final VarHandle STATE;
    private static final VarHandle FAILED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            STATE = lookup.findVarHandle(Task.class, "state", int.class);
            FAILED = lookup.findVarHandle(Task.class, "failed", FailedPrerequisite.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final String name;
    /** Null for a join, which completes where its last prerequisite does. */
    final @Nullable ExecutionTarget target;
    /** The lane of a named target. */
    final @Nullable NamedLane lane;

    final boolean high;
    final FailurePolicy policy;
    /** Null for a fire-and-forget task. */
    final @Nullable GraphEvent event;

    private @Nullable TaskBody body;
    private GraphEvent @Nullable [] prerequisites;
    private volatile @Nullable FailedPrerequisite failed;

    @SuppressWarnings("unused") // accessed through STATE
    private int state;

    /** The executing thread. Only meaningful to that thread itself, which asks whether it is the one. */
    private @Nullable ThreadContext runner;

    Task(TaskSpec spec, GraphEvent[] prerequisites, int outstanding, boolean tracked) {
        super(outstanding);
        this.name = spec.name();
        this.target = spec.target();
        this.lane = spec.lane();
        this.high = spec.high();
        this.policy = spec.policy();
        this.body = spec.body();
        this.prerequisites = prerequisites;
        this.event = tracked ? new GraphEvent(spec.graph(), name, this) : null;
    }

    @Override
    public void prerequisiteComplete(GraphEvent prerequisite, Completer completer) {
        noteFailure(prerequisite);
        if (completeOne()) {
            completer.ready(this);
        }
    }

    /** To be called for every complete prerequisite before it is counted. */
    void noteFailure(GraphEvent prerequisite) {
        if (!prerequisite.isFailed()) {
            return;
        }
        FailedPrerequisite seen;
        do {
            seen = failed;
        } while (!FAILED.compareAndSet(this, seen, new FailedPrerequisite(prerequisite, seen)));
    }

    /** Why the body must not run, or null. Valid once all prerequisites are complete. */
    @Nullable
    Throwable skipReason() {
        FailedPrerequisite failures = failed;
        return failures == null || policy == FailurePolicy.RUN_ANYWAY ? null : failures.toFailure(name);
    }

    void setQueued() {
        STATE.setRelease(this, QUEUED);
    }

    /** Takes the task out of its queue, wherever it stands in there. */
    boolean claim() {
        return STATE.compareAndSet(this, QUEUED, RUNNING);
    }

    /** Takes a ready task that was never queued. */
    void setRunning() {
        STATE.setRelease(this, RUNNING);
    }

    TaskBody begin(ThreadContext context) {
        TaskBody work = body;
        if (work == null) {
            throw new IllegalStateException("task '" + name + "' has no body to run");
        }
        if (isReusable()) {
            return work;
        }
        runner = context;
        body = null;
        prerequisites = null;
        return work;
    }

    /** The body has returned, or will never run. */
    void setReturned() {
        if (isReusable()) {
            // It may be queued again by now.
            return;
        }
        runner = null;
        body = null;
        prerequisites = null;
        if (failed != null) {
            // Its outcome is computed; a long chain of skipped tasks must not keep all its events alive.
            failed = null;
        }
        STATE.setRelease(this, RETURNED);
    }

    /** Whether the task outlives its run, see {@link ReusableTask}. */
    private boolean isReusable() {
        return body instanceof ReusableTask;
    }

    /** Ends a claimed task that nobody will run, if it is a reusable one. */
    boolean dropIfReusable(TaskGraphClosedException refusal) {
        if (body instanceof ReusableTask reusable) {
            reusable.dropped(refusal);
            return true;
        }
        return false;
    }

    /** Whether nothing is lost if this claimed task never runs: its caller does the work itself. */
    boolean isHelper() {
        return body instanceof ParallelForJob;
    }

    boolean isQueued() {
        return stateAcquire() == QUEUED;
    }

    boolean isReturned() {
        return stateAcquire() == RETURNED;
    }

    boolean isStarted() {
        return stateAcquire() >= RUNNING;
    }

    boolean isRunningOn(ThreadContext context) {
        return runner == context && stateAcquire() == RUNNING;
    }

    /** The prerequisites of a task that has not started; empty afterwards. */
    GraphEvent[] prerequisites() {
        GraphEvent[] events = prerequisites;
        return events == null ? NO_EVENTS : events;
    }

    String describeState() {
        String where = target == null ? "join" : "on " + target;
        return switch (stateAcquire()) {
            case PENDING -> where + ", not ready";
            case QUEUED -> where + ", queued";
            case RUNNING -> where + ", running";
            default -> where + ", returned";
        };
    }

    private int stateAcquire() {
        return (int) STATE.getAcquire(this);
    }
}
