package io.frameloom.taskgraph;

import io.frameloom.taskgraph.parts.Arguments;
import io.frameloom.taskgraph.parts.Deadline;
import io.frameloom.taskgraph.stall.StallGraph;
import io.frameloom.taskgraph.task.CoreEvent;
import io.frameloom.taskgraph.waiting.Awaiting;
import io.frameloom.taskgraph.waiting.FutureAdapter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The completion of a task, of several events ({@link TaskGraph#whenAll}), or of anything else (a manual
 * event, {@link TaskGraph#event}).
 *
 * <p>An event completes once, with or without a failure, and stays complete. It can be a prerequisite of any number of
 * tasks of the same graph. All methods may be called from any thread unless they say otherwise. Everything before the
 * completion is visible to the thread that saw {@link #isComplete()} return true, to waiters, and to the tasks after
 * it.
 */
public sealed interface GraphEvent permits CoreEvent {
    /** The name of the task or event. */
    String name();

    /**
     * Whether the event is complete, with or without a failure.
     *
     * @return true once complete
     */
    boolean isComplete();

    /**
     * Whether the event is complete and failed. Asking counts as seeing the failure, see {@link #failure()}.
     *
     * @return true once failed
     */
    boolean isFailed();

    /**
     * Whether this is the event of a task that ended without running its body: because of the outcome of a prerequisite
     * ({@link FailurePolicy}), a cancelled token, or the closing of the graph. A skipped task need not have failed: one
     * that is not needed ({@link FailurePolicy#RUN_ON_FAILURE}) is skipped and succeeds.
     *
     * @return true if the event is complete and the body was not run
     */
    boolean wasSkipped();

    /**
     * The failure with which the event completed. It counts as seen when this or {@link #isFailed()} reports it, or
     * when a wait or a future throws it. A task that fails or runs because of it sees it, too. A failure that no thread
     * has seen goes to the {@link TaskGraphBuilder#uncaughtHandler uncaught handler}, at the latest when the graph
     * closes or the event is collected.
     *
     * @return what the body threw, a {@link PrerequisiteFailedException}, a {@link TaskGraphClosedException}, or what
     *     was given to {@link #fail}; null while the event is not complete or when it succeeded
     */
    @Nullable
    Throwable failure();

    /**
     * Waits until the event is complete.
     *
     * <p>A named thread runs tasks of its local queue meanwhile. A worker runs the awaited task itself if it has not
     * started, and before it those of its prerequisites that have not. It runs nothing else, and blocks when other
     * threads have the rest. Any other thread blocks. The wait is not interruptible; an interrupt that arrives
     * meanwhile is kept in the thread's interrupt status. An interrupt of the waiting task is kept from the tasks that
     * its thread runs meanwhile.
     *
     * <p>Unless {@link TaskGraphBuilder#priorityInheritance} is off, the work that the event needs becomes as urgent as
     * the waiting task, if that is of high priority or level. For a wait of a named thread it becomes at least as
     * urgent as a task of {@link WorkerLevel#NORMAL} with {@link TaskPriority#HIGH}. It stays so after a timeout.
     *
     * <p>A worker that blocks here is not replaced; {@link TaskGraph#beginBlocking} is for what blocks elsewhere. If
     * workers wait for events that only unrelated queued worker tasks trigger, as many more workers must be free.
     *
     * @throws TaskFailedException if the event failed; the cause is {@link #failure()}
     * @throws IllegalStateException if the wait could never end: the event needs the task that is
     *     waiting, or a task in the waiting thread's own main queue
     */
    default void await() {
        Awaiting.await((CoreEvent) this, Deadline.NEVER);
        ((CoreEvent) this).throwIfFailed();
    }

    /**
     * Waits as {@link #await()}, but does not throw if the event failed. That does not count as seeing the failure.
     *
     * @throws IllegalStateException as {@link #await()}
     */
    default void awaitCompletion() {
        Awaiting.await((CoreEvent) this, Deadline.NEVER);
    }

    /**
     * Waits at most the given time, as {@link #await()}. A task that the waiting thread runs meanwhile is not cut
     * short, so the call can return later.
     *
     * @param timeout the longest wait
     * @return true if the event is complete, false if the time ran out first
     * @throws TaskFailedException if the event failed; the cause is {@link #failure()}
     * @throws IllegalStateException as {@link #await()}
     */
    default boolean await(Duration timeout) {
        CoreEvent event = (CoreEvent) this;
        Arguments.required(timeout, "timeout", event.kind(), name());
        if (!Awaiting.await(event, event.graph().deadlineIn(timeout))) {
            return false;
        }
        event.throwIfFailed();
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
    default void awaitOrExplain(Duration limit) {
        Arguments.required(limit, "limit", ((CoreEvent) this).kind(), name());
        if (!await(limit)) {
            throw new StalledException(limit, StallGraph.explain((CoreEvent) this, Thread.currentThread()));
        }
    }

    /**
     * Explains why the event is not complete: what it waits for, what that waits for, and so on through tasks, queues
     * and threads, and whether that is a cycle. For debugging; it takes the stacks of threads.
     *
     * @return the explanation, a snapshot that is not atomic
     */
    default StallExplanation explain() {
        return StallGraph.explain((CoreEvent) this, null);
    }

    /**
     * Delays the completion of this event until another event is complete too. If that one fails, this event fails.
     *
     * <p>For a task's event: only from inside its running body (on the thread that runs it). For a manual
     * event: only before it is triggered.
     *
     * <p>A circle is looked for from both ends at once: among what the other event waits for, and among what waits for
     * this one. The call takes as long as the smaller of the two needs.
     *
     * @param other the event to wait for; may be complete already
     * @throws IllegalStateException if called at any other time; the message names the event
     * @throws IllegalArgumentException if the other event is this one, waits for this one, or belongs to another graph
     */
    void dontCompleteUntil(GraphEvent other);

    /**
     * Completes a manual event. If the graph was closed in the meantime the event has already failed and
     * the first call has no effect.
     *
     * @throws IllegalStateException if it was triggered or failed before, or is not a manual event
     */
    void trigger();

    /**
     * Completes a manual event with a failure, which reaches the tasks after it by their {@link FailurePolicy}.
     *
     * @throws IllegalStateException if it was triggered or failed before, or is not a manual event
     */
    void fail(Throwable failure);

    /**
     * A future that completes with this event: with null, or exceptionally with its {@link #failure()}. What depends on
     * the future without an executor runs on the thread that completes the event, usually a worker, and must not block.
     * Cancelling the future does not affect the event.
     *
     * <p>{@code get()} and {@code join()} of this future wait as {@link #await()} does and explain a long wait; those
     * of futures that depend on it do not. They are not interruptible. If the future is completed by hand they still
     * return only with the event. With a timeout, also that of {@code orTimeout}, the future waits without the graph.
     *
     * @return a new future
     */
    default CompletableFuture<@Nullable Void> toCompletableFuture() {
        return FutureAdapter.toFuture((CoreEvent) this, () -> null);
    }
}
