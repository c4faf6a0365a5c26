package io.frameloom.taskgraph;

import io.frameloom.taskgraph.task.FollowingFailure;

/**
 * The failure of an event that failed only because something it depends on did: a task skipped by
 * {@link FailurePolicy#SKIP}, a {@code whenAll} event, or an event with a failed child.
 *
 * <p>The cause is always the <em>original</em> failure, however long the chain of skipped tasks is. If several
 * prerequisites failed, the first is the cause and the others are suppressed exceptions. Up to 32 suppressed exceptions
 * of the prerequisites' failures are taken over, and a last one names the prerequisite that has the rest. There is no
 * stack trace of its own: it would show the scheduler only.
 */
public sealed class PrerequisiteFailedException extends RuntimeException permits FollowingFailure {
    private static final long serialVersionUID = 1L;

    private final String task;
    private final String origin;

    /**
     * Creates the exception.
     *
     * @param task name of the task or event that failed in consequence
     * @param prerequisite name of its direct prerequisite or child
     * @param origin name of the task where the failure began
     * @param cause the original failure
     */
    public PrerequisiteFailedException(String task, String prerequisite, String origin, Throwable cause) {
        super(message(task, prerequisite, origin, cause), cause, true, false);
        this.task = task;
        this.origin = origin;
    }

    private static String message(String task, String prerequisite, String origin, Throwable cause) {
        String via = prerequisite.equals(origin) ? "" : " (the failure began in '" + origin + "')";
        return "'" + task + "' failed because '" + prerequisite + "' failed" + via + ": " + cause;
    }

    /**
     * The task or event that failed in consequence.
     *
     * @return its name
     */
    public String task() {
        return task;
    }

    /**
     * The task where the failure began.
     *
     * @return its name
     */
    public String origin() {
        return origin;
    }

    /** As of any exception. What the graph throws is of a class of its own, whose name says nothing to users. */
    @Override
    @SuppressWarnings("OverrideThrowableToString") // this is about the name of the class, not about the message
    public String toString() {
        return PrerequisiteFailedException.class.getName() + ": " + getMessage();
    }
}
