package io.frameloom.benchmarks.driver;

import java.util.ArrayList;
import java.util.List;

/**
 * How thoroughly to measure, and with how many workers.
 *
 * @param length how many and how long samples
 * @param workers numbers of workers
 * @param workersGiven true when the user chose them
 * @param pinned whether our workers are bound to cores in whole runs
 */
public record Settings(Length length, List<Integer> workers, boolean workersGiven, boolean pinned) {
    private static final long MILLI = 1_000_000L;

    /** How many and how long samples are. */
    public enum Length {
        /** For figures to publish. */
        FULL,
        /** For a first look. */
        QUICK,
        /** To see that everybody is measured, whatever the figures. */
        TRIAL
    }

    /** Settings of a command line. */
    public Settings(boolean quick, List<Integer> workers, boolean workersGiven, boolean pinned) {
        this(quick ? Length.QUICK : Length.FULL, workers, workersGiven, pinned);
    }

    /** Returns whether samples are too few and short for figures to publish. */
    public boolean quick() {
        return length != Length.FULL;
    }

    /** How whole runs are sampled. */
    public Sampler sampler() {
        return switch (length) {
            case FULL -> new Sampler(3, 1_000, 40, 9, pinned);
            case QUICK -> new Sampler(1, 300, 10, 7, pinned);
            case TRIAL -> new Sampler(0, 2, 2, 3, pinned);
        };
    }

    /** How single latencies are sampled: how many of {@code usual} a round takes. */
    public int perRound(int usual) {
        return Math.max(usual / shorter(5, 100), 1);
    }

    /** For how long the processor time of threads without work is looked at. */
    public long idleNanos() {
        return 2_000 * MILLI / shorter(4, 20);
    }

    private int shorter(int quick, int trial) {
        return switch (length) {
            case FULL -> 1;
            case QUICK -> quick;
            case TRIAL -> trial;
        };
    }

    /** The numbers of workers of a curve: those the user chose, else the powers of two up to all processors. */
    public List<Integer> workerSweep() {
        if (workersGiven) {
            return workers;
        }
        int processors = Runtime.getRuntime().availableProcessors();
        List<Integer> sweep = new ArrayList<>();
        for (int count = 1; count < processors; count *= 2) {
            sweep.add(count);
        }
        sweep.add(processors);
        return sweep;
    }
}
