package io.frameloom.benchmarks.fan;

import io.frameloom.benchmarks.dag.Dag;
import io.frameloom.benchmarks.dag.Shape;

/**
 * One task, then many that wait for it, then one that waits for all of them.
 *
 * @param width number of tasks in the middle
 */
public record FanOutFanIn(int width) implements Shape {
    private static final int PUBLISHED_WIDTH = 100_000;

    /** The published size. */
    public FanOutFanIn() {
        this(PUBLISHED_WIDTH);
    }

    @Override
    public String name() {
        return width == PUBLISHED_WIDTH ? "fan" : "fan-" + width;
    }

    @Override
    public int runsPerSample() {
        return Math.max(1, PUBLISHED_WIDTH / width / 10);
    }

    @Override
    public Dag dag() {
        Dag.Builder builder = new Dag.Builder(width + 2, width * 2);
        int source = builder.node();
        int[] middle = new int[width];
        for (int node = 0; node < width; node++) {
            middle[node] = builder.node(source);
        }
        builder.node(middle);
        return builder.build();
    }
}
