package io.frameloom.taskgraph;

import io.frameloom.taskgraph.compiled.NodeEvent;
import io.frameloom.taskgraph.compiled.RunCore;
import io.frameloom.taskgraph.stall.StallGraph;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The completion of the runs of one {@link CompiledGraph}: one object for all of them. It describes the run in
 * progress, or else the last one.
 *
 * <p>Or the completion of the one run that {@link GraphBuilder#runOnce()} has begun, or of one {@linkplain
 * GraphNode#event() node} of that. Such an event completes once and stays complete.
 *
 * <p>All methods may be called from any thread. What the bodies of a run did is visible to the thread that saw
 * that run complete.
 */
public sealed interface RunEvent permits RunCore, NodeEvent {
    /** The name of the graph, or of the node. */
    String name();

    /**
     * Whether no run is in progress; of a node, whether it has ended.
     *
     * @return true before the first run and after each; for a node, only after it
     */
    boolean isComplete();

    /**
     * How the last run ended, or how the node did. Of a node that was skipped this is the failure because of which it
     * was.
     *
     * @return the failure; null during a run, before the first, and if the last one succeeded
     */
    @Nullable
    RunFailedException failure();

    /**
     * Waits until the run in progress, or the node, is complete; returns at once if there is none. A named thread runs
     * its own nodes of the run meanwhile, and tasks of its local queue. The first other thread that waits takes part in
     * the run like the caller of {@link CompiledGraph#execute()}, then blocks; further ones only block. For a node only
     * workers take part. Not interruptible; an interrupt is kept in the thread's status.
     *
     * <p>Only the last failure is kept. If a later run fails before a waiter runs again, the waiter returns as if its
     * own run had succeeded. Code that must not miss a failure calls {@link CompiledGraph#execute()} and begins the
     * next run afterwards, or takes {@link #asEvent()} before the run ends.
     *
     * @throws RunFailedException if the run or the node failed (or, without a run in progress, the last one)
     * @throws IllegalStateException if called from inside a node of the run, or for a node that was not launched
     */
    void await();

    /**
     * Waits at most the given time, as {@link #await()}. Bodies that the waiting thread runs meanwhile are
     * not cut short, so the call can return later.
     *
     * @param timeout the longest wait
     * @return true if the run or the node is complete, false if the time ran out first
     * @throws RunFailedException if it failed
     * @throws IllegalStateException if called from inside a node of the run, or for a node that was not launched
     */
    boolean await(Duration timeout);

    /**
     * An event of the dynamic engine that completes, or fails, with the run in progress or with the node. Use it as a
     * prerequisite of tasks.
     *
     * <p>A thread that waits for this event, or for a task after it, takes no part in the run. So if all workers wait
     * for such things, no worker runs the nodes, and the wait does not end. In a task wait by {@link #await()}, which
     * takes part.
     *
     * @return the event; complete already if no run is in progress, or the node has ended
     */
    GraphEvent asEvent();

    /**
     * Explains why the run in progress is not complete: the node that holds it up, its thread with its stack and what
     * that waits for, and whether that is a cycle. For debugging; it takes the stacks of threads.
     *
     * @return the explanation, a snapshot that is not atomic; without steps if no run is in progress
     * @throws IllegalStateException for a node that was not launched
     */
    default StallExplanation explain() {
        RunCore run = this instanceof NodeEvent node ? node.run() : (RunCore) this;
        return StallGraph.explain(run.graph(), run, null);
    }
}
