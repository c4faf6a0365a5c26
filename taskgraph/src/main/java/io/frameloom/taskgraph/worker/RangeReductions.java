package io.frameloom.taskgraph.worker;

import io.frameloom.taskgraph.RangeReducer;
import io.frameloom.taskgraph.TaskFailedException;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.parts.Arguments;
import io.frameloom.taskgraph.task.GraphCore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BinaryOperator;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reductions and scans: loops over the pieces of a range. Between them the caller combines the values of the pieces
 * from the first to the last. So the result does not depend on who computed which piece, nor on how many did. Static
 * procedures of any thread.
 *
 * <p>A scan keeps in one array, by piece, what comes before it. Until that is known, the next place holds what the piece
 * comes to. Its two loops each go through the range at most once; the first leaves out the last piece, whose value is
 * not needed.
 */
public final class RangeReductions {
    private static final String REDUCE = "parallelReduce";
    private static final String SCAN = "parallelScan";
    private static final String BODY = "body";
    private static final String COMBINE = "combine";

    private RangeReductions() {}

    /** As {@link TaskGraph#parallelReduce}. */
    @SuppressWarnings("unchecked") // no other class sees the array
    public static <T> T reduce(
            GraphCore graph,
            String name,
            int count,
            int grain,
            T identity,
            RangeReducer<? extends T> body,
            BinaryOperator<T> combine) {
        check(REDUCE, name, body, combine);
        Arguments.required(identity, "identity", REDUCE, name);
        T[] values = (T[]) new Object[ParallelForJob.pieces(REDUCE, name, count, grain)];
        ParallelForJob.run(
                graph,
                REDUCE,
                name,
                count,
                grain,
                (from, to, slot) -> values[from / grain] = computed(body.reduce(from, to), BODY, REDUCE, name));
        T result = values.length == 0 ? identity : values[0];
        try {
            for (int i = 1; i < values.length; i++) {
                result = computed(combine.apply(result, values[i]), COMBINE, REDUCE, name);
            }
        } catch (Throwable t) {
            throw new TaskFailedException(REDUCE, name, t);
        }
        return result;
    }

    /** As {@link TaskGraph#parallelReduceToLong}. */
    public static long reduceToLong(
            GraphCore graph,
            String name,
            int count,
            int grain,
            long identity,
            RangeReducer.ToLong body,
            LongBinaryOperator combine) {
        check(REDUCE, name, body, combine);
        long[] values = new long[ParallelForJob.pieces(REDUCE, name, count, grain)];
        ParallelForJob.run(
                graph, REDUCE, name, count, grain, (from, to, slot) -> values[from / grain] = body.reduce(from, to));
        long result = values.length == 0 ? identity : values[0];
        try {
            for (int i = 1; i < values.length; i++) {
                result = combine.applyAsLong(result, values[i]);
            }
        } catch (Throwable t) {
            throw new TaskFailedException(REDUCE, name, t);
        }
        return result;
    }

    /** As {@link TaskGraph#parallelReduceToDouble}. */
    public static double reduceToDouble(
            GraphCore graph,
            String name,
            int count,
            int grain,
            double identity,
            RangeReducer.ToDouble body,
            DoubleBinaryOperator combine) {
        check(REDUCE, name, body, combine);
        double[] values = new double[ParallelForJob.pieces(REDUCE, name, count, grain)];
        ParallelForJob.run(
                graph, REDUCE, name, count, grain, (from, to, slot) -> values[from / grain] = body.reduce(from, to));
        double result = values.length == 0 ? identity : values[0];
        try {
            for (int i = 1; i < values.length; i++) {
                result = combine.applyAsDouble(result, values[i]);
            }
        } catch (Throwable t) {
            throw new TaskFailedException(REDUCE, name, t);
        }
        return result;
    }

    /** As {@link TaskGraph#parallelScan}. */
    @SuppressWarnings("unchecked") // no other class sees the array
    public static <T> T scan(
            GraphCore graph,
            String name,
            int count,
            int grain,
            T identity,
            RangeReducer.Scanner<T> body,
            BinaryOperator<T> combine) {
        check(SCAN, name, body, combine);
        Arguments.required(identity, "identity", SCAN, name);
        int pieces = ParallelForJob.pieces(SCAN, name, count, grain);
        T[] before = (T[]) new Object[pieces + 1];
        before[0] = identity;
        ParallelForJob.run(
                graph,
                SCAN,
                name,
                allButLast(pieces, grain),
                grain,
                (from, to, slot) ->
                        before[from / grain + 1] = computed(body.scan(from, to, identity, false), BODY, SCAN, name));
        try {
            for (int i = 1; i < pieces; i++) {
                before[i] = computed(combine.apply(before[i - 1], before[i]), COMBINE, SCAN, name);
            }
        } catch (Throwable t) {
            throw new TaskFailedException(SCAN, name, t);
        }
        ParallelForJob.run(graph, SCAN, name, count, grain, (from, to, slot) -> {
            T value = computed(body.scan(from, to, before[from / grain], true), BODY, SCAN, name);
            if (to == count) {
                before[pieces] = value;
            }
        });
        return before[pieces];
    }

    /**
     * As {@link TaskGraph#parallelScanToLong}. In the first loop the caller takes pieces from the front, so it knows what
     * comes before each and writes them at once, which integers allow: they have no rounding. Helpers take pieces from
     * the back. Each call of the loop's body takes one, so they do not meet.
     */
    public static long scanToLong(
            GraphCore graph,
            String name,
            int count,
            int grain,
            long identity,
            RangeReducer.ScannerToLong body,
            LongBinaryOperator combine) {
        check(SCAN, name, body, combine);
        int pieces = ParallelForJob.pieces(SCAN, name, count, grain);
        long[] before = new long[pieces + 1];
        before[0] = identity;
        int own = WorkerThread.currentSlot(graph);
        // Of the caller alone: no other thread has its slot.
        int[] written = new int[1];
        AtomicInteger summed = new AtomicInteger();
        ParallelForJob.run(graph, SCAN, name, allButLast(pieces, grain), grain, (from, to, slot) -> {
            boolean known = slot == own;
            int piece = known ? written[0]++ : pieces - 2 - summed.getAndIncrement();
            int begin = piece * grain;
            before[piece + 1] = body.scan(begin, begin + grain, known ? before[piece] : identity, known);
        });
        int first = written[0];
        try {
            for (int i = first + 1; i < pieces; i++) {
                before[i] = combine.applyAsLong(before[i - 1], before[i]);
            }
        } catch (Throwable t) {
            throw new TaskFailedException(SCAN, name, t);
        }
        int rest = first * grain;
        ParallelForJob.run(graph, SCAN, name, count - rest, grain, (from, to, slot) -> {
            int piece = first + from / grain;
            long value = body.scan(rest + from, rest + to, before[piece], true);
            if (piece == pieces - 1) {
                before[pieces] = value;
            }
        });
        return before[pieces];
    }

    private static void check(String kind, String name, Object body, Object combine) {
        Arguments.requiredName(name, "a " + kind);
        Arguments.required(body, "body", kind, name);
        Arguments.required(combine, "combine", kind, name);
    }

    /** A value that is missing would show in a combination elsewhere, or in what the call returns. */
    private static <T> T computed(@Nullable T value, String by, String kind, String name) {
        if (value == null) {
            throw new NullPointerException(
                    kind + " '" + name + "': " + by + " returned null; return the identity where there is nothing");
        }
        return value;
    }

    private static int allButLast(int pieces, int grain) {
        return Math.max(0, pieces - 1) * grain;
    }
}
