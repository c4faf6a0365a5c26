package io.frameloom.taskgraph;

/**
 * Receives failures that no other code sees:
 * <ul>
 *   <li>of {@linkplain TaskBuilder#fireAndForget() fire-and-forget} tasks, at once;
 *   <li>of events and runs whose {@linkplain GraphEvent#failure() failure} no thread has looked at, when the graph
 *       closes or the collector finds that none can any more;
 *   <li>of a misbehaving {@link TaskObserver};
 *   <li>{@linkplain BlockingScope blocking regions} that were left open.
 * </ul>
 *
 * <p>Each failure is reported once, whatever else failed because of it. Cancelled tasks, and those that the closing of
 * the graph refuses, have not failed.
 *
 * <p>Called on the thread that found the failure, which may be one of the collector's, and possibly from several
 * threads at once. It must not block; what it throws itself is logged and otherwise ignored.
 */
@FunctionalInterface
public interface FailureHandler {
    /**
     * Takes note of a failure.
     *
     * @param task name of the failed task, or what else went wrong, such as {@code blocking region 'read' of task
     *     'load'}
     * @param failure what its body threw, why it could not run, or what was wrong
     */
    void taskFailed(String task, Throwable failure);
}
