package io.frameloom.taskgraph;

import io.frameloom.taskgraph.internal.Arguments;
import io.frameloom.taskgraph.internal.SubsequentList;
import io.frameloom.taskgraph.internal.ThreadParker;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The completion of a task, of several events ({@link TaskGraph#whenAll}), or of anything else (a manual
 * event, {@link TaskGraph#event}).
 *
 * <p>An event completes once, with or without a failure, and stays complete. It can be a prerequisite of
 * any number of tasks of the same graph. All methods may be called from any thread unless they say
 * otherwise; what happened before the completion is visible to whoever saw {@link #isComplete()} return
 * true, to waiters, and to the tasks behind it.
 */
@SuppressWarnings("exports") // a task is one object: what it inherits is final and not visible to users
public abstract sealed class GraphEvent extends SpareWaiters permits Task, ManualEvent {
    static final GraphEvent[] NO_EVENTS = {};

    private static final VarHandle GATE;
    private static final VarHandle URGENCY;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            GATE = lookup.findVarHandle(GraphEvent.class, "gate", CompletionGate.class);
            URGENCY = lookup.findVarHandle(GraphEvent.class, "urgency", byte.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final TaskGraph graph;
    private final String name;
    /**
     * A {@link Throwable}, or a {@link Failure} that stands for it. Written before the list is closed, read after it was seen
     * closed.
     */
    private @Nullable Object failure;

    private volatile @Nullable CompletionGate gate;

    /** See {@link Retraction}. */
    private int walk;

    /** See {@link PriorityInheritance}. */
    private volatile byte urgency;

    GraphEvent(TaskGraph graph, String name, int outstanding) {
        super(outstanding);
        this.graph = graph;
        this.name = name;
    }

    /**
     * The name of the task or event.
     *
     * @return the name
     */
    public final String name() {
        return name;
    }

    /**
     * Whether the event is complete, with or without a failure.
     *
     * @return true once complete
     */
    public final boolean isComplete() {
        return isClosed();
    }

    /**
     * Whether the event is complete and failed. A failure that was asked for counts as seen, see {@link #failure()}.
     *
     * @return true once failed
     */
    public final boolean isFailed() {
        return failure() != null;
    }

    /**
     * Whether this is the event of a task that ended without running its body: because of the outcome of a
     * prerequisite ({@link FailurePolicy}), a cancelled token, or the closing of the graph. Whether that is a
     * failure is another question: a task that is not needed ({@link FailurePolicy#RUN_ON_FAILURE}) is
     * skipped and succeeds.
     *
     * @return true if the event is complete and the body was not run
     */
    public boolean wasSkipped() {
        return false;
    }

    /**
     * The failure with which the event completed. A failure that nobody sees, neither here nor by {@link #isFailed()}, in a
     * wait, in a future, or in a task that fails or runs because of it, goes to the {@link
     * TaskGraphBuilder#uncaughtHandler uncaught handler}, at the latest when the graph closes or the event is collected.
     *
     * @return what the body threw, a {@link PrerequisiteFailedException}, a
     *     {@link TaskGraphClosedException}, or what was given to {@link #fail}; null while the event is
     *     not complete or when it succeeded
     */
    public final @Nullable Throwable failure() {
        Throwable outcome = outcome();
        if (outcome != null) {
            graph.failures().see(outcome);
        }
        return outcome;
    }

    /** As {@link #failure()}, for what passes the failure on: it is not seen by that. */
    final @Nullable Throwable outcome() {
        return isClosed() ? failureSoFar() : null;
    }

    /**
     * Waits until the event is complete.
     *
     * <p>A named thread runs tasks of its local queue meanwhile. A worker runs the awaited task itself if
     * nobody has started it, and before it those of its prerequisites that nobody has started; it never
     * runs anything else, and blocks when the rest is in other hands. Any other thread blocks. The wait
     * is not interruptible; an interrupt that arrives meanwhile is kept in the thread's interrupt status.
     *
     * <p>What the event needs becomes as urgent as a waiting task of high priority or level, and for a wait of a
     * named thread at least as urgent as a task of {@link WorkerLevel#NORMAL} with {@link TaskPriority#HIGH},
     * unless {@link TaskGraphBuilder#priorityInheritance} is off. It stays so after a timeout.
     *
     * <p>A worker that blocks here is not replaced ({@link TaskGraph#beginBlocking} is for what blocks elsewhere): waiting from workers for events that only other queued,
     * unrelated worker tasks trigger needs as many free workers.
     *
     * @throws TaskFailedException if the event failed; the cause is {@link #failure()}
     * @throws IllegalStateException if the wait could never end: the event needs the task that is
     *     waiting, or a task in the waiting thread's own main queue
     */
    public final void await() {
        Awaiting.await(this, Deadline.NEVER);
        throwIfFailed();
    }

    /**
     * Waits as {@link #await()}, but does not throw if the event failed. That does not count as seeing the failure.
     *
     * @throws IllegalStateException as {@link #await()}
     */
    public final void awaitCompletion() {
        Awaiting.await(this, Deadline.NEVER);
    }

    /**
     * Waits at most the given time, as {@link #await()}. Tasks that the waiting thread runs meanwhile are
     * not cut short, so the call can return later.
     *
     * @param timeout the longest wait
     * @return true if the event is complete, false if the time ran out first
     * @throws TaskFailedException if the event failed; the cause is {@link #failure()}
     * @throws IllegalStateException as {@link #await()}
     */
    public final boolean await(Duration timeout) {
        Arguments.required(timeout, "timeout", kind(), name);
        if (!Awaiting.await(this, Deadline.in(timeout, graph.scheduler()))) {
            return false;
        }
        throwIfFailed();
        return true;
    }

    /**
     * Waits as {@link #await()}, but gives up after a time with the reason why the event is not complete.
     *
     * @param limit the longest wait; tasks that the waiting thread runs meanwhile are not cut short
     * @throws StalledException if the time ran out; the message is the chain or cycle of tasks, queues and
     *     threads that holds the event up, with their stacks
     * @throws TaskFailedException if the event failed; the cause is {@link #failure()}
     * @throws IllegalStateException as {@link #await()}
     */
    public void awaitOrExplain(Duration limit) {
        Arguments.required(limit, "limit", kind(), name);
        if (!await(limit)) {
            throw new StalledException(limit, StallGraph.explain(this, Thread.currentThread()));
        }
    }

    /**
     * Says why the event is not complete: what it waits for, what that waits for, and so on through tasks, queues and
     * threads, and whether that is a cycle. For debugging; it takes the stacks of threads.
     *
     * @return the explanation, a snapshot that is not atomic
     */
    public StallExplanation explain() {
        return StallGraph.explain(this, null);
    }

    /**
     * Delays the completion of this event until another event is complete too. If that one fails, this
     * event fails.
     *
     * <p>For a task's event: only from inside its running body (on the thread that runs it). For a manual
     * event: only before it is triggered.
     *
     * <p>A circle is looked for from both ends at once, so the call takes as long as the smaller of two needs: what the
     * other event waits for, and what waits for this one. Chains of any length cost the same for each link.
     *
     * @param other the event to wait for; may be complete already
     * @throws IllegalStateException if called at any other time; the message names the event
     * @throws IllegalArgumentException if the other event is this one, waits for this one, or belongs to
     *     another graph
     */
    public final void dontCompleteUntil(GraphEvent other) {
        Arguments.required(other, "other", kind(), name);
        if (other == this) {
            throw new IllegalArgumentException(kind() + " '" + name
                    + "' cannot wait for its own completion; give dontCompleteUntil another event");
        }
        graph.requireOwn(other, "dontCompleteUntil of", this);
        if (CircleSearch.needs(other, this)) {
            throw new IllegalArgumentException(kind() + " '" + name + "' cannot wait for " + other.kind() + " '"
                    + other.name + "' to complete: that one waits for '" + name + "'; remove one of the two");
        }
        requireStillOpen();
        try {
            addChild(other);
        } catch (Error e) {
            graph.error = e;
            throw graph.stopped(e);
        }
    }

    private void addChild(GraphEvent other) {
        graph.reached(SchedulingPoint.REGISTER, name);
        CompletionGate held = gate;
        if (held == null) {
            CompletionGate fresh = new CompletionGate(this);
            held = (CompletionGate) GATE.compareAndExchange(this, (CompletionGate) null, fresh);
            held = held == null ? fresh : held;
        }
        if (held == CompletionGate.NONE || !held.reserve()) {
            throw tooLateForChildren();
        }
        held.add(other);
        graph.inheritance().inherit(other, urgency);
    }

    /**
     * Completes a manual event. If the graph was closed in the meantime the event has already failed and
     * the first call has no effect.
     *
     * @throws IllegalStateException if it was triggered or failed before, or is not a manual event
     */
    public final void trigger() {
        completeManually(null);
    }

    /**
     * Completes a manual event with a failure, which reaches the tasks behind it by their
     * {@link FailurePolicy}.
     *
     * @param failure the failure
     * @throws IllegalStateException if it was triggered or failed before, or is not a manual event
     */
    public final void fail(Throwable failure) {
        completeManually(Arguments.required(failure, "failure", kind(), name));
    }

    /**
     * A future that completes with this event: with null, or exceptionally with its {@link #failure()}. What
     * depends on the future without an executor runs on the thread that completes the event, usually a
     * worker, and must not block. Cancelling the future does not affect the event.
     *
     * <p>{@code get()} and {@code join()} of the future, not of what depends on it, wait as {@link #await()} does and explain
     * a long wait. They are not interruptible, and of a future that is completed by hand they return with the event. With a
     * timeout, also that of {@code orTimeout}, the future waits without the graph.
     *
     * @return a new future
     */
    public final CompletableFuture<@Nullable Void> toCompletableFuture() {
        return FutureAdapter.toFuture(this, () -> null);
    }

    /**
     * Checks that children may still be added.
     *
     * @throws IllegalStateException if not
     */
    abstract void requireStillOpen();

    /** What it is to the application, in one word: a task, a broadcast, or any other event. */
    abstract String kind();

    abstract void completeManually(@Nullable Throwable outcome);

    final IllegalStateException tooLateForChildren() {
        return new IllegalStateException(
                "event '" + name + "' was triggered already; call dontCompleteUntil before the trigger");
    }

    /**
     * The body has ended. Children cannot be added any more, since only the body adds them.
     *
     * @return true if nothing else holds the event back; its failure is set then
     */
    final boolean ownPartDone(@Nullable Throwable outcome) {
        CompletionGate held = gate;
        if (held == null) {
            if (outcome != null) {
                failure = outcome;
            }
            return true;
        }
        return completeOwn(held, outcome);
    }

    /** As {@link #ownPartDone}, against other threads that add children at the same time. */
    final boolean sealChildren(@Nullable Throwable outcome) {
        CompletionGate held =
                (CompletionGate) GATE.compareAndExchange(this, (CompletionGate) null, CompletionGate.NONE);
        if (held == null) {
            failure = outcome;
            return true;
        }
        return completeOwn(held, outcome);
    }

    private boolean completeOwn(CompletionGate held, @Nullable Throwable outcome) {
        if (held.completeOwn(outcome)) {
            failure = held.takeFailure(name);
            return true;
        }
        return false;
    }

    /** For the thread that is about to complete the event. */
    final void setFailure(@Nullable Throwable outcome) {
        failure = outcome;
    }

    /** What {@link #setFailure} was given, complete or not; for the thread that met the last prerequisite. */
    final @Nullable Throwable failureSoFar() {
        Object known = failure;
        return known instanceof Failure shared ? shared.thrown : (Throwable) known;
    }

    /**
     * The point of completion; the failure is set before.
     *
     * @return the subsequents, see {@link SubsequentList#closeAndTake}
     */
    final @Nullable Object complete() {
        if (failure instanceof Throwable thrown) {
            failure = graph.failures().failed(name, thrown, this instanceof Task task ? task : null);
        }
        return closeAndTake();
    }

    /**
     * Registers something to be told of the completion.
     *
     * @return false if the event is complete
     */
    boolean addSubsequent(Subsequent subsequent) {
        graph.reached(SchedulingPoint.REGISTER, name);
        return addSubsequentItem(subsequent);
    }

    /** Makes a waiter that is registered with this event, unless the event is complete already. */
    final @Nullable Waiter registerWaiter(ThreadParker parker) {
        graph.reached(SchedulingPoint.REGISTER, name);
        Waiter spare = takeSpare();
        if (spare != null) {
            spare.reuse(parker);
            return spare;
        }
        Waiter waiter = new Waiter(parker);
        return addSubsequent(waiter) ? waiter : null;
    }

    final TaskGraph graph() {
        return graph;
    }

    /** The failure of a complete event that is known to have failed. */
    final Throwable failureOfComplete() {
        return Objects.requireNonNull(failureSoFar(), "the event has not failed");
    }

    /** What a failure that follows from this complete event's holds on to. */
    final Failure[] origins() {
        Object known = failure;
        if (known instanceof Failure own) {
            return new Failure[] {own};
        }
        return known instanceof PrerequisiteFailedException further ? further.origins() : Failure.NONE;
    }

    final void throwIfFailed() {
        Throwable outcome = failure();
        if (outcome != null) {
            throw new TaskFailedException(kind(), name, outcome);
        }
    }

    /** Whether anything may hold this event back from inside, now or before. */
    final boolean hasChildren() {
        return gate != null;
    }

    /** The events that hold this one back from inside, as far as they are known. */
    final GraphEvent[] children() {
        CompletionGate held = gate;
        return held == null ? NO_EVENTS : held.children();
    }

    /** What waits for this one, see {@link SubsequentList#peek}. */
    final @Nullable Object subsequents() {
        return peek();
    }

    /** The events that this one needs first, as far as they are known; null entries count for nothing. */
    @Nullable
    GraphEvent[] inputs() {
        return children();
    }

    /** Incomplete events of which one that completes may be enough for this one. */
    GraphEvent[] alternatives() {
        return NO_EVENTS;
    }

    /** The number of the latest walk of a waiting worker that came here, or 0. */
    final int walk() {
        return walk;
    }

    /** How urgent the work for this event is, see {@link PriorityInheritance#urgency}; 0 if nobody said so. */
    final int urgency() {
        return urgency;
    }

    /** Before any other thread knows the event. */
    final void setUrgencyPlain(int value) {
        URGENCY.set(this, (byte) value);
    }

    /** Returns false if it is as urgent as that already. */
    final boolean raiseUrgency(int value) {
        while (true) {
            byte seen = urgency;
            if (seen >= value) {
                return false;
            }
            if (URGENCY.compareAndSet(this, seen, (byte) value)) {
                return true;
            }
        }
    }

    final void setWalk(int number) {
        walk = number;
    }

    @Override
    public final String toString() {
        return "GraphEvent[" + name + (isComplete() ? (outcome() != null ? ", failed]" : ", complete]") : ", pending]");
    }
}
