package io.frameloom.taskgraph;

import io.frameloom.taskgraph.internal.SubsequentList;
import io.frameloom.taskgraph.internal.ThreadParker;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
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
public final class GraphEvent {
    private static final int TASK = 0;
    private static final int OPEN = 1;
    private static final int TRIGGERED = 2;
    private static final int FAILED_BY_CLOSE = 3;

    private static final VarHandle GATE;
    private static final VarHandle KIND;
    private static final VarHandle SPARE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            GATE = lookup.findVarHandle(GraphEvent.class, "gate", CompletionGate.class);
            KIND = lookup.findVarHandle(GraphEvent.class, "kind", int.class);
            SPARE = lookup.findVarHandle(GraphEvent.class, "spareWaiter", Waiter.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final TaskGraph graph;
    private final String name;
    private final @Nullable Task task;
    private final SubsequentList<Subsequent> subsequents = new SubsequentList<>();
    /** Written before the list is closed, read after it was seen closed. */
    private @Nullable Throwable failure;

    private volatile @Nullable CompletionGate gate;
    private volatile int kind;

    @SuppressWarnings("unused") // accessed through SPARE
    private volatile @Nullable Waiter spareWaiter;

    GraphEvent(TaskGraph graph, String name, @Nullable Task task) {
        this.graph = graph;
        this.name = name;
        this.task = task;
        KIND.set(this, task == null ? OPEN : TASK);
    }

    /**
     * The name of the task or event.
     *
     * @return the name
     */
    public String name() {
        return name;
    }

    /**
     * Whether the event is complete, with or without a failure.
     *
     * @return true once complete
     */
    public boolean isComplete() {
        return subsequents.isClosed();
    }

    /**
     * Whether the event is complete and failed.
     *
     * @return true once failed
     */
    public boolean isFailed() {
        return subsequents.isClosed() && failure != null;
    }

    /**
     * The failure with which the event completed.
     *
     * @return what the body threw, a {@link PrerequisiteFailedException}, a
     *     {@link TaskGraphClosedException}, or what was given to {@link #fail}; null while the event is
     *     not complete or when it succeeded
     */
    public @Nullable Throwable failure() {
        return subsequents.isClosed() ? failure : null;
    }

    /**
     * Waits until the event is complete.
     *
     * <p>A named thread runs tasks of its local queue meanwhile. A worker runs the awaited task itself if
     * nobody has started it, and before it those of its prerequisites that nobody has started; it never
     * runs anything else, and blocks when the rest is in other hands. Any other thread blocks. The wait
     * is not interruptible; an interrupt that arrives meanwhile is kept in the thread's interrupt status.
     *
     * <p>A worker that blocks is not replaced: waiting from workers for events that only other queued,
     * unrelated worker tasks trigger needs as many free workers.
     *
     * @throws TaskFailedException if the event failed; the cause is {@link #failure()}
     * @throws IllegalStateException if the wait could never end: the event needs the task that is
     *     waiting, or a task in the waiting thread's own main queue
     */
    public void await() {
        Awaiting.await(this, Deadline.NEVER);
        throwIfFailed();
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
    public boolean await(Duration timeout) {
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
     * @param other the event to wait for; may be complete already
     * @throws IllegalStateException if called at any other time; the message names the event
     * @throws IllegalArgumentException if the other event is this one, waits for this one, or belongs to
     *     another graph
     */
    public void dontCompleteUntil(GraphEvent other) {
        graph.requireOwn(other, "dontCompleteUntil of '" + name + "'");
        if (other == this || WaitGraph.needs(other, this)) {
            throw new IllegalArgumentException("'" + name + "' cannot wait for '" + other.name
                    + "' to complete: that one waits for '" + name + "'; remove one of the two");
        }
        requireStillOpen();
        graph.reached(SchedulingPoint.REGISTER, name);
        CompletionGate held = gate;
        if (held == null) {
            CompletionGate fresh = new CompletionGate(this);
            held = (CompletionGate) GATE.compareAndExchange(this, (CompletionGate) null, fresh);
            held = held == null ? fresh : held;
        }
        if (held == CompletionGate.NONE || !held.tryAdd()) {
            throw tooLateForChildren();
        }
        held.add(other, graph.completer());
    }

    /**
     * Completes a manual event. If the graph was closed in the meantime the event has already failed and
     * the first call has no effect.
     *
     * @throws IllegalStateException if it was triggered or failed before, or is not a manual event
     */
    public void trigger() {
        completeManually(null);
    }

    /**
     * Completes a manual event with a failure, which reaches the tasks behind it by their
     * {@link FailurePolicy}.
     *
     * @param failure the failure
     * @throws IllegalStateException if it was triggered or failed before, or is not a manual event
     */
    public void fail(Throwable failure) {
        completeManually(Objects.requireNonNull(failure, "failure"));
    }

    private void requireStillOpen() {
        Task own = task;
        if (own != null) {
            ThreadContext context = graph.currentContext();
            if (context == null || context.currentTask() != own) {
                throw new IllegalStateException("dontCompleteUntil of task '" + name
                        + "' must be called from inside its running body, on the thread that runs it");
            }
        } else if (kind != OPEN) {
            throw tooLateForChildren();
        }
    }

    private IllegalStateException tooLateForChildren() {
        return new IllegalStateException(
                "event '" + name + "' was triggered already; call dontCompleteUntil before the trigger");
    }

    private void completeManually(@Nullable Throwable outcome) {
        if (kind == TASK) {
            throw new IllegalStateException(
                    "'" + name
                            + "' is the event of a task and completes with it; only events made by TaskGraph.event can be triggered");
        }
        graph.reached(SchedulingPoint.COMPLETE, name);
        if (KIND.compareAndSet(this, OPEN, TRIGGERED)) {
            graph.roots().remove(this);
            finishManual(outcome);
        } else if (!KIND.compareAndSet(this, FAILED_BY_CLOSE, TRIGGERED)) {
            throw new IllegalStateException("event '" + name + "' was triggered already; an event completes once");
        }
    }

    /** Fails a manual event that nobody has triggered, because its graph closes. */
    void failByClose() {
        graph.roots().remove(this);
        if (KIND.compareAndSet(this, OPEN, FAILED_BY_CLOSE)) {
            finishManual(graph.refusals().closedWhilePending(name));
        }
    }

    private void finishManual(@Nullable Throwable outcome) {
        CompletionGate held =
                (CompletionGate) GATE.compareAndExchange(this, (CompletionGate) null, CompletionGate.NONE);
        Completer completer = graph.completer();
        if (held == null) {
            failure = outcome;
            completer.complete(this);
        } else if (held.completeOwn(outcome)) {
            failure = held.failure(name);
            completer.complete(this);
        }
    }

    /** The body has ended. Returns true if nothing else holds the event back; its failure is set then. */
    boolean ownPartDone(@Nullable Throwable outcome) {
        CompletionGate held = gate;
        if (held == null) {
            failure = outcome;
            return true;
        }
        if (held.completeOwn(outcome)) {
            failure = held.failure(name);
            return true;
        }
        return false;
    }

    /** For the thread that is about to complete the event. */
    void setFailure(@Nullable Throwable outcome) {
        failure = outcome;
    }

    /** The point of completion; the failure is set before. */
    void close(Completer completer) {
        subsequents.popAllAndClose(completer);
    }

    /**
     * Registers something to be told of the completion.
     *
     * @return false if the event is complete
     */
    boolean addSubsequent(Subsequent subsequent) {
        graph.reached(SchedulingPoint.REGISTER, name);
        if (kind == TASK) {
            return subsequents.add(subsequent);
        }
        PendingRoots roots = graph.roots();
        roots.add(this);
        boolean added = subsequents.add(subsequent);
        if (!added) {
            roots.remove(this);
        } else if (graph.isClosing()) {
            // The closing thread may have looked at the roots before this one was among them.
            failByClose();
        }
        return added;
    }

    /** Makes a waiter that is registered with this event, unless the event is complete already. */
    @Nullable
    Waiter registerWaiter(ThreadParker parker) {
        graph.reached(SchedulingPoint.REGISTER, name);
        Waiter spare = (Waiter) SPARE.getAndSet(this, (Waiter) null);
        if (spare != null) {
            spare.reuse(parker);
            return spare;
        }
        Waiter waiter = new Waiter(parker);
        return addSubsequent(waiter) ? waiter : null;
    }

    /** Ends a wait before the event is complete. */
    void forgetWaiter(Waiter waiter) {
        waiter.forget();
        spareWaiter = waiter;
    }

    /** Whether this is a manual event that was triggered, failed, or failed by closing. */
    boolean isTriggered() {
        return kind >= TRIGGERED;
    }

    TaskGraph graph() {
        return graph;
    }

    @Nullable
    Task task() {
        return task;
    }

    /** The failure of a complete event that is known to have failed. */
    Throwable failureOfComplete() {
        return Objects.requireNonNull(failure, "the event has not failed");
    }

    void throwIfFailed() {
        Throwable outcome = failure();
        if (outcome != null) {
            throw new TaskFailedException(name, outcome);
        }
    }

    /** The incomplete events that this one needs first, as far as they are known. */
    GraphEvent[] inputs() {
        Task own = task;
        if (own != null && !own.isReturned()) {
            return own.prerequisites();
        }
        CompletionGate held = gate;
        return held == null ? Task.NO_EVENTS : held.children();
    }

    @Override
    public String toString() {
        return "GraphEvent[" + name + (isComplete() ? (isFailed() ? ", failed]" : ", complete]") : ", pending]");
    }
}
