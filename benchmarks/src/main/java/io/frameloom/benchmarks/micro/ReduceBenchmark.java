package io.frameloom.benchmarks.micro;

import io.frameloom.taskgraph.IdlePolicy;
import io.frameloom.taskgraph.TaskGraph;
import java.util.Arrays;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Sums and running sums of an array of ints, by the caller and as many workers as the common pool has: ours, the JDK's
 * and a sequential loop. Each is called from an outside thread.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ReduceBenchmark {
    private static final int GRAIN = 16_384;

    private final TaskGraph graph = TaskGraph.builder()
            .name("reduce")
            .workers(ForkJoinPool.getCommonPoolParallelism())
            .idlePolicy(IdlePolicy.adaptive())
            .build();

    /** Number of values. */
    @Param({"10000", "1000000", "10000000"})
    public int count;

    private int[] values = {};
    private int[] into = {};

    /** Fills the array. */
    @Setup
    public void fill() {
        values = IntStream.range(0, count).map(i -> i * 0x9E3779B9 >>> 20).toArray();
        into = new int[count];
    }

    /** Closes the graph. */
    @TearDown
    public void close() {
        graph.close();
    }

    private long sum(int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            sum += values[i];
        }
        return sum;
    }

    /** The floor: one thread. */
    @Benchmark
    public long reduceLoop() {
        return sum(0, count);
    }

    /** Ours: the sum. */
    @Benchmark
    public long reduceFrameloom() {
        return graph.parallelReduceToLong("sum", count, GRAIN, 0, this::sum, Long::sum);
    }

    /** The rival: a parallel stream. */
    @Benchmark
    public long reduceParallelStream() {
        return Arrays.stream(values).parallel().asLongStream().sum();
    }

    /** The floor: one thread. */
    @Benchmark
    public int[] scanLoop() {
        int sum = 0;
        for (int i = 0; i < count; i++) {
            sum += values[i];
            into[i] = sum;
        }
        return into;
    }

    private long scan(int from, int to, long before, boolean write) {
        int sum = (int) before;
        for (int i = from; i < to; i++) {
            sum += values[i];
            if (write) {
                into[i] = sum;
            }
        }
        return sum;
    }

    /** Ours: running sums. */
    @Benchmark
    public long scanFrameloom() {
        return graph.parallelScanToLong("sums", count, GRAIN, 0, this::scan, Long::sum);
    }

    /** The rival, which works in place. The values change with each call, which costs nothing. */
    @Benchmark
    public int[] scanParallelPrefix() {
        Arrays.parallelPrefix(into, Integer::sum);
        return into;
    }
}
