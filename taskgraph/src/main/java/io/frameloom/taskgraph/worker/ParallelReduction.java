package io.frameloom.taskgraph.worker;

import io.frameloom.taskgraph.RangeReducer;
import io.frameloom.taskgraph.TaskFailedException;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.parts.Arguments;
import io.frameloom.taskgraph.task.GraphCore;
import java.util.function.BinaryOperator;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reductions: a loop over the pieces of a range, then their values from the first to the last. So the result does not
 * depend on who computed which piece, nor on how many did. Static procedures of any thread.
 */
public final class ParallelReduction {
    private static final String KIND = "parallelReduce";

    private ParallelReduction() {}

    /** As {@link TaskGraph#parallelReduceToLong}. */
    public static long toLong(
            GraphCore graph,
            String name,
            int count,
            int grain,
            long identity,
            RangeReducer.ToLong body,
            LongBinaryOperator combine) {
        check(name, body, combine);
        long[] parts = new long[ParallelForJob.pieces(KIND, name, count, grain)];
        ParallelForJob.run(
                graph, KIND, name, count, grain, (from, to, slot) -> parts[from / grain] = body.reduce(from, to));
        long result = parts.length == 0 ? identity : parts[0];
        try {
            for (int i = 1; i < parts.length; i++) {
                result = combine.applyAsLong(result, parts[i]);
            }
        } catch (Throwable t) {
            throw new TaskFailedException(KIND, name, t);
        }
        return result;
    }

    /** As {@link TaskGraph#parallelReduceToDouble}. */
    public static double toDouble(
            GraphCore graph,
            String name,
            int count,
            int grain,
            double identity,
            RangeReducer.ToDouble body,
            DoubleBinaryOperator combine) {
        check(name, body, combine);
        double[] parts = new double[ParallelForJob.pieces(KIND, name, count, grain)];
        ParallelForJob.run(
                graph, KIND, name, count, grain, (from, to, slot) -> parts[from / grain] = body.reduce(from, to));
        double result = parts.length == 0 ? identity : parts[0];
        try {
            for (int i = 1; i < parts.length; i++) {
                result = combine.applyAsDouble(result, parts[i]);
            }
        } catch (Throwable t) {
            throw new TaskFailedException(KIND, name, t);
        }
        return result;
    }

    /** As {@link TaskGraph#parallelReduce}. */
    @SuppressWarnings({"unchecked", "NullAway"}) // the body has made all parts
    public static <T> T toObject(
            GraphCore graph,
            String name,
            int count,
            int grain,
            T identity,
            RangeReducer<? extends T> body,
            BinaryOperator<T> combine) {
        check(name, body, combine);
        Arguments.required(identity, "identity", KIND, name);
        @Nullable Object[] parts = new @Nullable Object[ParallelForJob.pieces(KIND, name, count, grain)];
        ParallelForJob.run(
                graph, KIND, name, count, grain, (from, to, slot) -> parts[from / grain] = body.reduce(from, to));
        T result = parts.length == 0 ? identity : (T) parts[0];
        try {
            for (int i = 1; i < parts.length; i++) {
                result = combine.apply(result, (T) parts[i]);
            }
        } catch (Throwable t) {
            throw new TaskFailedException(KIND, name, t);
        }
        return result;
    }

    private static void check(String name, Object body, Object combine) {
        Arguments.requiredName(name, "a " + KIND);
        Arguments.required(body, "body", KIND, name);
        Arguments.required(combine, "combine", KIND, name);
    }
}
