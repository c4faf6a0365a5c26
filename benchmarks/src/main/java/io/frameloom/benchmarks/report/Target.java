package io.frameloom.benchmarks.report;

import org.jspecify.annotations.Nullable;

/**
 * What one of our rows is held against.
 *
 * @param what the target in words
 * @param shape the shape of our row
 * @param body the body of our row; empty when null
 * @param workers the workers of our row
 * @param contender who of us
 * @param parameter the further quantity of our row, or null
 * @param metric what is compared
 * @param target the number
 * @param rival whom a ratio is against; the best one of the same mode when null
 */
record Target(
        String what,
        String shape,
        @Nullable String body,
        int workers,
        String contender,
        @Nullable Integer parameter,
        Metric metric,
        double target,
        @Nullable String rival) {}
