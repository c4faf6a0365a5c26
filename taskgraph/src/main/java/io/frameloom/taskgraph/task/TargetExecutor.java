package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.ExecutionTarget;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.TaskGraphClosedException;
import io.frameloom.taskgraph.parts.Arguments;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Runs commands as fire-and-forget tasks on one target. Any thread may call it. */
public final class TargetExecutor implements Executor {
    private final TaskGraph graph;
    private final ExecutionTarget target;
    private final String taskName;

    public TargetExecutor(TaskGraph graph, ExecutionTarget target) {
        this.graph = graph;
        this.target = target;
        this.taskName = "command on " + target;
    }

    @Override
    public void execute(Runnable command) {
        Arguments.required(command, "command", "executor", target.toString());
        try {
            graph.task(taskName, command::run).on(target).fireAndForget();
        } catch (TaskGraphClosedException e) {
            throw new RejectedExecutionException(e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return "Executor[" + target + " of task graph '" + graph.name() + "']";
    }
}
