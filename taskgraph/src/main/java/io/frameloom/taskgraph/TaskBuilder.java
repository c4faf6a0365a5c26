package io.frameloom.taskgraph;

import java.util.Collection;

/**
 * Collects what a task needs, then launches it with exactly one of {@link #dispatch()}, {@link #hold()}
 * and {@link #fireAndForget()}.
 *
 * <p>Used by one thread, once. Obtained from {@link TaskGraph#task}.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class TaskBuilder {
    TaskBuilder() {}

    /**
     * Adds prerequisites: the body runs after all of them are complete. May be called several times;
     * duplicates are allowed.
     *
     * @param events the prerequisites; null entries are ignored
     * @return this
     * @throws IllegalArgumentException if an event belongs to another graph
     */
    public TaskBuilder after(@org.jspecify.annotations.Nullable GraphEvent... events) {
        throw new UnsupportedOperationException();
    }

    /**
     * Adds prerequisites, as {@link #after(GraphEvent...)}.
     *
     * @param events the prerequisites; null entries are ignored
     * @return this
     * @throws IllegalArgumentException if an event belongs to another graph
     */
    public TaskBuilder after(Collection<? extends @org.jspecify.annotations.Nullable GraphEvent> events) {
        throw new UnsupportedOperationException();
    }

    /**
     * Sets where the task runs; {@link WorkerLevel#NORMAL} unless set.
     *
     * @param target a worker level, a named thread or its local queue
     * @return this
     */
    public TaskBuilder on(ExecutionTarget target) {
        throw new UnsupportedOperationException();
    }

    /**
     * Sets the priority among the tasks of the same target; {@link TaskPriority#NORMAL} unless set.
     *
     * @param priority the priority
     * @return this
     */
    public TaskBuilder priority(TaskPriority priority) {
        throw new UnsupportedOperationException();
    }

    /**
     * Sets what happens when a prerequisite fails; {@link FailurePolicy#SKIP} unless set.
     *
     * @param policy the policy
     * @return this
     */
    public TaskBuilder onPrerequisiteFailure(FailurePolicy policy) {
        throw new UnsupportedOperationException();
    }

    /**
     * Launches the task: it runs as soon as its prerequisites are complete.
     *
     * @return the completion of the task
     * @throws TaskGraphClosedException if the graph was closed
     * @throws IllegalStateException if this builder was used before
     */
    public GraphEvent dispatch() {
        throw new UnsupportedOperationException();
    }

    /**
     * Sets the task up without letting it start.
     *
     * @return the held task
     * @throws TaskGraphClosedException if the graph was closed
     * @throws IllegalStateException if this builder was used before
     */
    public HeldTask hold() {
        throw new UnsupportedOperationException();
    }

    /**
     * Launches the task without an event. Its failure goes to the graph's
     * {@link TaskGraph.Builder#uncaughtHandler uncaught handler}.
     *
     * @throws TaskGraphClosedException if the graph was closed
     * @throws IllegalStateException if this builder was used before
     */
    public void fireAndForget() {
        throw new UnsupportedOperationException();
    }
}
