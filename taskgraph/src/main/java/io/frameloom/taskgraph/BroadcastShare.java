package io.frameloom.taskgraph;

/**
 * The part that one thread has in a broadcast; the body of a task that only this thread runs.
 *
 * @param owner the thread
 * @param body what the broadcast does on every thread
 */
record BroadcastShare(ThreadContext owner, TaskBody body) implements TaskBody {
    @Override
    public void run() throws Exception {
        owner.graph.broadcasts().begun(owner);
        body.run();
    }
}
