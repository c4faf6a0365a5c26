package io.frameloom.taskgraph;

import io.frameloom.taskgraph.task.TokenState;

/**
 * Cancels tasks whose work is not wanted any more.
 *
 * <p>A task that is bound to a token ({@link TaskBuilder#cancelledBy}) looks at it once, immediately before its body.
 * If the token is cancelled the body does not run and the task fails with {@link TaskCancelledException}, which reaches
 * the tasks after it by their {@link FailurePolicy}. A body that runs is never interrupted; a long one asks {@link
 * #isCancelled()} or {@link #throwIfCancelled()} from time to time.
 *
 * <p><b>Order.</b> Cancelling never completes an event early. A task that still waits for prerequisites, for its turn
 * in a {@link Pipe} or for its thread fails when it would have started. So everything before a complete event is still
 * complete, and a task that releases resources after a cancelled one cannot overtake what still uses them. The
 * {@linkplain TaskBuilder#delay delay} of a task ends when its token is cancelled, and what was kept for it is
 * released.
 *
 * <p><b>Cost.</b> Cancelling costs one write, however many tasks are bound. Each graph with delayed tasks among them
 * costs a message to its timer. A token keeps no task and no graph alive.
 *
 * <p>All methods may be called from any thread. A token can serve any number of tasks of any number of graphs. The
 * cancellation is one volatile write and a task's look at it one volatile read: a task that starts after {@link
 * #cancel()} has returned does not run its body, and sees what the canceller did before.
 */
public final class CancellationToken {
    final TokenState state;

    /** A token that is not cancelled. */
    public CancellationToken() {
        this(new TokenState(null));
    }

    private CancellationToken(TokenState state) {
        this.state = state;
    }

    /**
     * Creates a token that is cancelled with this one, and can be cancelled without it.
     *
     * @return the new token
     */
    public CancellationToken child() {
        return new CancellationToken(new TokenState(state));
    }

    /** Cancels, for good. Calling it again does nothing. */
    public void cancel() {
        state.cancel();
    }

    /**
     * Whether this token, or the one it is a child of, was cancelled.
     *
     * @return true from the cancellation on
     */
    public boolean isCancelled() {
        return state.isCancelled();
    }

    /**
     * Ends the calling body if the token was cancelled.
     *
     * @throws TaskCancelledException if it was
     */
    public void throwIfCancelled() {
        if (isCancelled()) {
            throw new TaskCancelledException("cancelled by its token while it ran");
        }
    }

    @Override
    public String toString() {
        return "CancellationToken[" + (isCancelled() ? "cancelled]" : "not cancelled]");
    }
}
