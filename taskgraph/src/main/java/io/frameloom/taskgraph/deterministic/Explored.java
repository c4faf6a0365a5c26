package io.frameloom.taskgraph.deterministic;

/**
 * What an exploration without failure has covered.
 *
 * @param runs number of runs
 * @param distinctSchedules number of different schedules among them; few of them mean that the program has
 *     few threads or points at which they could be interleaved
 * @param decisions number of decisions of all runs together
 */
public record Explored(int runs, int distinctSchedules, long decisions) {}
