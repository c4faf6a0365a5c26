package io.frameloom.taskgraph;

import org.jspecify.annotations.Nullable;

/**
 * The part that one thread has in a broadcast; the body of a task that only this thread runs.
 *
 * @param owner the thread
 * @param body what the broadcast does on every thread
 */
record BroadcastShare(Broadcasts broadcasts, ThreadContext owner, TaskBody body) implements TaskBody {
    @Override
    public void run() throws Exception {
        broadcasts.begun(owner);
        body.run();
    }

    /** The thread that alone may run the task, if that is an unstarted share of a broadcast; else null. */
    static @Nullable ThreadContext ownerOf(Task task) {
        return task.body() instanceof BroadcastShare share ? share.owner : null;
    }
}
