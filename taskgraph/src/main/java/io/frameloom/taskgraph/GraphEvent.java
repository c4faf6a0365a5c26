package io.frameloom.taskgraph;

import java.time.Duration;
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
@SuppressWarnings("DoNotCallSuggester")
public final class GraphEvent {
    GraphEvent() {}

    /**
     * The name of the task or event.
     *
     * @return the name
     */
    public String name() {
        throw new UnsupportedOperationException();
    }

    /**
     * Whether the event is complete, with or without a failure.
     *
     * @return true once complete
     */
    public boolean isComplete() {
        throw new UnsupportedOperationException();
    }

    /**
     * Whether the event is complete and failed.
     *
     * @return true once failed
     */
    public boolean isFailed() {
        throw new UnsupportedOperationException();
    }

    /**
     * The failure with which the event completed.
     *
     * @return what the body threw, a {@link PrerequisiteFailedException}, a
     *     {@link TaskGraphClosedException}, or what was given to {@link #fail}; null while the event is
     *     not complete or when it succeeded
     */
    public @Nullable Throwable failure() {
        throw new UnsupportedOperationException();
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
        throw new UnsupportedOperationException();
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
        throw new UnsupportedOperationException();
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
        throw new UnsupportedOperationException();
    }

    /**
     * Completes a manual event. If the graph was closed in the meantime the event has already failed and
     * the first call has no effect.
     *
     * @throws IllegalStateException if it was triggered or failed before, or is not a manual event
     */
    public void trigger() {
        throw new UnsupportedOperationException();
    }

    /**
     * Completes a manual event with a failure, which reaches the tasks behind it by their
     * {@link FailurePolicy}.
     *
     * @param failure the failure
     * @throws IllegalStateException if it was triggered or failed before, or is not a manual event
     */
    public void fail(Throwable failure) {
        throw new UnsupportedOperationException();
    }
}
