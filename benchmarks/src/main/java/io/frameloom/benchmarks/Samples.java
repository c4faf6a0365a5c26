package io.frameloom.benchmarks;

import java.util.Arrays;

/** Times of one contender, in nanoseconds per task. */
final class Samples {
    private final double[] values;
    private int count;

    Samples(int capacity) {
        values = new double[capacity];
    }

    void add(double nanosPerTask) {
        values[count++] = nanosPerTask;
    }

    /** The value below which the given part of the samples lies. */
    double quantile(double part) {
        double[] sorted = Arrays.copyOf(values, count);
        Arrays.sort(sorted);
        double position = part * (count - 1);
        int below = (int) position;
        int above = Math.min(below + 1, count - 1);
        return sorted[below] + (sorted[above] - sorted[below]) * (position - below);
    }

    double median() {
        return quantile(0.5);
    }

    double min() {
        return quantile(0);
    }

    double halfInterquartileRange() {
        return (quantile(0.75) - quantile(0.25)) / 2;
    }
}
