package io.frameloom.benchmarks.priority;

import io.frameloom.benchmarks.dag.NodeBody;
import io.frameloom.benchmarks.pool.Pool;

/**
 * A pool that knows no priorities.
 *
 * @param pool runs everything in its own order
 */
record FirstComeFirstServed(Pool pool) implements PriorityPool {
    @Override
    public String name() {
        return pool.name();
    }

    @Override
    public void submit(NodeBody task) {
        pool.submit(task);
    }

    @Override
    public void submitBackground(NodeBody task) {
        pool.submit(task);
    }

    @Override
    public void close() {
        pool.close();
    }
}
