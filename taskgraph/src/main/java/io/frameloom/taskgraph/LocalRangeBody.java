package io.frameloom.taskgraph;

/**
 * The body of a {@code parallelFor} that has a value for each participant. Otherwise as {@link RangeBody}.
 *
 * @param <T> type of the value
 */
@FunctionalInterface
public interface LocalRangeBody<T> {
    /**
     * Processes the indices {@code fromInclusive .. toExclusive - 1}.
     *
     * @param fromInclusive first index
     * @param toExclusive one past the last index; greater than {@code fromInclusive}
     * @param local the value of the participant, which no other body of the same {@code parallelFor} uses
     *     at the same time
     */
    void run(int fromInclusive, int toExclusive, T local);
}
