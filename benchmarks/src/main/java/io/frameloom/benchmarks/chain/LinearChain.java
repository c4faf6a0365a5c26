package io.frameloom.benchmarks.chain;

import io.frameloom.benchmarks.dag.Dag;
import io.frameloom.benchmarks.dag.Shape;

/**
 * Each task waits for the one before.
 *
 * @param length number of tasks
 */
public record LinearChain(int length) implements Shape {
    /** The published size. */
    public LinearChain() {
        this(100_000);
    }

    @Override
    public String name() {
        return "chain";
    }

    @Override
    public Dag dag() {
        Dag.Builder builder = new Dag.Builder(length, length - 1);
        int last = builder.node();
        for (int node = 1; node < length; node++) {
            last = builder.node(last);
        }
        return builder.build();
    }
}
