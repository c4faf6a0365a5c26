package io.frameloom.taskgraph;

/**
 * Receives failures that no event carries: those of {@linkplain TaskBuilder#fireAndForget()
 * fire-and-forget} tasks, of a misbehaving {@link TaskObserver}, and {@linkplain BlockingScope blocking regions} that were left
 * open.
 *
 * <p>Called on the thread that found the failure, possibly from several threads at once. It must not
 * block; what it throws itself is logged and otherwise ignored.
 */
@FunctionalInterface
public interface FailureHandler {
    /**
     * Takes note of a failure.
     *
     * @param task name of the failed task; or words for what else went wrong, such as {@code blocking region 'read' of task
     *     'load'}
     * @param failure what its body threw, why it could not run, or what was wrong
     */
    void taskFailed(String task, Throwable failure);
}
