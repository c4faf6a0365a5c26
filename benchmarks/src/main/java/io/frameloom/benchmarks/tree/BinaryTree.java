package io.frameloom.benchmarks.tree;

import io.frameloom.benchmarks.dag.Dag;
import io.frameloom.benchmarks.dag.Shape;

/**
 * A complete binary tree, each task waiting for its parent.
 *
 * @param depth number of levels
 */
public record BinaryTree(int depth) implements Shape {
    /** The published size. */
    public BinaryTree() {
        this(17);
    }

    @Override
    public String name() {
        return "tree";
    }

    @Override
    public Dag dag() {
        int nodes = (1 << depth) - 1;
        Dag.Builder builder = new Dag.Builder(nodes, nodes - 1);
        builder.node();
        for (int node = 1; node < nodes; node++) {
            builder.node((node - 1) / 2);
        }
        return builder.build();
    }
}
