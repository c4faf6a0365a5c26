package io.frameloom.benchmarks.pool;

import io.frameloom.benchmarks.dag.NodeBody;
import java.util.concurrent.ForkJoinPool;

/** {@link ForkJoinPool#execute(Runnable)}. */
final class ForkJoin implements Pool {
    private final ForkJoinPool pool;

    ForkJoin(int workers) {
        pool = new ForkJoinPool(workers);
    }

    @Override
    public String name() {
        return "fjp";
    }

    @Override
    public void submit(NodeBody task) {
        // The other overload wants a ForkJoinTask; a body is a Runnable.
        pool.execute((Runnable) task);
    }

    @Override
    public void close() {
        pool.shutdown();
    }
}
