package io.frameloom.taskgraph.worker;

import io.frameloom.taskgraph.TaskBody;
import io.frameloom.taskgraph.task.Task;
import org.jspecify.annotations.Nullable;

/**
 * The part that one thread has in a broadcast; the body of a task that only this thread runs.
 *
 * @param owner the thread
 * @param body what the broadcast does on every thread
 */
public record BroadcastShare(Broadcasts broadcasts, ThreadContext owner, TaskBody body) implements TaskBody {
    @Override
    public void run() throws Exception {
        broadcasts.begun(owner);
        body.run();
    }

    /** The thread that alone may run the task, if that is an unstarted share of a broadcast; else null. */
    public static @Nullable ThreadContext ownerOf(Task task) {
        return task.body() instanceof BroadcastShare share ? share.owner : null;
    }
}
