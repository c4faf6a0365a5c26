package io.frameloom.benchmarks.pool;

import io.frameloom.benchmarks.dag.NodeBody;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A fixed thread pool with one shared queue. */
final class FixedThreads implements Pool {
    private final ExecutorService pool;

    FixedThreads(int workers) {
        pool = Executors.newFixedThreadPool(workers);
    }

    @Override
    public String name() {
        return "fixed-pool";
    }

    @Override
    public void submit(NodeBody task) {
        pool.execute(task);
    }

    @Override
    public void close() {
        pool.shutdown();
    }
}
