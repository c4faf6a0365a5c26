package io.frameloom.taskgraph;

/**
 * Receives failures that nobody else sees: those of {@linkplain TaskBuilder#fireAndForget()
 * fire-and-forget} tasks at once; those of events and runs that nobody has {@linkplain GraphEvent#failure() looked at} when
 * the graph closes, or when the collector finds that nobody can any more; those of a misbehaving {@link TaskObserver}; and
 * {@linkplain BlockingScope blocking regions} that were left open. Each failure once, whatever else failed because
 * of it; cancelled tasks, and those that the closing of the graph refuses, have not failed.
 *
 * <p>Called on the thread that found the failure, which may be one of the collector's, and possibly from several threads at
 * once. It must not block; what it throws itself is logged and otherwise ignored.
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
