package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.RunFailedException;
import io.frameloom.taskgraph.RunObserver;
import io.frameloom.taskgraph.TaskBody;
import io.frameloom.taskgraph.TaskGraphClosedException;
import io.frameloom.taskgraph.graph.GraphParts;
import io.frameloom.taskgraph.task.GuardedObserver;
import io.frameloom.taskgraph.task.InheritedBindings;
import io.frameloom.taskgraph.task.TaskThread;
import io.frameloom.taskgraph.worker.ThreadContext;
import org.jspecify.annotations.Nullable;

/**
 * Runs the bodies of the nodes of a compiled graph: the bare call in a run in which nothing is switched off, has failed
 * or is observed, and everything else where it must be.
 *
 * <p>{@link #prepare} by the thread that begins a run, {@link #run} by the thread that took a node, {@link #end} by the
 * last participant; the gate of the run orders them. Any thread inside the gate may call {@link #refuse}.
 */
final class NodeBodies {
    private final GraphParts graph;
    private final GraphPlan plan;
    /** Dropped when the only run is over. */
    private TaskBody[] bodies;

    /** Made when something fails, is switched off or refused. */
    private volatile @Nullable RunOutcomes outcomes;

    /** The inherited values in force where the run was launched. Set before the run is published. */
    private @Nullable InheritedBindings bindings;

    private long mask;
    /** Whether bodies need more than a call. Set before what orders it before the nodes that care. */
    private boolean checked;

    /** Whether it has to be asked if bodies are to be run at all; as {@link #checked}. */
    private boolean judged;

    /** The receiver of the end of this run. Set before the run is published. */
    private @Nullable RunObserver runObserver;

    private @Nullable RunTimes times;

    NodeBodies(GraphParts graph, GraphPlan plan) {
        this.graph = graph;
        this.plan = plan;
        bodies = plan.bodies;
    }

    private RunOutcomes outcomes() {
        RunOutcomes known = outcomes;
        return known == null ? makeOutcomes() : known;
    }

    private synchronized RunOutcomes makeOutcomes() {
        RunOutcomes known = outcomes;
        if (known == null) {
            known = new RunOutcomes(plan);
            outcomes = known;
        }
        return known;
    }

    /** Forgets the run before. */
    void prepare(long switchesOn) {
        mask = switchesOn;
        bindings = TaskThread.inherited();
        RunOutcomes former = outcomes;
        if (former != null) {
            former.reset();
        }
        observe();
        judged = plan.hasFailureEdges || (plan.usedSwitches & ~switchesOn) != 0L;
        checked = judged || graph.observer() != null || plan.events != null;
    }

    private void observe() {
        GuardedObserver observer = graph.observer();
        if (observer == null) {
            return;
        }
        RunObserver receiver = observer.runStarted(plan.name, plan.nodes);
        runObserver = receiver;
        if (receiver != null) {
            RunTimes kept = times;
            if (kept == null) {
                kept = new RunTimes(plan);
                times = kept;
            }
            kept.begin(graph.nanoTime());
        }
    }

    /** What every body of the run inherits, on each thread. */
    @Nullable
    InheritedBindings bindings() {
        return bindings;
    }

    /** Runs the body of a node whose prerequisites have ended. */
    void run(int node, @Nullable ThreadContext context) {
        if (checked) {
            runChecked(node, context);
            return;
        }
        try {
            bodies[node].run();
        } catch (Throwable t) {
            failed(node, t);
        }
    }

    private void failed(int node, Throwable failure) {
        outcomes().failed(node, failure);
        judged = true;
        checked = true;
    }

    private void runChecked(int node, @Nullable ThreadContext context) {
        Throwable failure = switch (judged ? outcomes().verdict(node, mask) : RunOutcomes.Verdict.RUN) {
            case PASS -> null;
            case SKIP -> outcomes().skipped(node);
            case RUN -> runObserved(node, context);
        };
        NodeEvent event = plan.events == null ? null : plan.events[node];
        if (event != null) {
            event.complete(failure);
        }
    }

    private @Nullable Throwable runObserved(int node, @Nullable ThreadContext context) {
        GuardedObserver observer = graph.observer();
        int ordinal = context == null ? -1 : context.ordinal;
        if (observer != null) {
            observer.taskStarted(plan.name(node), plan.target(node), ordinal);
        }
        RunTimes taken = runObserver == null ? null : times;
        long begin = taken == null ? 0L : graph.nanoTime();
        Throwable failure = null;
        try {
            bodies[node].run();
        } catch (Throwable t) {
            failure = t;
            failed(node, t);
        }
        if (taken != null) {
            taken.ran(node, graph.nanoTime() - begin);
        }
        if (observer != null) {
            observer.taskFinished(plan.name(node), plan.target(node), ordinal, failure);
        }
        return failure;
    }

    /** Bodies that have not begun are skipped from now on, and the run fails if there are any. */
    void refuse(TaskGraphClosedException refusal) {
        outcomes().refuse(refusal);
        judged = true;
        checked = true;
    }

    void refuseIfClosing() {
        if (graph.isClosing() && !outcomes().isRefusing()) {
            refuse(graph.closedWhilePending(plan.name));
        }
    }

    /** Reports the end of the run to the observer. Returns its failure, or null. By the last participant. */
    @Nullable
    RunFailedException end() {
        bindings = null;
        if (plan.once) {
            bodies = GraphPlan.NO_BODIES;
            plan.dropBodies();
        }
        RunOutcomes known = outcomes;
        RunFailedException failure = known == null ? null : known.failure();
        RunObserver receiver = runObserver;
        GuardedObserver observer = graph.observer();
        RunTimes taken = times;
        if (receiver != null && observer != null && taken != null) {
            observer.runFinished(receiver, taken.profile(graph.nanoTime(), failure));
        }
        return failure;
    }
}
