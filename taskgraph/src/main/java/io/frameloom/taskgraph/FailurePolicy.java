package io.frameloom.taskgraph;

/** What a task does when one of its prerequisites failed. */
public enum FailurePolicy {
    /**
     * The body is not run; the task's event fails with a {@link PrerequisiteFailedException} whose cause
     * is the original failure. The default.
     */
    SKIP,
    /** The body runs as if every prerequisite had succeeded; it can ask the events for their failure. */
    RUN_ANYWAY
}
