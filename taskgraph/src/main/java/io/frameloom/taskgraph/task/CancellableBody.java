package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.TaskBody;

/**
 * A body that runs unless one of its tokens was cancelled before.
 *
 * @param task its task
 * @param tokens the tokens
 * @param body the body
 */
record CancellableBody(Task task, BoundTokens tokens, TaskBody body) implements TaskBody {
    @Override
    public void run() throws Exception {
        task.requireWanted(tokens);
        body.run();
    }
}
