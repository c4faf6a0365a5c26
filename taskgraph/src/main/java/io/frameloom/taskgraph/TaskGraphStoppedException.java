package io.frameloom.taskgraph;

/**
 * A task graph has stopped because of an error in its own code: memory or stack ended inside it, a class could not be
 * linked, or it has a bug. Every wait and every later call fails with this exception. Its cause is the first error.
 * What completed before stays so: a wait for it returns at once, and a future of it has its outcome. Looks at events
 * and reports go on to work, and so do waits for something {@linkplain TaskGraph#awaitOutside outside}. What a body
 * throws never stops a graph. A stopped graph cannot be used again; close it and make a new one.
 */
public final class TaskGraphStoppedException extends TaskGraphClosedException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param graph name of the graph
     * @param error the first error
     */
    public TaskGraphStoppedException(String graph, Throwable error) {
        super("task graph '" + graph + "' has stopped because of an error in its own code (" + error
                + "); close it and make a new one");
        initCause(error);
    }
}
