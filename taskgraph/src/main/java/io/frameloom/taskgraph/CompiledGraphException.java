package io.frameloom.taskgraph;

/** A graph that cannot be compiled. The message names the nodes and resources and says what to change. */
public final class CompiledGraphException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String graph;

    /**
     * Creates the exception.
     *
     * @param graph name of the graph
     * @param problem what is wrong with it
     */
    public CompiledGraphException(String graph, String problem) {
        super("graph '" + graph + "' cannot be compiled: " + problem);
        this.graph = graph;
    }

    /**
     * The graph.
     *
     * @return its name
     */
    public String graph() {
        return graph;
    }
}
