package io.frameloom.benchmarks.driver;

import java.util.Arrays;

/** Values measured for one contender, in any unit. */
public final class Samples {
    private final double[] values;
    private int count;

    /** Makes room for so many. */
    public Samples(int capacity) {
        values = new double[capacity];
    }

    /** Adds one. */
    public void add(double value) {
        values[count++] = value;
    }

    /** The value below which the given part of the samples lies. */
    public double quantile(double part) {
        double[] sorted = Arrays.copyOf(values, count);
        Arrays.sort(sorted);
        double position = part * (count - 1);
        int below = (int) position;
        int above = Math.min(below + 1, count - 1);
        return sorted[below] + (sorted[above] - sorted[below]) * (position - below);
    }

    /** The value in the middle. */
    public double median() {
        return quantile(0.5);
    }

    /** The smallest value. */
    public double min() {
        return quantile(0);
    }

    /** Half the distance between the quartiles. */
    public double halfInterquartileRange() {
        return (quantile(0.75) - quantile(0.25)) / 2;
    }
}
