package io.frameloom.taskgraph;

/**
 * The failures of work that a closed graph does not run. Immutable.
 *
 * @param graph name of the graph
 */
record Refusals(String graph) {

    TaskGraphClosedException closed(String task) {
        return new TaskGraphClosedException(
                "'" + task + "' was refused: task graph '" + graph + "' is closed; launch work before close()");
    }

    TaskGraphClosedException closedToNew(String kind, String name) {
        return new TaskGraphClosedException(
                kind + " '" + name + "' was refused: task graph '" + graph + "' is closed; ask for it before close()");
    }

    TaskGraphClosedException closedWhilePending(String task) {
        return new TaskGraphClosedException("'" + task + "' did not run: task graph '" + graph
                + "' was closed while it was pending; await it before close()");
    }

    TaskGraphClosedException closedUnpumped(String task, NamedThread thread) {
        return new TaskGraphClosedException("'" + task + "' did not run: task graph '" + graph
                + "' was closed while nobody processed the queue of " + thread + "; process it before close()");
    }
}
