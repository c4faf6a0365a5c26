package io.frameloom.benchmarks.buildcost;

import io.frameloom.benchmarks.dag.Dag;
import io.frameloom.benchmarks.dag.Shape;

/**
 * A root, a first layer that waits for it, and a second one: each of its tasks waits for as many
 * neighbouring tasks of the first layer as asked.
 *
 * @param edges prerequisites of each task of the second layer
 */
record Layers(int edges) implements Shape {
    private static final int FIRST = 16;
    private static final int SECOND = 10_000;

    @Override
    public String name() {
        return "layers-" + edges;
    }

    @Override
    public Dag dag() {
        Dag.Builder builder = new Dag.Builder(1 + FIRST + SECOND, FIRST + SECOND * edges);
        int root = builder.node();
        for (int node = 0; node < FIRST; node++) {
            builder.node(root);
        }
        int[] prerequisites = new int[edges];
        for (int node = 0; node < SECOND; node++) {
            for (int edge = 0; edge < edges; edge++) {
                prerequisites[edge] = 1 + (node + edge) % FIRST;
            }
            builder.node(prerequisites);
        }
        return builder.build();
    }
}
