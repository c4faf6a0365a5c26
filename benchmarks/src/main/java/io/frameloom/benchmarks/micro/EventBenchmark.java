package io.frameloom.benchmarks.micro;

import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.IdlePolicy;
import io.frameloom.taskgraph.TaskGraph;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A manual event completed and awaited by one thread: the cost of the event itself. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class EventBenchmark {
    private final TaskGraph graph = TaskGraph.builder()
            .name("event")
            .workers(1)
            .idlePolicy(IdlePolicy.adaptive())
            .build();

    /** Closes the graph. */
    @TearDown
    public void close() {
        graph.close();
    }

    /** Ours: create, trigger, await. */
    @Benchmark
    public boolean triggerAndAwait() {
        GraphEvent event = graph.event("event");
        event.trigger();
        event.await();
        return event.isComplete();
    }

    /** The rival: create, complete, join. */
    @Benchmark
    public boolean completableFutureCompleteAndJoin() {
        CompletableFuture<Boolean> future = new CompletableFuture<>();
        future.complete(Boolean.TRUE);
        return future.join();
    }
}
