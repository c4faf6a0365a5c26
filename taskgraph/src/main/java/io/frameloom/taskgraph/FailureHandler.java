package io.frameloom.taskgraph;

/**
 * Receives failures that no event carries: those of {@linkplain TaskBuilder#fireAndForget()
 * fire-and-forget} tasks and of a misbehaving {@link TaskObserver}.
 *
 * <p>Called on the thread that found the failure, possibly from several threads at once. It must not
 * block; what it throws itself is logged and otherwise ignored.
 */
@FunctionalInterface
public interface FailureHandler {
    /**
     * Takes note of a failure.
     *
     * @param task name of the failed task
     * @param failure what its body threw, or why it could not run
     */
    void taskFailed(String task, Throwable failure);
}
