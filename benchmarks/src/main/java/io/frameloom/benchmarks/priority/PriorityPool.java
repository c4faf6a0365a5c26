package io.frameloom.benchmarks.priority;

import io.frameloom.benchmarks.dag.NodeBody;
import io.frameloom.benchmarks.pool.Pool;

/** Threads that take urgent tasks, and others. */
interface PriorityPool extends Pool {
    /** Runs the task when there is time. Called by an outside thread, or by a task. */
    void submitBackground(NodeBody task);
}
