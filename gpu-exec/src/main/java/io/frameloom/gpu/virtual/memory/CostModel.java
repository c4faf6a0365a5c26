package io.frameloom.gpu.virtual.memory;

/**
 * The cost of simulated work on the simulated clock of its queue, in nanoseconds. The constants describe a small
 * integrated GPU: 20 GB/s of copies and fills, 1 vertex and 8 shaded texels per nanosecond, 16 invocations of a compute
 * shader per nanosecond in workgroups of 64, and a fixed overhead for every command. They order work plausibly; they
 * predict nothing.
 */
public final class CostModel {
    private static final long COMMAND_NANOS = 500;
    private static final long BYTES_PER_NANO = 20;
    private static final long VERTICES_PER_NANO = 1;
    private static final long TEXELS_PER_NANO = 8;
    private static final long NANOS_PER_GROUP = 4;
    private static final long BARRIER_NANOS = 100;

    /** The highest cost: a few hours, which no percentage makes overflow. */
    public static final long MOST_NANOS = 1L << 44;

    private CostModel() {}

    /** Returns the sum of two numbers that are not negative, or the most there is. */
    public static long sum(long one, long other) {
        long sum = one + other;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    public static long copy(long bytes) {
        return COMMAND_NANOS + bytes / BYTES_PER_NANO;
    }

    public static long raster(long draws, long vertices, long texels) {
        long commands = COMMAND_NANOS * Math.max(1, draws) + texels / TEXELS_PER_NANO;
        return sum(commands, vertices / VERTICES_PER_NANO);
    }

    public static long dispatch(long groups) {
        return COMMAND_NANOS + Math.min(MOST_NANOS, groups) * NANOS_PER_GROUP;
    }

    public static long barrier() {
        return BARRIER_NANOS;
    }
}
