package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.FailurePolicy;

/**
 * The place of a task in the list of a prerequisite that has a policy of its own.
 *
 * @param task the task after the prerequisite
 * @param policy what its outcome means
 */
public record PolicyEdge(Task task, FailurePolicy policy) implements Subsequent {
    @Override
    public CoreEvent dependent() {
        return task;
    }

    @Override
    public void prerequisiteComplete(CoreEvent prerequisite, Completer completer) {
        if (task.prerequisiteMet(prerequisite, policy)) {
            completer.ready(task);
        }
    }
}
