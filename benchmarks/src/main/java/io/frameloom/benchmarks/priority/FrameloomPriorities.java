package io.frameloom.benchmarks.priority;

import io.frameloom.benchmarks.dag.NodeBody;
import io.frameloom.taskgraph.IdlePolicy;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.WorkerLevel;

/** Ours: the worker levels HIGH and BACKGROUND. */
final class FrameloomPriorities implements PriorityPool {
    private final TaskGraph graph;

    FrameloomPriorities(int workers) {
        graph = TaskGraph.builder()
                .name("priority")
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
        graph.task("urgent", task).on(WorkerLevel.HIGH).fireAndForget();
    }

    @Override
    public void submitBackground(NodeBody task) {
        graph.task("background", task).on(WorkerLevel.BACKGROUND).fireAndForget();
    }

    @Override
    public void close() {
        graph.close();
    }
}
