package io.frameloom.rdg.execute;

import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;

/**
 * The named thread that submits, as the RENDER thread sees it, which must not wait for what it would have to submit
 * itself.
 */
final class SubmitThread {
    private final TaskGraph tasks;
    private final NamedThread thread;

    SubmitThread(TaskGraph tasks, NamedThread thread) {
        this.tasks = tasks;
        this.thread = thread;
    }

    String name() {
        return thread.name();
    }

    /**
     * Checks that a frame that the calling thread is about to wait for can be submitted.
     *
     * @throws IllegalStateException if the calling thread would have to do that itself
     */
    void checkWait(Frame frame) {
        if (!frame.isLaunched() || frame.submitted().isComplete()) {
            return;
        }
        if (tasks.attachedThread(thread) == Thread.currentThread()) {
            throw new IllegalStateException("frame " + frame.number() + " of plan '" + frame.planName()
                    + "' can only be submitted by this thread, which is attached to " + thread
                    + " and would wait for that; process " + thread
                    + " until the frame is submitted before going on, or"
                    + " execute plans on another thread");
        }
    }
}
