package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.RunEvent;
import io.frameloom.taskgraph.RunFailedException;
import io.frameloom.taskgraph.graph.GraphParts;
import io.frameloom.taskgraph.parts.Arguments;
import io.frameloom.taskgraph.parts.Deadline;
import io.frameloom.taskgraph.task.CoreEvent;
import io.frameloom.taskgraph.task.ManualEvent;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The completion of one node in the only run of its graph. Any thread may call any method, except that the thread that
 * launches calls {@link #launched}, and the one that ended the node {@link #complete}, once each.
 *
 * <p>Waits are those of the run, which end sooner: {@link #complete} stores the end, passes a full fence and wakes all
 * that wait for the run, as the end of the run does (see {@link RunCore}).
 */
public final class NodeEvent implements RunEvent {
    private final GraphParts graph;
    private final String graphName;
    private final String name;
    private volatile @Nullable RunCore run;
    private @Nullable RunFailedException failure;
    private volatile boolean complete;
    /** Guarded by this object. */
    private @Nullable ManualEvent event;

    private volatile boolean seen;

    NodeEvent(GraphParts graph, String graphName, String name) {
        this.graph = graph;
        this.graphName = graphName;
        this.name = name;
    }

    /** The node is part of a run, which others do not see yet. */
    void launched(RunCore by) {
        run = by;
    }

    /** The node has ended; before its successors are counted. */
    void complete(@Nullable Throwable cause) {
        failure = cause == null ? null : new RunFailedException(graphName, name, 0, cause);
        ManualEvent made;
        synchronized (this) {
            complete = true;
            made = event;
        }
        run().nodeCompleted();
        if (made != null) {
            trigger(made);
        }
    }

    /** A failure that code has seen before the event fails with it counts as seen. */
    private void trigger(ManualEvent made) {
        RunFailedException known = failure;
        made.tryComplete(known);
        if (known != null && (seen || run().isFailureSeen())) {
            graph.failures().see(known);
        }
    }

    public RunCore run() {
        RunCore known = run;
        if (known == null) {
            throw new IllegalStateException("node '" + name + "' of graph '" + graphName
                    + "' was not launched; call runOnce() of its builder before you wait for it");
        }
        return known;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean isComplete() {
        return complete;
    }

    @Override
    public @Nullable RunFailedException failure() {
        RunFailedException known = failureSoFar();
        if (known != null) {
            see(known);
        }
        return known;
    }

    /** With the failure of a node that of the run is seen, if it is the only one. */
    private void see(RunFailedException known) {
        seen = true;
        graph.failures().see(known);
        run().seeFailureOf(this);
    }

    /** Code has seen why the run failed. */
    void seeWithRun() {
        RunFailedException known = failureSoFar();
        if (known != null) {
            graph.failures().see(known);
        }
    }

    /** As {@link #failure()}, which counts as seeing it; null while the node has not ended. */
    @Nullable
    RunFailedException failureSoFar() {
        return complete ? failure : null;
    }

    boolean isFailureSeen() {
        return seen;
    }

    @Override
    public void await() {
        await(Deadline.NEVER);
    }

    @Override
    public boolean await(Duration timeout) {
        Arguments.required(timeout, "timeout", "node", name);
        return await(graph.deadlineIn(timeout));
    }

    private boolean await(Deadline deadline) {
        if (!run().await(deadline, this)) {
            return false;
        }
        RunFailedException known = failure();
        if (known != null) {
            throw known;
        }
        return true;
    }

    @Override
    public CoreEvent asEvent() {
        graph.requireRunning();
        ManualEvent made;
        synchronized (this) {
            made = event;
            if (made != null) {
                return made;
            }
            made = new ManualEvent(graph, name, this::reason);
            event = made;
            if (!complete) {
                return made;
            }
        }
        trigger(made);
        return made;
    }

    private String reason() {
        return run == null
                ? "comes with the end of a node of graph '" + graphName
                        + "' that was not launched; call runOnce() of its builder"
                : "comes with the end of a node of graph '" + graphName + "'";
    }

    /** Whether the end of the node triggers the event; for reports. */
    synchronized boolean triggers(CoreEvent asked) {
        return event == asked && !complete;
    }

    @Override
    public String toString() {
        return "RunEvent[" + name + " of " + graphName
                + (complete ? (failure == null ? ", complete]" : ", failed]") : ", not complete]");
    }
}
