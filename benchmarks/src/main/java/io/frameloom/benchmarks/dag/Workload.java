package io.frameloom.benchmarks.dag;

/**
 * A graph with the work of its nodes. One body may serve many nodes.
 *
 * @param dag the graph
 * @param bodies one entry per node
 */
@SuppressWarnings("ArrayRecordComponent")
public record Workload(Dag dag, NodeBody[] bodies) {
    /** Checks that every node has a body. */
    public Workload {
        if (bodies.length != dag.nodes()) {
            throw new IllegalArgumentException(bodies.length + " bodies for " + dag.nodes() + " nodes");
        }
    }
}
