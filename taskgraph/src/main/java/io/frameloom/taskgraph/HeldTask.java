package io.frameloom.taskgraph;

import io.frameloom.taskgraph.task.HeldStart;

/**
 * A task that was set up but does not start before its release. It starts when it has been released and its
 * prerequisites are complete.
 *
 * <p>Use it to hand out the event of a task before everything the body needs is in place. Every method
 * may be called from any thread; exactly one {@link #release()} is allowed.
 */
public sealed interface HeldTask permits HeldStart {
    /** The completion of the task; valid before the release. */
    GraphEvent event();

    /**
     * Lets the task start. If the graph was closed in the meantime the task has already failed and the
     * call has no effect.
     *
     * @throws IllegalStateException if the task was released before; the message names it
     */
    void release();
}
