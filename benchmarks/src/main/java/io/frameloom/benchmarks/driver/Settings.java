package io.frameloom.benchmarks.driver;

import java.util.ArrayList;
import java.util.List;

/**
 * How thoroughly to measure, and with how many workers.
 *
 * @param quick few and short samples
 * @param workers numbers of workers
 * @param workersGiven true when the user chose them
 */
public record Settings(boolean quick, List<Integer> workers, boolean workersGiven) {
    private static final long MILLI = 1_000_000L;

    /** How whole runs are sampled. */
    public Sampler sampler() {
        return quick ? new Sampler(300 * MILLI, 10 * MILLI, 7) : new Sampler(2_000 * MILLI, 40 * MILLI, 25);
    }

    /** How single latencies are sampled: how many of {@code usual} a round takes. */
    public int perRound(int usual) {
        return quick ? Math.max(usual / 5, 1) : usual;
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
