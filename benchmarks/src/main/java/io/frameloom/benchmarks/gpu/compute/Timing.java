package io.frameloom.benchmarks.gpu.compute;

import java.util.Arrays;

/** Nanoseconds of one execution over several samples. */
record Timing(double median, double min, double max, int samples) {
    static Timing of(double... nanos) {
        double[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return new Timing(sorted[sorted.length / 2], sorted[0], sorted[sorted.length - 1], sorted.length);
    }
}
