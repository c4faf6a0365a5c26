package io.frameloom.benchmarks;

import io.frameloom.benchmarks.dag.BodyKind;
import io.frameloom.benchmarks.driver.Entrant;
import io.frameloom.benchmarks.driver.Measurement;
import io.frameloom.benchmarks.driver.RunBenchmark;
import io.frameloom.benchmarks.driver.Sampler;
import io.frameloom.benchmarks.driver.Session;
import io.frameloom.benchmarks.parallelfor.ParallelFor;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Whole runs of any shape by any contender. {@link Sampler} chooses among them and has JMH divide by the tasks; called by
 * {@code bench --jmh WholeRuns -p shape=...} the time is that of all runs of an invocation.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
public class WholeRuns {
    /** The name of the benchmark. */
    @Param("chain")
    public String shape = "";

    /** The kind of work of each task, as in the row. */
    @Param("empty")
    public String body = "";

    /** Number of threads that execute tasks. */
    @Param("1")
    public int workers;

    /** The further quantity, such as the grain, or the word for none. */
    @Param(Sampler.WITHOUT)
    public String parameter = "";

    /** Who runs it. */
    @Param("frameloom-dynamic")
    public String contender = "";

    private int runs;
    private @Nullable Session session;

    /** Starts the threads. */
    @Setup
    public void open() {
        RunBenchmark benchmark = one(
                Main.benchmarks(kind(body)).stream()
                        .filter(RunBenchmark.class::isInstance)
                        .map(RunBenchmark.class::cast)
                        .filter(candidate -> candidate.name().equals(shape)),
                "shape " + shape);
        Measurement measurement = one(
                benchmark.measurements(workers).stream()
                        .filter(candidate ->
                                parameter.equals(Objects.toString(candidate.parameter(), Sampler.WITHOUT))),
                "parameter " + parameter + " of " + shape);
        Entrant entrant = one(
                benchmark.entrants(measurement).stream()
                        .filter(candidate -> candidate.name().equals(contender)),
                "contender " + contender + " on " + shape);
        runs = measurement.runsPerSample();
        session = entrant.opener().get();
    }

    /** Loops, which sum up, are the same whatever the bodies of tasks are. */
    private static BodyKind kind(String body) {
        if (body.equals(ParallelFor.BODY)) {
            return BodyKind.EMPTY;
        }
        List<BodyKind> all = List.of(BodyKind.values());
        return one(
                all.stream().filter(candidate -> candidate.label().equals(body)),
                "body " + body + "; known bodies: "
                        + all.stream().map(kind -> kind.label() + ", ").collect(Collectors.joining())
                        + ParallelFor.BODY);
    }

    private static <T> T one(Stream<T> candidates, String what) {
        return candidates.findFirst().orElseThrow(() -> new IllegalArgumentException("there is no " + what));
    }

    /** As many runs as the measurement asks for at least. */
    @Benchmark
    public void run() {
        Objects.requireNonNull(session).run(runs);
    }

    /** Ends the threads. */
    @TearDown
    public void close() {
        Objects.requireNonNull(session).close();
    }
}
