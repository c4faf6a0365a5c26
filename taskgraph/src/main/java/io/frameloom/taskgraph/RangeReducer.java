package io.frameloom.taskgraph;

/**
 * The body of {@link TaskGraph#parallelReduce}: computes one value of a contiguous piece of the index range.
 *
 * <p>Called concurrently from several threads with disjoint ranges that together cover {@code [0, count)} exactly once.
 *
 * @param <T> type of the values
 */
@FunctionalInterface
public interface RangeReducer<T> {
    /**
     * Computes the value of the indices {@code fromInclusive .. toExclusive - 1}.
     *
     * @param fromInclusive first index
     * @param toExclusive one past the last index; greater than {@code fromInclusive}
     * @return the value
     */
    T reduce(int fromInclusive, int toExclusive);

    /** The body of {@link TaskGraph#parallelReduceToLong}. */
    @FunctionalInterface
    interface ToLong {
        /**
         * As {@link RangeReducer#reduce}.
         *
         * @param fromInclusive first index
         * @param toExclusive one past the last index; greater than {@code fromInclusive}
         * @return the value
         */
        long reduce(int fromInclusive, int toExclusive);
    }

    /** The body of {@link TaskGraph#parallelReduceToDouble}. */
    @FunctionalInterface
    interface ToDouble {
        /**
         * As {@link RangeReducer#reduce}.
         *
         * @param fromInclusive first index
         * @param toExclusive one past the last index; greater than {@code fromInclusive}
         * @return the value
         */
        double reduce(int fromInclusive, int toExclusive);
    }
}
