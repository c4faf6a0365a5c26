package io.frameloom.taskgraph;

/**
 * The work of one task.
 *
 * <p>Runs once, on the thread that the task's {@link ExecutionTarget} names. Whatever it throws (checked exceptions and
 * errors included) becomes the failure of the task's {@link GraphEvent}.
 */
@FunctionalInterface
public interface TaskBody {
    /**
     * Does the work.
     *
     * @throws Exception any failure; it is recorded in the task's event
     */
    void run() throws Exception;
}
