package io.frameloom.benchmarks.gpu;

import java.util.Arrays;

/** The samples of one way to learn of completion, in nanoseconds. */
final class Latencies {
    private final String way;
    private final long[] nanos;
    private int count;

    Latencies(String way, int samples) {
        this.way = way;
        this.nanos = new long[samples];
    }

    void add(long sample) {
        nanos[count++] = sample;
    }

    /** Forgets the samples so far. */
    void clear() {
        count = 0;
    }

    String way() {
        return way;
    }

    int count() {
        return count;
    }

    /** Returns the nearest-rank quantile in microseconds. */
    double micros(double quantile) {
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        int rank = (int) Math.ceil(quantile * count);
        return sorted[Math.max(0, rank - 1)] / 1e3;
    }
}
