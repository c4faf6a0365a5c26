package io.frameloom.benchmarks.randomdag;

import io.frameloom.benchmarks.dag.Dag;
import io.frameloom.benchmarks.dag.Shape;
import io.frameloom.benchmarks.dag.SplitMix64;

/**
 * Each task waits for up to eight earlier ones, four on average, drawn from all of them.
 *
 * @param nodes number of tasks
 */
public record RandomDag(int nodes) implements Shape {
    private static final long SEED = 0x5EED0005L;
    private static final int PREREQUISITES_BELOW = 9;

    /** The published size. */
    public RandomDag() {
        this(50_000);
    }

    @Override
    public String name() {
        return "random";
    }

    @Override
    public Dag dag() {
        SplitMix64 random = new SplitMix64(SEED);
        Dag.Builder builder = new Dag.Builder(nodes, nodes * 4);
        int[] prerequisites = new int[PREREQUISITES_BELOW];
        for (int node = 0; node < nodes; node++) {
            int count = Math.min(random.below(PREREQUISITES_BELOW), node);
            random.distinctBelow(prerequisites, count, node);
            builder.node(prerequisites, count);
        }
        return builder.build();
    }
}
