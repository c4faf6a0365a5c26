package io.frameloom.taskgraph;

/**
 * What the outcome of a prerequisite means for the task after it. Set for one prerequisite with {@link
 * TaskBuilder#after(FailurePolicy, GraphEvent...)}, for the others of the task with {@link
 * TaskBuilder#onPrerequisiteFailure}; in a compiled graph with {@link GraphNode#after(FailurePolicy, GraphNode...)}.
 *
 * <p>The policies of all prerequisites are weighed when the last of them is complete. A failure under SKIP fails the
 * task; otherwise a success under RUN_ON_FAILURE makes it unneeded; otherwise the body runs.
 */
public enum FailurePolicy {
    /**
     * The body is not run; the task's event fails with a {@link PrerequisiteFailedException} whose cause
     * is the original failure. The default.
     */
    SKIP,
    /**
     * The body runs as if every prerequisite had succeeded; it can ask the events for their failure. A failure that no
     * code asks for goes to the {@link TaskGraphBuilder#uncaughtHandler uncaught handler}.
     */
    RUN_ANYWAY,
    /**
     * The body runs only if the prerequisite failed. If it succeeded, the task's event completes without running the
     * body and without a failure; {@link GraphEvent#wasSkipped()} is true. With several such prerequisites all must
     * fail. For a task that runs if any of several fails, make their {@link TaskGraph#whenAll(String, GraphEvent...)
     * whenAll} the prerequisite.
     */
    RUN_ON_FAILURE
}
