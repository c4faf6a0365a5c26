package io.frameloom.taskgraph.stall;

import io.frameloom.taskgraph.ExecutionTarget;
import io.frameloom.taskgraph.WorkerLevel;
import io.frameloom.taskgraph.compiled.RunCore;
import io.frameloom.taskgraph.compiled.RunSnapshot;
import io.frameloom.taskgraph.graph.CompiledRuns;
import io.frameloom.taskgraph.graph.GraphParts;
import io.frameloom.taskgraph.named.NamedLane;
import io.frameloom.taskgraph.worker.ThreadContext;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The part of a {@link StallGraph} for runs of compiled graphs. A run needs its nodes that are ready or being run,
 * since all others come after them. Such a node needs the thread that runs it or has to. Used as that is.
 */
final class RunStalls {
    private static final int MOST_NAMES = 8;

    private final StallGraph graph;
    private final IdentityHashMap<Thread, RunCore> awaited = new IdentityHashMap<>();
    /** What a thread runs, in words. */
    private final IdentityHashMap<Thread, String> bodies = new IdentityHashMap<>();

    private final IdentityHashMap<RunCore, RunSnapshot> snapshots = new IdentityHashMap<>();

    RunStalls(StallGraph graph, GraphParts tasks) {
        this.graph = graph;
        for (CompiledRuns.Run known : tasks.compiledRuns().inProgress()) {
            RunCore event = (RunCore) known;
            RunSnapshot run = RunSnapshot.of(event.run());
            snapshots.put(event, run);
            for (int node : run.in(RunSnapshot.State.RUNNING)) {
                Thread thread = run.thread(node);
                if (thread != null) {
                    bodies.put(thread, "node " + run.name(node) + " of graph '" + event.name() + "'");
                }
            }
            for (Thread thread : event.waitingThreads()) {
                awaited.put(thread, event);
            }
        }
    }

    /** The run that the thread waits for, or null. */
    @Nullable
    RunCore awaitedBy(Thread thread) {
        return awaited.get(thread);
    }

    /** The node that the thread runs, in words, or null. */
    @Nullable
    String bodyOf(Thread thread) {
        return bodies.get(thread);
    }

    StallNode describe(RunCore event) {
        String name = event.title();
        RunSnapshot run = snapshots.get(event);
        if (run == null) {
            return new StallNode(name, "is complete by now", null, false);
        }
        int left = run.plan.nodes - run.in(RunSnapshot.State.ENDED).size();
        StallNode made = new StallNode(
                name,
                (run.notBegun ? "was not begun by anybody" : "is in progress") + "; nodes that have not ended: " + left
                        + " of " + run.plan.nodes,
                null,
                false);
        graph.later(() -> {
            StallNode[] nodes = new StallNode[run.plan.nodes];
            for (RunSnapshot.State state :
                    new RunSnapshot.State[] {RunSnapshot.State.RUNNING, RunSnapshot.State.READY, RunSnapshot.State.KEPT
                    }) {
                for (int node : run.in(state)) {
                    made.need(node(event, run, node, nodes));
                }
            }
        });
        return made;
    }

    private StallNode node(RunCore event, RunSnapshot run, int node, StallNode[] made) {
        StallNode known = made[node];
        if (known == null) {
            known = describe(event, run, node, made);
            made[node] = known;
        }
        return known;
    }

    private StallNode describe(RunCore event, RunSnapshot run, int node, StallNode[] made) {
        String name = "node " + run.name(node);
        Thread thread = run.thread(node);
        if (run.state(node) == RunSnapshot.State.RUNNING && thread != null) {
            var waiting = run.waitingFor(node);
            StallNode running = new StallNode(
                    name,
                    "is run by thread " + thread.getName()
                            + (waiting.isEmpty() ? "" : "; waiting for it: " + run.names(waiting, MOST_NAMES)),
                    null,
                    false);
            running.need(graph.threadNode(thread));
            return running;
        }
        if (run.state(node) == RunSnapshot.State.KEPT && thread != null) {
            StallNode kept =
                    new StallNode(name, "is ready for thread " + thread.getName() + " to run it next", null, false);
            kept.need(node(event, run, run.keptUntil(node), made));
            return kept;
        }
        ExecutionTarget target = run.plan.target(node);
        NamedLane lane = run.plan.laneOf(node);
        if (lane == null) {
            return graph.ready(name, (WorkerLevel) target);
        }
        ThreadContext context = lane.attached();
        boolean served = context != null && graph.awaitedRunBy(context.thread) == event;
        return graph.forNamedThread(name, "is ready", String.valueOf(target), lane, served);
    }
}
