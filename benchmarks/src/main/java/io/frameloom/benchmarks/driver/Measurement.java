package io.frameloom.benchmarks.driver;

import org.jspecify.annotations.Nullable;

/**
 * What the entrants of one group of rows are all asked to do.
 *
 * @param shape the name on the command line and in results
 * @param body kind of work of each task, in lower case
 * @param workers number of threads that execute tasks
 * @param unit what the nanoseconds are divided by, in the singular
 * @param unitsPerRun how many of them one run holds
 * @param runsPerSample the smallest number of runs that make one sample
 * @param parameter a further quantity that is varied, such as the grain; null where there is none
 */
public record Measurement(
        String shape,
        String body,
        int workers,
        String unit,
        long unitsPerRun,
        int runsPerSample,
        @Nullable Integer parameter) {
    /** A measurement without a further quantity, sampled by single runs of empty bodies. */
    public static Measurement of(String shape, int workers, String unit, long unitsPerRun) {
        return new Measurement(shape, "empty", workers, unit, unitsPerRun, 1, null);
    }
}
