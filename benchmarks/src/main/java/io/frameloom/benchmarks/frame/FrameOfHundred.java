package io.frameloom.benchmarks.frame;

import io.frameloom.benchmarks.dag.Caller;
import io.frameloom.benchmarks.dag.Dag;
import io.frameloom.benchmarks.dag.Shape;
import io.frameloom.benchmarks.dag.SplitMix64;

/**
 * Ten levels of ten tasks, each waiting for three of the level before; a thousand frames are a sample.
 *
 * @param caller who launches a frame and waits for it
 */
public record FrameOfHundred(Caller caller) implements Shape {
    private static final long SEED = 0x5EED0006L;
    private static final int LEVELS = 10;
    private static final int WIDTH = 10;
    private static final int PREREQUISITES = 3;

    @Override
    public String name() {
        return caller == Caller.OUTSIDE ? "frame" : "frame-inside";
    }

    @Override
    public int runsPerSample() {
        return 1_000;
    }

    @Override
    public Dag dag() {
        SplitMix64 random = new SplitMix64(SEED);
        Dag.Builder builder = new Dag.Builder(LEVELS * WIDTH, (LEVELS - 1) * WIDTH * PREREQUISITES);
        int[] prerequisites = new int[PREREQUISITES];
        for (int level = 0; level < LEVELS; level++) {
            for (int node = 0; node < WIDTH; node++) {
                int count = level == 0 ? 0 : PREREQUISITES;
                random.distinctBelow(prerequisites, count, WIDTH);
                for (int index = 0; index < count; index++) {
                    prerequisites[index] += (level - 1) * WIDTH;
                }
                builder.node(prerequisites, count);
            }
        }
        return builder.build();
    }
}
