package io.frameloom.benchmarks.micro;

import io.frameloom.taskgraph.IdlePolicy;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskBody;
import io.frameloom.taskgraph.TaskGraph;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A foreign thread sends one task to another thread and waits: two hops, with the default idle policy. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class HopBenchmark {
    private final TaskGraph graph = TaskGraph.builder()
            .name("hop")
            .workers(1)
            .idlePolicy(IdlePolicy.adaptive())
            .build();
    private final ExecutorService single = Executors.newSingleThreadExecutor();
    private final TaskBody body = () -> {};
    private final Runnable runnable = () -> {};

    /** Starts the render thread. */
    @Setup
    public void start() {
        graph.start(NamedThread.RENDER);
    }

    /** Ends the threads. */
    @TearDown
    public void close() {
        graph.close();
        single.shutdown();
    }

    /** Ours: to the render thread and back. */
    @Benchmark
    public void renderThreadAndBack() {
        graph.task("hop", body).on(NamedThread.RENDER).dispatch().await();
    }

    /** The rival: a single-thread executor and its future. */
    @Benchmark
    public void singleThreadExecutorAndBack() throws ExecutionException, InterruptedException {
        single.submit(runnable).get();
    }
}
