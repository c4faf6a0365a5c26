package io.frameloom.benchmarks.flood;

import io.frameloom.benchmarks.dag.Dag;
import io.frameloom.benchmarks.dag.Shape;

/**
 * Tasks that wait for nothing.
 *
 * @param tasks how many
 */
public record Flood(int tasks) implements Shape {
    /** The published size. */
    public Flood() {
        this(100_000);
    }

    @Override
    public String name() {
        return "flood";
    }

    @Override
    public Dag dag() {
        Dag.Builder builder = new Dag.Builder(tasks, 0);
        for (int task = 0; task < tasks; task++) {
            builder.node();
        }
        return builder.build();
    }
}
