package io.frameloom.benchmarks.priority;

import io.frameloom.benchmarks.dag.NodeBody;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The JDK's way to priorities: a thread pool on a {@link PriorityBlockingQueue}, first come first served within one. */
final class PriorityQueuePool implements PriorityPool {
    private static final int CAPACITY = 1024;

    private final AtomicLong sequence = new AtomicLong();
    private final ThreadPoolExecutor pool;

    PriorityQueuePool(int workers) {
        pool = new ThreadPoolExecutor(workers, workers, 0, TimeUnit.SECONDS, new PriorityBlockingQueue<>(CAPACITY));
        pool.prestartAllCoreThreads();
    }

    @Override
    public String name() {
        return "priority-queue-pool";
    }

    @Override
    public void submit(NodeBody task) {
        pool.execute(new Ranked(task, 0, sequence.getAndIncrement()));
    }

    @Override
    public void submitBackground(NodeBody task) {
        pool.execute(new Ranked(task, 1, sequence.getAndIncrement()));
    }

    @Override
    public void close() {
        pool.shutdown();
    }

    private record Ranked(NodeBody task, int rank, long place) implements Runnable, Comparable<Ranked> {
        @Override
        public void run() {
            task.run();
        }

        @Override
        public int compareTo(Ranked other) {
            return rank != other.rank ? Integer.compare(rank, other.rank) : Long.compare(place, other.place);
        }
    }
}
