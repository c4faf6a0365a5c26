package io.frameloom.taskgraph;

/**
 * The failure of a run of a compiled graph. The cause is what the body of the node that failed first threw, or a {@link
 * TaskGraphClosedException}. Each further failed node adds a {@link TaskFailedException} to the suppressed exceptions.
 * Nodes that were only skipped are not listed.
 */
public final class RunFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String graph;
    private final String node;

    /**
     * Creates the exception.
     *
     * @param graph name of the compiled graph
     * @param node name of the node that failed first
     * @param further number of further failures
     * @param cause the first failure
     */
    public RunFailedException(String graph, String node, int further, Throwable cause) {
        super(
                "run of graph '" + graph + "' failed in node '" + node + "'"
                        + (further == 0 ? "" : " and in " + further + " more") + ": " + cause,
                cause);
        this.graph = graph;
        this.node = node;
    }

    /**
     * The compiled graph.
     *
     * @return its name
     */
    public String graph() {
        return graph;
    }

    /**
     * The node that failed first.
     *
     * @return its name
     */
    public String node() {
        return node;
    }
}
