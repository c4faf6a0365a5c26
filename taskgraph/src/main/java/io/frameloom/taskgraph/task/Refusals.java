package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraphClosedException;
import io.frameloom.taskgraph.TaskGraphStoppedException;

/** The failures of work that a closed or stopped graph does not run. Any thread may call any method. */
public final class Refusals {
    private final GraphCore graph;

    Refusals(GraphCore graph) {
        this.graph = graph;
    }

    public TaskGraphClosedException closed(String task) {
        return refusal(
                "'" + task + "' was refused: task graph '" + graph.name() + "' is closed; launch work before close()");
    }

    public TaskGraphClosedException closedToNew(String kind, String name) {
        return refusal(kind + " '" + name + "' was refused: task graph '" + graph.name()
                + "' is closed; ask for it before close()");
    }

    public TaskGraphClosedException closedWhilePending(String task) {
        return refusal("'" + task + "' did not run: task graph '" + graph.name()
                + "' was closed while it was pending; await it before close()");
    }

    public TaskGraphClosedException closedUnpumped(String task, NamedThread thread) {
        return refusal("'" + task + "' did not run: task graph '" + graph.name()
                + "' was closed while nobody processed the queue of " + thread + "; process it before close()");
    }

    private TaskGraphClosedException refusal(String message) {
        TaskGraphStoppedException stopped = graph.failStop().failure();
        return stopped == null ? new TaskGraphClosedException(message) : stopped;
    }
}
