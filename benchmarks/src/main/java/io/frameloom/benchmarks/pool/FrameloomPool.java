package io.frameloom.benchmarks.pool;

import io.frameloom.benchmarks.dag.NodeBody;
import io.frameloom.taskgraph.IdlePolicy;
import io.frameloom.taskgraph.TaskGraph;

/** Ours: fire-and-forget tasks. */
final class FrameloomPool implements Pool {
    private final TaskGraph graph;

    FrameloomPool(int workers) {
        graph = TaskGraph.builder()
                .name("pool")
                .workers(workers)
                .idlePolicy(IdlePolicy.adaptive())
                .build();
    }

    @Override
    public String name() {
        return "frameloom-dynamic";
    }

    @Override
    public void submit(NodeBody task) {
        graph.task("task", task).fireAndForget();
    }

    @Override
    public void close() {
        graph.close();
    }
}
