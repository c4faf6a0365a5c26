package io.frameloom.benchmarks.micro;

import io.frameloom.taskgraph.queue.InjectionQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** The queue that tasks are injected by, against those of JCTools and the JDK. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class QueueBenchmark {
    private static final int SEGMENT = 2048;
    private static final int BATCH = 512;
    private static final Integer ITEM = 1;

    /** Which queue. */
    @Param({"frameloom", "jctools-mpmc-array", "jdk-linked"})
    public String queue = "";

    private Contender contender = new Jdk(new ConcurrentLinkedQueue<>());

    /** What the queues have in common. */
    private interface Contender {
        boolean offer(Integer item);

        @Nullable
        Integer poll();
    }

    private record Jdk(Queue<Integer> queue) implements Contender {
        @Override
        public boolean offer(Integer item) {
            return queue.offer(item);
        }

        @Override
        public @Nullable Integer poll() {
            return queue.poll();
        }
    }

    private record Ours(InjectionQueue<Integer> queue) implements Contender {
        @Override
        public boolean offer(Integer item) {
            queue.offer(item);
            return true;
        }

        @Override
        public @Nullable Integer poll() {
            return queue.poll();
        }
    }

    /** Makes the queue. */
    @Setup
    public void make() {
        contender = switch (queue) {
            case "frameloom" -> new Ours(new InjectionQueue<>(SEGMENT));
            case "jctools-mpmc-array" -> new Jdk(new MpmcVarHandleArrayQueue<>(SEGMENT));
            default -> new Jdk(new ConcurrentLinkedQueue<>());
        };
    }

    /** One thread: a batch in, the batch out. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int inAndOut() {
        Contender own = contender;
        for (int i = 0; i < BATCH; i++) {
            own.offer(ITEM);
        }
        int sum = 0;
        for (Integer item = own.poll(); item != null; item = own.poll()) {
            sum += item;
        }
        return sum;
    }

    /** Two threads, each of which puts one in and takes one out. */
    @Benchmark
    @Threads(2)
    public @Nullable Integer contended() {
        Contender own = contender;
        own.offer(ITEM);
        return own.poll();
    }
}
