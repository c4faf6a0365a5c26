package io.frameloom.taskgraph.worker;

import io.frameloom.taskgraph.TaskFailedException;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.parts.Arguments;
import io.frameloom.taskgraph.task.GraphCore;
import java.util.function.BinaryOperator;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;

/**
 * Scans of arrays in blocks: what each block comes to, what that adds up to before each block, then the values of each
 * block. The first and the last are loops over blocks, each of which reads its part of the array once.
 *
 * <p>Blocks have one length for all, so the result does not depend on who computed which, nor on how many did. A block
 * reads a value before it writes to its place, and no place of another block, so an array can be scanned in place.
 */
public abstract sealed class ParallelScan {
    /** Values in a block: enough for the loop to cost nothing beside them, few enough for caches. */
    static final int BLOCK = 4096;

    private static final String INCLUSIVE = "parallelInclusiveScan";
    private static final String EXCLUSIVE = "parallelExclusiveScan";

    final int count;
    final int blocks;

    private ParallelScan(int count) {
        this.count = count;
        this.blocks = (int) (((long) count + BLOCK - 1) / BLOCK);
    }

    /** As {@link TaskGraph#parallelInclusiveScan(String, int[], int[], int, IntBinaryOperator)}. */
    public static void inclusive(
            GraphCore graph, String name, int[] values, int[] into, int count, IntBinaryOperator operator) {
        check(INCLUSIVE, name, values, into, operator);
        checkCount(INCLUSIVE, name, count, values.length, into.length);
        new OfInt(values, into, count, operator).run(graph, INCLUSIVE, name, false);
    }

    /** As {@link TaskGraph#parallelExclusiveScan(String, int[], int[], int, int, IntBinaryOperator)}. */
    public static int exclusive(
            GraphCore graph, String name, int[] values, int[] into, int count, int identity, IntBinaryOperator operator) {
        check(EXCLUSIVE, name, values, into, operator);
        checkCount(EXCLUSIVE, name, count, values.length, into.length);
        OfInt scan = new OfInt(values, into, count, operator);
        scan.before[0] = identity;
        scan.run(graph, EXCLUSIVE, name, true);
        return scan.before[scan.blocks];
    }

    /** As {@link TaskGraph#parallelInclusiveScan(String, long[], long[], int, LongBinaryOperator)}. */
    public static void inclusive(
            GraphCore graph, String name, long[] values, long[] into, int count, LongBinaryOperator operator) {
        check(INCLUSIVE, name, values, into, operator);
        checkCount(INCLUSIVE, name, count, values.length, into.length);
        new OfLong(values, into, count, operator).run(graph, INCLUSIVE, name, false);
    }

    /** As {@link TaskGraph#parallelExclusiveScan(String, long[], long[], int, long, LongBinaryOperator)}. */
    public static long exclusive(
            GraphCore graph, String name, long[] values, long[] into, int count, long identity, LongBinaryOperator operator) {
        check(EXCLUSIVE, name, values, into, operator);
        checkCount(EXCLUSIVE, name, count, values.length, into.length);
        OfLong scan = new OfLong(values, into, count, operator);
        scan.before[0] = identity;
        scan.run(graph, EXCLUSIVE, name, true);
        return scan.before[scan.blocks];
    }

    /** As {@link TaskGraph#parallelInclusiveScan(String, double[], double[], int, DoubleBinaryOperator)}. */
    public static void inclusive(
            GraphCore graph, String name, double[] values, double[] into, int count, DoubleBinaryOperator operator) {
        check(INCLUSIVE, name, values, into, operator);
        checkCount(INCLUSIVE, name, count, values.length, into.length);
        new OfDouble(values, into, count, operator).run(graph, INCLUSIVE, name, false);
    }

    /** As {@link TaskGraph#parallelExclusiveScan(String, double[], double[], int, double, DoubleBinaryOperator)}. */
    public static double exclusive(
            GraphCore graph, String name, double[] values, double[] into, int count, double identity, DoubleBinaryOperator operator) {
        check(EXCLUSIVE, name, values, into, operator);
        checkCount(EXCLUSIVE, name, count, values.length, into.length);
        OfDouble scan = new OfDouble(values, into, count, operator);
        scan.before[0] = identity;
        scan.run(graph, EXCLUSIVE, name, true);
        return scan.before[scan.blocks];
    }

    /** As {@link TaskGraph#parallelInclusiveScan(String, Object[], Object[], int, BinaryOperator)}. */
    public static <T> void inclusive(
            GraphCore graph, String name, T[] values, T[] into, int count, BinaryOperator<T> operator) {
        check(INCLUSIVE, name, values, into, operator);
        checkCount(INCLUSIVE, name, count, values.length, into.length);
        new OfObject<>(values, into, count, operator).run(graph, INCLUSIVE, name, false);
    }

    /** As {@link TaskGraph#parallelExclusiveScan(String, Object[], Object[], int, Object, BinaryOperator)}. */
    public static <T> T exclusive(
            GraphCore graph, String name, T[] values, T[] into, int count, T identity, BinaryOperator<T> operator) {
        check(EXCLUSIVE, name, values, into, operator);
        Arguments.required(identity, "identity", EXCLUSIVE, name);
        checkCount(EXCLUSIVE, name, count, values.length, into.length);
        OfObject<T> scan = new OfObject<>(values, into, count, operator);
        scan.before[0] = identity;
        scan.run(graph, EXCLUSIVE, name, true);
        return scan.before[scan.blocks];
    }

    private static void check(String kind, String name, Object values, Object into, Object operator) {
        Arguments.requiredName(name, "a " + kind);
        Arguments.required(values, "values", kind, name);
        Arguments.required(into, "into", kind, name);
        Arguments.required(operator, "operator", kind, name);
    }

    private static void checkCount(String kind, String name, int count, int values, int into) {
        if (count < 0 || count > values || count > into) {
            throw new IllegalArgumentException(kind + " '" + name + "': count must be from 0 to the length of both arrays, "
                    + values + " and " + into + ", but is " + count);
        }
    }

    final void run(GraphCore graph, String kind, String name, boolean exclusive) {
        // What the last block comes to is not needed.
        int summed = Math.max(0, blocks - 1) * BLOCK;
        ParallelForJob.run(graph, kind, name, summed, BLOCK, (from, to, slot) -> sum(from / BLOCK, from, to));
        try {
            addUp(exclusive);
        } catch (Throwable t) {
            throw new TaskFailedException(kind, name, t);
        }
        ParallelForJob.run(graph, kind, name, count, BLOCK, (from, to, slot) -> {
            if (exclusive) {
                writeExclusive(from / BLOCK, from, to);
            } else {
                writeInclusive(from / BLOCK, from, to);
            }
        });
    }

    /** Computes what a block comes to. */
    abstract void sum(int block, int from, int to);

    /** Computes what comes before each block. */
    abstract void addUp(boolean exclusive);

    abstract void writeInclusive(int block, int from, int to);

    abstract void writeExclusive(int block, int from, int to);

    private static final class OfInt extends ParallelScan {
        private final int[] values;
        private final int[] into;
        private final IntBinaryOperator operator;
        /** By block, what comes before it; before that is known, at the next place what the block comes to. */
        private final int[] before;

        OfInt(int[] values, int[] into, int count, IntBinaryOperator operator) {
            super(count);
            this.values = values;
            this.into = into;
            this.operator = operator;
            this.before = new int[blocks + 1];
        }

        @Override
        void sum(int block, int from, int to) {
            int sum = values[from];
            for (int i = from + 1; i < to; i++) {
                sum = operator.applyAsInt(sum, values[i]);
            }
            before[block + 1] = sum;
        }

        @Override
        void addUp(boolean exclusive) {
            for (int block = exclusive ? 1 : 2; block < blocks; block++) {
                before[block] = operator.applyAsInt(before[block - 1], before[block]);
            }
        }

        @Override
        void writeInclusive(int block, int from, int to) {
            int sum = block == 0 ? values[0] : operator.applyAsInt(before[block], values[from]);
            into[from] = sum;
            for (int i = from + 1; i < to; i++) {
                sum = operator.applyAsInt(sum, values[i]);
                into[i] = sum;
            }
        }

        @Override
        void writeExclusive(int block, int from, int to) {
            int sum = before[block];
            for (int i = from; i < to; i++) {
                int value = values[i];
                into[i] = sum;
                sum = operator.applyAsInt(sum, value);
            }
            if (block == blocks - 1) {
                before[blocks] = sum;
            }
        }
    }

    private static final class OfLong extends ParallelScan {
        private final long[] values;
        private final long[] into;
        private final LongBinaryOperator operator;
        /** By block, what comes before it; before that is known, at the next place what the block comes to. */
        private final long[] before;

        OfLong(long[] values, long[] into, int count, LongBinaryOperator operator) {
            super(count);
            this.values = values;
            this.into = into;
            this.operator = operator;
            this.before = new long[blocks + 1];
        }

        @Override
        void sum(int block, int from, int to) {
            long sum = values[from];
            for (int i = from + 1; i < to; i++) {
                sum = operator.applyAsLong(sum, values[i]);
            }
            before[block + 1] = sum;
        }

        @Override
        void addUp(boolean exclusive) {
            for (int block = exclusive ? 1 : 2; block < blocks; block++) {
                before[block] = operator.applyAsLong(before[block - 1], before[block]);
            }
        }

        @Override
        void writeInclusive(int block, int from, int to) {
            long sum = block == 0 ? values[0] : operator.applyAsLong(before[block], values[from]);
            into[from] = sum;
            for (int i = from + 1; i < to; i++) {
                sum = operator.applyAsLong(sum, values[i]);
                into[i] = sum;
            }
        }

        @Override
        void writeExclusive(int block, int from, int to) {
            long sum = before[block];
            for (int i = from; i < to; i++) {
                long value = values[i];
                into[i] = sum;
                sum = operator.applyAsLong(sum, value);
            }
            if (block == blocks - 1) {
                before[blocks] = sum;
            }
        }
    }

    private static final class OfDouble extends ParallelScan {
        private final double[] values;
        private final double[] into;
        private final DoubleBinaryOperator operator;
        /** By block, what comes before it; before that is known, at the next place what the block comes to. */
        private final double[] before;

        OfDouble(double[] values, double[] into, int count, DoubleBinaryOperator operator) {
            super(count);
            this.values = values;
            this.into = into;
            this.operator = operator;
            this.before = new double[blocks + 1];
        }

        @Override
        void sum(int block, int from, int to) {
            double sum = values[from];
            for (int i = from + 1; i < to; i++) {
                sum = operator.applyAsDouble(sum, values[i]);
            }
            before[block + 1] = sum;
        }

        @Override
        void addUp(boolean exclusive) {
            for (int block = exclusive ? 1 : 2; block < blocks; block++) {
                before[block] = operator.applyAsDouble(before[block - 1], before[block]);
            }
        }

        @Override
        void writeInclusive(int block, int from, int to) {
            double sum = block == 0 ? values[0] : operator.applyAsDouble(before[block], values[from]);
            into[from] = sum;
            for (int i = from + 1; i < to; i++) {
                sum = operator.applyAsDouble(sum, values[i]);
                into[i] = sum;
            }
        }

        @Override
        void writeExclusive(int block, int from, int to) {
            double sum = before[block];
            for (int i = from; i < to; i++) {
                double value = values[i];
                into[i] = sum;
                sum = operator.applyAsDouble(sum, value);
            }
            if (block == blocks - 1) {
                before[blocks] = sum;
            }
        }
    }

    private static final class OfObject<T> extends ParallelScan {
        private final T[] values;
        private final T[] into;
        private final BinaryOperator<T> operator;
        /** By block, what comes before it; before that is known, at the next place what the block comes to. */
        private final T[] before;

        @SuppressWarnings("unchecked") // no other class sees the array
        OfObject(T[] values, T[] into, int count, BinaryOperator<T> operator) {
            super(count);
            this.values = values;
            this.into = into;
            this.operator = operator;
            this.before = (T[]) new Object[blocks + 1];
        }

        @Override
        void sum(int block, int from, int to) {
            T sum = values[from];
            for (int i = from + 1; i < to; i++) {
                sum = operator.apply(sum, values[i]);
            }
            before[block + 1] = sum;
        }

        @Override
        void addUp(boolean exclusive) {
            for (int block = exclusive ? 1 : 2; block < blocks; block++) {
                before[block] = operator.apply(before[block - 1], before[block]);
            }
        }

        @Override
        void writeInclusive(int block, int from, int to) {
            T sum = block == 0 ? values[0] : operator.apply(before[block], values[from]);
            into[from] = sum;
            for (int i = from + 1; i < to; i++) {
                sum = operator.apply(sum, values[i]);
                into[i] = sum;
            }
        }

        @Override
        void writeExclusive(int block, int from, int to) {
            T sum = before[block];
            for (int i = from; i < to; i++) {
                T value = values[i];
                into[i] = sum;
                sum = operator.apply(sum, value);
            }
            if (block == blocks - 1) {
                before[blocks] = sum;
            }
        }
    }
}
