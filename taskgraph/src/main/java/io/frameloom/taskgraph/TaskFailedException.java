package io.frameloom.taskgraph;

/** Thrown to a waiter whose awaited task (or {@code parallelFor}) failed. The cause is the original failure. */
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
        super("task '" + task + "' failed: " + cause, cause);
        this.task = task;
    }

    /**
     * The failed task.
     *
     * @return its name
     */
    public String task() {
        return task;
    }
}
