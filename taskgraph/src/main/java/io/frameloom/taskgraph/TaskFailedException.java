package io.frameloom.taskgraph;

/**
 * Thrown to a waiter whose awaited task (or event, broadcast, {@code parallelFor} or another loop) failed. The cause is
 * the original failure.
 */
public final class TaskFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String task;

    /**
     * Creates the exception.
     *
     * @param task name of the failed task
     * @param cause its failure
     */
    public TaskFailedException(String task, Throwable cause) {
        this("task", task, cause);
    }

    /**
     * Creates the exception for anything that can be awaited.
     *
     * @param kind what it is, in one word, such as "event"
     * @param cause its failure
     */
    public TaskFailedException(String kind, String name, Throwable cause) {
        super(kind + " '" + name + "' failed: " + cause, cause);
        this.task = name;
    }

    /**
     * The failed task, event, broadcast or loop.
     *
     * @return its name
     */
    public String task() {
        return task;
    }
}
