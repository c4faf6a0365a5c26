package io.frameloom.taskgraph;

import java.util.concurrent.CancellationException;

/**
 * The failure of a task that did not start because its {@link CancellationToken} was cancelled, and what
 * {@link CancellationToken#throwIfCancelled()} throws inside a body. A future made from such a task counts
 * as cancelled.
 */
public final class TaskCancelledException extends CancellationException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message names the task or the token
     */
    public TaskCancelledException(String message) {
        super(message);
    }
}
