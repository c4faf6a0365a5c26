package io.frameloom.taskgraph;

/**
 * A body that runs unless its token was cancelled before.
 *
 * @param task its task
 * @param token the token
 * @param body the body
 */
record CancellableBody(Task task, CancellationToken token, TaskBody body) implements TaskBody {
    @Override
    public void run() throws Exception {
        task.requireWanted(token);
        body.run();
    }
}
