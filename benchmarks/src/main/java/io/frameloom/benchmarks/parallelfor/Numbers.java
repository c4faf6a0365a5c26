package io.frameloom.benchmarks.parallelfor;

/**
 * The numbers that are summed; their sum is known, so that every loop can be checked.
 *
 * @param values small non-negative numbers
 * @param sum their sum
 */
@SuppressWarnings("ArrayRecordComponent")
record Numbers(int[] values, long sum) {
    private static final int MASK = 0xFF;

    static Numbers of(int count) {
        int[] values = new int[count];
        long sum = 0;
        for (int index = 0; index < count; index++) {
            values[index] = index & MASK;
            sum += values[index];
        }
        return new Numbers(values, sum);
    }

    /** The work of one piece. */
    long sum(int from, int to) {
        long part = 0;
        for (int index = from; index < to; index++) {
            part += values[index];
        }
        return part;
    }

    void check(long answer) {
        if (answer != sum) {
            throw new IllegalStateException("the sum is " + sum + ", not " + answer);
        }
    }
}
