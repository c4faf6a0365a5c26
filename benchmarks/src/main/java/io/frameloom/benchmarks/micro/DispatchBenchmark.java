package io.frameloom.benchmarks.micro;

import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.IdlePolicy;
import io.frameloom.taskgraph.TaskBody;
import io.frameloom.taskgraph.TaskGraph;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Independent tasks from an outside thread: one awaited round trip, and a flood. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class DispatchBenchmark {
    private static final int FLOOD = 10_000;

    private final TaskGraph graph = TaskGraph.builder()
            .name("dispatch")
            .workers(1)
            .idlePolicy(IdlePolicy.adaptive())
            .build();
    private final ForkJoinPool pool = new ForkJoinPool(1);
    private final TaskBody body = () -> {};
    private final Runnable runnable = () -> {};

    /** Closes graph and pool. */
    @TearDown
    public void close() {
        graph.close();
        pool.shutdown();
    }

    /** Ours: dispatch one task and wait for it. */
    @Benchmark
    public GraphEvent dispatchAndAwait() {
        GraphEvent event = graph.task("task", body).dispatch();
        event.await();
        return event;
    }

    /** The rival: submit one task to a fork/join pool and wait for it. */
    @Benchmark
    public ForkJoinTask<?> forkJoinSubmitAndJoin() {
        ForkJoinTask<?> task = pool.submit(runnable);
        task.join();
        return task;
    }

    /** Ours: ten thousand fire-and-forget tasks, the last one signals. */
    @Benchmark
    @OperationsPerInvocation(FLOOD)
    public void fireAndForgetFlood() throws InterruptedException {
        CountDownLatch latch = new CountDownLatch(1);
        for (int task = 1; task < FLOOD; task++) {
            graph.task("task", body).fireAndForget();
        }
        graph.task("last", latch::countDown).fireAndForget();
        latch.await();
    }

    /** The rival: ten thousand executed runnables, the last one signals. */
    @Benchmark
    @OperationsPerInvocation(FLOOD)
    public void forkJoinExecuteFlood() throws InterruptedException {
        CountDownLatch latch = new CountDownLatch(1);
        for (int task = 1; task < FLOOD; task++) {
            pool.execute(runnable);
        }
        pool.execute(latch::countDown);
        latch.await();
    }
}
