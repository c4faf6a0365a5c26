package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.ExecutionTarget;
import io.frameloom.taskgraph.FailurePolicy;
import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.TaskBody;
import io.frameloom.taskgraph.TaskCancelledException;
import io.frameloom.taskgraph.TaskGraphClosedException;
import io.frameloom.taskgraph.WorkerLevel;
import io.frameloom.taskgraph.parts.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A launched task: its own event, its prerequisite counter and its place in queues, in one object of 64 bytes.
 *
 * <pre>
 *   PENDING --last prerequisite--> QUEUED --claim (one winner)--> RUNNING --body returned--> RETURNED
 *      |                                                            ^                          ^
 *      +--continued by the completing worker------------------------+                          |
 *      +--skipped, refused, or a join without a body-------------------------------------------+
 * </pre>
 *
 * <p>The prerequisite counter decides which thread takes the task out of PENDING (one winner), a compare-and-set which
 * takes it out of QUEUED. Queue entries whose claim fails are stale and skipped: so a waiter can take a task out of the
 * middle of a queue. Everything that must be visible to the body is written before the counter, the queue or the
 * event's list publishes the task. A body is run after a claim only, hence at most once.
 */
public final class Task extends CoreEvent implements Subsequent, LaneItem {
    private static final byte PENDING = 0;
    private static final byte QUEUED = 1;
    private static final byte RUNNING = 2;
    private static final byte RETURNED = 3;
    private static final byte SKIPPED = 4;

    /** Traits: the ordinal of the policy in the low bits, then what is true of the task. */
    private static final int POLICY = 3;

    private static final int HIGH = 1 << 2;
    private static final int UNTRACKED = 1 << 3;
    private static final int BROADCAST = 1 << 4;

    private static final FailurePolicy[] POLICIES = FailurePolicy.values();

    private static final VarHandle STATE = Fields.handle(MethodHandles.lookup(), Task.class, "state", byte.class);
    private static final VarHandle LINK = Fields.handle(MethodHandles.lookup(), Task.class, "link", Object.class);

    /** Null for a join, which completes where its last prerequisite does. Not changed after the launch. */
    public @Nullable ExecutionTarget target;

    /** The lane of a named target. Not changed after the launch. */
    public @Nullable Lane lane;

    /** Not changed after the launch. */
    private byte traits;

    @SuppressWarnings("unused") // accessed through STATE
    private byte state;

    private @Nullable TaskBody body;

    /**
     * Before the start the prerequisites, as one {@link CoreEvent} or an array with nulls at its end;
     * while the body runs the {@link Completer} that runs it; then null.
     */
    @SuppressWarnings("unused") // written through LINK
    private @Nullable Object link;

    public Task(GraphCore graph, String name, @Nullable TaskBody body) {
        super(graph, name, 1);
        this.body = body;
        setPlace(body == null ? null : WorkerLevel.NORMAL, null, false);
    }

    /** Sets where it runs, before the launch. */
    public void setPlace(@Nullable ExecutionTarget newTarget, @Nullable Lane newLane, boolean highPriority) {
        target = newTarget;
        lane = newLane;
        setTraits(HIGH, highPriority ? HIGH : 0);
        setUrgencyPlain(newTarget instanceof WorkerLevel level ? Urgency.of(level, highPriority) : 0);
    }

    /** Sets what the failure of a prerequisite means, before the launch; {@link FailurePolicy#SKIP} unless set. */
    public void setPolicy(FailurePolicy policy) {
        setTraits(POLICY, policy.ordinal());
    }

    public FailurePolicy policy() {
        return POLICIES[traits & POLICY];
    }

    public boolean isHigh() {
        return (traits & HIGH) != 0;
    }

    /** Before the launch: no code can ask for the completion. */
    public void setUntracked() {
        setTraits(UNTRACKED, UNTRACKED);
    }

    /** Whether code can ask for the completion. */
    public boolean isTracked() {
        return (traits & UNTRACKED) == 0;
    }

    /** Before the launch: it is the event of a {@code Broadcast}, or a share of one. */
    public void setBroadcast() {
        setTraits(BROADCAST, BROADCAST);
    }

    boolean isBroadcast() {
        return (traits & BROADCAST) != 0;
    }

    private void setTraits(int mask, int values) {
        traits = (byte) ((traits & ~mask) | values);
    }

    /** Whether it goes before the ordinary tasks of its lane, by its priority or because of what waits for it. */
    public boolean isUrgentOnLane() {
        return isHigh() || urgency() >= Urgency.LEAST;
    }

    /** Sets what it waits for, before the launch. */
    public void setPrerequisites(@Nullable Object oneOrArray) {
        link = oneOrArray;
    }

    /** Returns what it was launched after, one or an array. Before it starts, on the thread that starts or ends it. */
    public @Nullable Object prerequisites() {
        return linkAcquire();
    }

    /** Sets how much it waits for, before the launch. */
    public void setOutstanding(int count) {
        setOutstandingPlain(count);
    }

    @Override
    public CoreEvent dependent() {
        return this;
    }

    @Override
    public void prerequisiteComplete(CoreEvent prerequisite, Completer completer) {
        if (prerequisiteMet(prerequisite)) {
            completer.ready(this);
        }
    }

    /** Takes a complete prerequisite into account. Returns true if it was the last one. */
    boolean prerequisiteMet(CoreEvent prerequisite) {
        noteFailure(prerequisite);
        graph().reached(SchedulingPoint.COUNT, name());
        return completeOne();
    }

    /** As {@link #prerequisiteMet(CoreEvent)}, if the caller knows whether it is {@link #isLastPrerequisite}. */
    boolean prerequisiteMet(CoreEvent prerequisite, boolean last) {
        if (!last) {
            return prerequisiteMet(prerequisite);
        }
        noteFailure(prerequisite);
        graph().reached(SchedulingPoint.COUNT, name());
        completeLastOne();
        return true;
    }

    /** Whether a prerequisite that is not taken into account yet is the only one. */
    boolean isLastPrerequisite() {
        return isLastOne();
    }

    /** As {@link #prerequisiteMet(CoreEvent)}, for a prerequisite with a policy of its own. */
    public boolean prerequisiteMet(CoreEvent prerequisite, FailurePolicy edge) {
        FailedPrerequisite.Effect effect = FailedPrerequisite.effect(prerequisite, edge);
        if (effect != null) {
            rareState().note(prerequisite, effect);
        }
        return completeOne();
    }

    /** Lets tokens decide whether the body runs; before the launch. */
    public void cancelledBy(BoundTokens tokens) {
        TaskBody work = body;
        if (work instanceof Admission admission) {
            admission.setWork(tokens.before(this, admission.work()));
        } else if (work != null) {
            body = tokens.before(this, work);
        }
    }

    /** Hands the values of the launching scope to the body; before the launch. */
    public void inherit(InheritedBindings bindings) {
        TaskBody work = body;
        if (work instanceof Admission admission) {
            admission.setWork(bindings.around(admission.work()));
        } else if (work != null) {
            body = bindings.around(work);
        }
    }

    /** The last thing before the user's body, on its thread. */
    void requireWanted(BoundTokens tokens) {
        if (tokens.isCancelled()) {
            link = null;
            throw new TaskCancelledException("'" + name() + "' did not run: its token was cancelled before it started");
        }
    }

    /** Ends the set-up or the hold. Returns true if the task is ready with that. */
    public boolean releaseLock() {
        return completeOne();
    }

    /** As {@link #releaseLock}, for several counts. */
    public boolean release(int counts) {
        return complete(counts);
    }

    /** To be called for every complete prerequisite before it is counted. */
    public void noteFailure(CoreEvent prerequisite) {
        if (prerequisite.outcome() == null) {
            return;
        }
        boolean fails = policy() == FailurePolicy.SKIP;
        rareState().note(prerequisite, fails ? FailedPrerequisite.Effect.FAIL : FailedPrerequisite.Effect.IGNORE);
    }

    /**
     * Why the body must not run, or null: its failure, or {@link FailedPrerequisite.NotNeeded}. Valid once
     * all prerequisites are complete.
     */
    @Nullable
    Throwable skipReason() {
        RareState rare = rareStateOrNull();
        FailedPrerequisite notes = rare == null ? null : rare.failed();
        return notes == null ? null : notes.verdict(name());
    }

    public void setQueued() {
        STATE.setRelease(this, QUEUED);
    }

    /** Takes the task out of its queue, wherever it stands in there. */
    public boolean claim() {
        return STATE.compareAndSet(this, QUEUED, RUNNING);
    }

    /** Takes a ready task that was never queued. */
    public void setRunning() {
        STATE.setRelease(this, RUNNING);
    }

    public TaskBody begin(Completer context) {
        TaskBody work = body;
        if (work == null) {
            throw new IllegalStateException("task '" + name() + "' has no body to run");
        }
        if (isReusable()) {
            return work;
        }
        LINK.setRelease(this, (Object) context);
        body = null;
        return work;
    }

    /** The body has returned, or will never run. */
    void setReturned() {
        TaskBody left = body;
        if (left instanceof RepeatedBody) {
            // It may be queued again by now.
            return;
        }
        byte end = link instanceof Completer || target == null ? RETURNED : SKIPPED;
        if (left != null) {
            body = null;
        }
        link = null;
        RareState rare = rareStateOrNull();
        if (rare != null) {
            rare.forgetFailed();
        }
        STATE.setRelease(this, end);
    }

    /** Whether its body is code of the engine, which guards what it calls of the application. */
    public boolean isOfEngine() {
        return isReusable();
    }

    /** Whether the task outlives its run. */
    private boolean isReusable() {
        return body instanceof RepeatedBody;
    }

    /** Ends a claimed task that no thread will run, if it is a reusable one. */
    public boolean dropIfReusable(TaskGraphClosedException refusal) {
        if (body instanceof ReusableTask reusable) {
            reusable.dropped(refusal);
            return true;
        }
        return false;
    }

    /** What it runs, or null once it has begun; any thread may look. */
    public @Nullable TaskBody body() {
        return body;
    }

    public boolean isPending() {
        return stateAcquire() == PENDING;
    }

    /** Whether it waits, after its prerequisites, for its release or for a slot. */
    boolean isHeldBack() {
        return (body instanceof LimitedTask limited && limited.waits())
                || graph().roots().holds(this);
    }

    public boolean isQueued() {
        return stateAcquire() == QUEUED;
    }

    public boolean isReturned() {
        return stateAcquire() == RETURNED;
    }

    public boolean isStarted() {
        return stateAcquire() >= RUNNING;
    }

    public boolean isRunningOn(Completer context) {
        return linkAcquire() == context && stateAcquire() == RUNNING;
    }

    /** The thread that runs the body, or null. */
    public @Nullable Completer runner() {
        return linkAcquire() instanceof Completer context ? context : null;
    }

    @Override
    void requireStillOpen() {
        Completer context = graph().currentContext();
        if (context == null || !isRunningOn(context)) {
            throw new IllegalStateException("dontCompleteUntil of " + kind() + " '" + name() + "' "
                    + (target == null
                            ? "is not possible: only tasks that run and events made by TaskGraph.event take children"
                            : "must be called from inside its running body, on the thread that runs it"));
        }
    }

    @Override
    public String kind() {
        return isBroadcast() ? "broadcast" : target != null ? "task" : "event";
    }

    @Override
    void completeManually(@Nullable Throwable outcome) {
        throw new IllegalStateException(kind() + " '" + name()
                + "' completes by itself; only events made by TaskGraph.event can be triggered or failed");
    }

    /** The prerequisites of a task that has not started, then the children. Entries at the end may be null. */
    @Override
    public @Nullable CoreEvent[] inputs() {
        Object seen = linkAcquire();
        @Nullable CoreEvent[] events = children();
        if (seen instanceof CoreEvent event) {
            events = new CoreEvent[] {event};
        } else if (seen instanceof CoreEvent[] several) {
            events = several;
        }
        return body instanceof Needs further ? further.addTo(events) : events;
    }

    @Override
    public boolean wasSkipped() {
        return isComplete() && stateAcquire() == SKIPPED;
    }

    @Override
    public CoreEvent[] alternatives() {
        return body instanceof Needs further ? further.alternatives() : NO_EVENTS;
    }

    /** What it waits for besides its inputs, or null; for reports. */
    public @Nullable WaitReason waitReason() {
        return body instanceof Needs further ? further.waitReason() : null;
    }

    /** Whether observers see its body: nodes of a run are reported one by one, what runs them is not. */
    public boolean isObserved() {
        return target != null && !(body instanceof ReusableTask);
    }

    /** What it is to the code that runs in it. */
    public String describeRunner() {
        return (body instanceof RepeatedBody repeated ? repeated.kind() : kind()) + " '" + name() + "'";
    }

    public String describeState() {
        String where = target == null ? "join" : "on " + target;
        return switch (stateAcquire()) {
            case PENDING -> where + ", not ready";
            case QUEUED -> where + ", queued";
            case RUNNING -> where + ", running";
            case SKIPPED -> where + ", skipped";
            default -> where + ", returned";
        };
    }

    private @Nullable Object linkAcquire() {
        return LINK.getAcquire(this);
    }

    private byte stateAcquire() {
        return (byte) STATE.getAcquire(this);
    }
}
