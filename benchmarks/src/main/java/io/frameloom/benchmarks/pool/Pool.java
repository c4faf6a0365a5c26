package io.frameloom.benchmarks.pool;

import io.frameloom.benchmarks.dag.NodeBody;
import java.util.List;
import java.util.function.IntFunction;

/** Threads that take single tasks. */
public interface Pool extends AutoCloseable {
    /** Makes each contender with the given number of threads, ours first. */
    List<IntFunction<Pool>> ALL = List.of(FrameloomPool::new, ForkJoin::new, FixedThreads::new);

    /** The rival with one first-come-first-served queue. */
    static Pool fixed(int workers) {
        return new FixedThreads(workers);
    }

    /** The name in results. */
    String name();

    /** Runs the task as soon as a thread can. Called by one outside thread, or by a task. */
    void submit(NodeBody task);

    @Override
    void close();
}
