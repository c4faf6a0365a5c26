package io.frameloom.taskgraph;

/** The failures of work that a graph does not run because it is closed or has stopped. Any thread may call any method. */
final class Refusals {
    private final GraphCore graph;

    Refusals(GraphCore graph) {
        this.graph = graph;
    }

    TaskGraphClosedException closed(String task) {
        return refusal(
                "'" + task + "' was refused: task graph '" + graph.name() + "' is closed; launch work before close()");
    }

    TaskGraphClosedException closedToNew(String kind, String name) {
        return refusal(kind + " '" + name + "' was refused: task graph '" + graph.name()
                + "' is closed; ask for it before close()");
    }

    TaskGraphClosedException closedWhilePending(String task) {
        return refusal("'" + task + "' did not run: task graph '" + graph.name()
                + "' was closed while it was pending; await it before close()");
    }

    TaskGraphClosedException closedUnpumped(String task, NamedThread thread) {
        return refusal("'" + task + "' did not run: task graph '" + graph.name()
                + "' was closed while nobody processed the queue of " + thread + "; process it before close()");
    }

    private TaskGraphClosedException refusal(String message) {
        TaskGraphStoppedException stopped = graph.failStop().failure();
        return stopped == null ? new TaskGraphClosedException(message) : stopped;
    }
}
