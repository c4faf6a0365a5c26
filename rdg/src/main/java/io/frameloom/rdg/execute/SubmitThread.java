package io.frameloom.rdg.execute;

import io.frameloom.rdg.FramePlan;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;

/**
 * The named thread that submits, as the RENDER thread sees it. Frames that nobody submits wait for ever and in silence; the
 * task graph knows who is attached, so this is told without a guess about time.
 */
final class SubmitThread {
    private static final String WAY_OUT =
            "; call TaskGraph.start for it before the first frame, or attach another thread"
                    + " that processes it, or name another one in FrameExecutorOptions";

    private final TaskGraph tasks;
    private final NamedThread thread;
    private boolean told;

    SubmitThread(TaskGraph tasks, NamedThread thread) {
        this.tasks = tasks;
        this.thread = thread;
    }

    NamedThread name() {
        return thread;
    }

    /** Tells the plan's listener if nobody is there to submit; once as long as that lasts. */
    void check(long frame, FramePlan plan) {
        boolean missing = tasks.attachedThread(thread) == null;
        if (missing && !told) {
            plan.options()
                    .diagnostics()
                    .watch()
                    .listener()
                    .notSubmitted(
                            plan.name(),
                            "frame " + frame + " of plan '" + plan.name() + "' waits for the named thread " + thread
                                    + " to submit it, and no thread is attached to " + thread + WAY_OUT);
        }
        told = missing;
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
        check(frame.number(), frame.plan());
    }
}
