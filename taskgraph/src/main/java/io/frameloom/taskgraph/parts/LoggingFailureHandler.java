package io.frameloom.taskgraph.parts;

import io.frameloom.taskgraph.FailureHandler;

/** The default receiver of failures that no other code sees: an error in the log of the platform. */
public final class LoggingFailureHandler implements FailureHandler {
    private final System.Logger log = System.getLogger("io.frameloom.taskgraph");
    private final String graph;

    public LoggingFailureHandler(String graph) {
        this.graph = graph;
    }

    @Override
    public void taskFailed(String task, Throwable failure) {
        log.log(
                System.Logger.Level.ERROR,
                "'" + task + "' of task graph '" + graph + "' failed and nobody waits for it",
                failure);
    }

    /** Logs that something was left open. No task failed by it. */
    public void leftOpen(String what, IllegalStateException reason) {
        log.log(System.Logger.Level.ERROR, what + " of graph '" + graph + "' was left open", reason);
    }
}
