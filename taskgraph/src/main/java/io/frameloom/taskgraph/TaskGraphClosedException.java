package io.frameloom.taskgraph;

/**
 * A task graph was closed. Thrown when work is offered after {@link TaskGraph#close()}. It is also the failure of
 * accepted work that {@code close} found waiting: for prerequisites, for release, for a trigger, or for a named thread
 * that no thread pumps.
 */
public sealed class TaskGraphClosedException extends IllegalStateException permits TaskGraphStoppedException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message names the graph and the task
     */
    public TaskGraphClosedException(String message) {
        super(message);
    }
}
