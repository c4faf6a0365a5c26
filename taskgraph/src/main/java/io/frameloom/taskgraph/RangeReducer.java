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
     * @return the value; not null
     */
    T reduce(int fromInclusive, int toExclusive);

    /** The body of {@link TaskGraph#parallelReduceToLong}. */
    @FunctionalInterface
    interface ToLong {
        /** As {@link RangeReducer#reduce}. */
        long reduce(int fromInclusive, int toExclusive);
    }

    /** The body of {@link TaskGraph#parallelReduceToDouble}. */
    @FunctionalInterface
    interface ToDouble {
        /** As {@link RangeReducer#reduce}. */
        double reduce(int fromInclusive, int toExclusive);
    }

    /**
     * The body of {@link TaskGraph#parallelScan}: goes on from the value of everything before a piece, and returns the
     * value with the piece.
     *
     * <p>Called concurrently from several threads with disjoint ranges: once for each with {@code write}, and before that
     * at most once without.
     *
     * @param <T> type of the values
     */
    @FunctionalInterface
    interface Scanner<T> {
        /**
         * Goes through the indices {@code fromInclusive .. toExclusive - 1}.
         *
         * @param fromInclusive first index
         * @param toExclusive one past the last index; greater than {@code fromInclusive}
         * @param before the value of the indices before these; the identity if {@code write} is false
         * @param write whether to write what is computed for each index; only the returned value matters otherwise
         * @return the value of {@code before} and these indices; not null
         */
        T scan(int fromInclusive, int toExclusive, T before, boolean write);
    }

    /** The body of {@link TaskGraph#parallelScanToLong}. */
    @FunctionalInterface
    interface ScannerToLong {
        /** As {@link Scanner#scan}. */
        long scan(int fromInclusive, int toExclusive, long before, boolean write);
    }
}
