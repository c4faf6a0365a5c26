package io.frameloom.taskgraph;

import io.frameloom.taskgraph.compiled.GraphPlan;
import io.frameloom.taskgraph.compiled.RunCore;
import io.frameloom.taskgraph.graph.GraphParts;

/**
 * A graph with a fixed shape that is run again and again; a run allocates nothing.
 *
 * <p>One run at a time: the next may begin when the present one is complete. {@link #run()} leaves it to the workers;
 * {@link #execute()} lets the calling thread take part, which spares short runs the wake-up of a worker. Made by {@link
 * GraphBuilder#build()}. Everything that a thread did before it called {@code run} happens-before every body, and every
 * body happens-before the end of the run; each node's body happens-before those that run after it. A body may use the
 * dynamic engine (dispatch, await), but not wait for its own run.
 *
 * <p>Bodies of nodes for named threads run on these; bodies of nodes for workers run on workers of their
 * level, on the caller of {@code execute}, and on a thread that waits for the run.
 */
public final class CompiledGraph {
    /** All switches. */
    static final long ALL_ON = -1L;

    private final GraphPlan plan;
    private final RunCore core;

    CompiledGraph(GraphParts graph, GraphPlan plan) {
        this.plan = plan;
        this.core = new RunCore(graph, plan);
        graph.compiledRuns().add(core);
    }

    /** The name given to {@link TaskGraph#graphBuilder}. */
    public String name() {
        return plan.name;
    }

    /**
     * The number of nodes.
     *
     * @return 0 or more
     */
    public int nodeCount() {
        return plan.nodes;
    }

    /**
     * Begins a run with all nodes, by workers and named threads. Any thread.
     *
     * @return the completion of this graph's runs, always the same object
     * @throws IllegalStateException if a run is not complete
     * @throws TaskGraphClosedException if the task graph was closed
     */
    public RunEvent run() {
        return run(ALL_ON);
    }

    /**
     * Begins a run with those nodes whose switches are on.
     *
     * @param switchesOn a bit for every switch that is on, see {@link GraphNode#enabledBy}
     * @return the completion of this graph's runs, always the same object
     * @throws IllegalStateException if a run is not complete
     * @throws TaskGraphClosedException if the task graph was closed
     */
    public RunEvent run(long switchesOn) {
        core.start(switchesOn);
        return core;
    }

    /**
     * Runs all nodes with the calling thread taking part, and returns when the run is complete. Call it from any
     * thread: a worker inside a task, a named thread (which runs its own nodes of this graph meanwhile), or a thread
     * outside of the graph. The calling thread runs nodes of the levels HIGH and NORMAL, and BACKGROUND ones when no
     * other thread does. An interrupt is kept in the thread's status until the call returns, unless it comes while the
     * thread runs a body: then that finds it.
     *
     * @throws RunFailedException if a body failed
     * @throws IllegalStateException if a run is not complete
     * @throws TaskGraphClosedException if the task graph was closed
     */
    public void execute() {
        execute(ALL_ON);
    }

    /**
     * As {@link #execute()}, with those nodes whose switches are on.
     *
     * @param switchesOn a bit for every switch that is on, see {@link GraphNode#enabledBy}
     * @throws RunFailedException if a body failed
     * @throws IllegalStateException if a run is not complete
     * @throws TaskGraphClosedException if the task graph was closed
     */
    public void execute(long switchesOn) {
        core.execute(switchesOn);
    }

    /**
     * The completion of this graph's runs.
     *
     * @return always the same object
     */
    public RunEvent event() {
        return core;
    }

    @Override
    public String toString() {
        return "CompiledGraph[" + plan.name + ", " + plan.nodes + (plan.nodes == 1 ? " node" : " nodes")
                + (core.isComplete() ? "]" : ", running]");
    }
}
