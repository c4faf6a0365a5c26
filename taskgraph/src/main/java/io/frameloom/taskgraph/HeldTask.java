package io.frameloom.taskgraph;

import io.frameloom.taskgraph.task.HeldStart;

/**
 * A task that was set up but does not start before its release. It starts when it has been released and its
 * prerequisites are complete.
 *
 * <p>Use it to hand out the event of a task before everything the body needs is in place. Every method
 * may be called from any thread; exactly one {@link #release()} is allowed.
 */
public final class HeldTask {
    private final HeldStart start;

    HeldTask(HeldStart start) {
        this.start = start;
    }

    /**
     * The completion of the task; valid before the release.
     *
     * @return the event
     */
    public GraphEvent event() {
        return start.event();
    }

    /**
     * Lets the task start. If the graph was closed in the meantime the task has already failed and the
     * call has no effect.
     *
     * @throws IllegalStateException if the task was released before; the message names it
     */
    public void release() {
        start.release();
    }
}
