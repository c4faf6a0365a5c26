package io.frameloom.taskgraph;

/**
 * What the outcome of a prerequisite means for the task behind it. Set for one prerequisite with
 * {@link TaskBuilder#after(FailurePolicy, GraphEvent...)}, for the others of the task with
 * {@link TaskBuilder#onPrerequisiteFailure}; in a compiled graph with
 * {@link GraphNode#after(FailurePolicy, GraphNode...)}.
 *
 * <p>The policies of all prerequisites are weighed when the last of them is complete: a failure under SKIP
 * fails the task; otherwise a success under RUN_ON_FAILURE makes it unneeded; otherwise the body runs.
 */
public enum FailurePolicy {
    /**
     * The body is not run; the task's event fails with a {@link PrerequisiteFailedException} whose cause
     * is the original failure. The default.
     */
    SKIP,
    /**
     * The body runs as if every prerequisite had succeeded; it can ask the events for their failure. One that nobody asks for
     * goes to the {@link TaskGraphBuilder#uncaughtHandler uncaught handler}.
     */
    RUN_ANYWAY,
    /**
     * The body runs only if the prerequisite failed. If it succeeded, the body is not needed and not run, and
     * the task's event completes without a failure; {@link GraphEvent#wasSkipped()} tells. With several such
     * prerequisites all must fail; for one that runs if any of several fails, put it behind their
     * {@link TaskGraph#whenAll(String, GraphEvent...) whenAll}.
     */
    RUN_ON_FAILURE
}
