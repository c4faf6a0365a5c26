package io.frameloom.taskgraph.compiled;

/**
 * What the pace of compiled runs rests on beside measurements of the runs themselves. Immutable.
 *
 * @param helpNanos work that a helper must take over to pay for its wake-up
 * @param longNanos bodies that take longer than this on average are worth any helper: their runs are shared by as many
 *     as there is work for, and every ready node is published before a body is run
 * @param overheadNanos what arrivals, deques and cache misses add to a node of a shared run, at least
 * @param hitchNanos what a single run should not be slower for the sake of trying another number of helpers
 * @param trialShare at most one part in so many of the time of runs is spent on such trials in the long run
 */
public record RunTuning(long helpNanos, long longNanos, long overheadNanos, long hitchNanos, long trialShare) {
    public static final RunTuning DEFAULT = new RunTuning(20_000L, 200L, 50L, 250_000L, 64L);
}
