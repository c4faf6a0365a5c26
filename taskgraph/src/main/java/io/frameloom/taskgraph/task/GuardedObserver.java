package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.ExecutionTarget;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.RunObserver;
import io.frameloom.taskgraph.RunProfile;
import io.frameloom.taskgraph.TaskObserver;
import org.jspecify.annotations.Nullable;

/**
 * The user's observer. Nothing that it throws reaches the engine, no matter what: also a checked exception that is
 * thrown where none is declared.
 */
public final class GuardedObserver implements TaskObserver {
    private final TaskObserver observer;
    private final GraphCore graph;

    GuardedObserver(TaskObserver observer, GraphCore graph) {
        this.observer = observer;
        this.graph = graph;
    }

    @Override
    public void taskStarted(GraphEvent task, ExecutionTarget target, int threadOrdinal) {
        try {
            observer.taskStarted(task, target, threadOrdinal);
        } catch (Throwable e) {
            graph.reportUncaught("observer of '" + task.name() + "'", e);
        }
    }

    @Override
    public void taskStarted(String task, ExecutionTarget target, int threadOrdinal) {
        try {
            observer.taskStarted(task, target, threadOrdinal);
        } catch (Throwable e) {
            graph.reportUncaught("observer of '" + task + "'", e);
        }
    }

    @Override
    public void taskFinished(String task, ExecutionTarget target, int threadOrdinal, @Nullable Throwable failure) {
        try {
            observer.taskFinished(task, target, threadOrdinal, failure);
        } catch (Throwable e) {
            graph.reportUncaught("observer of '" + task + "'", e);
        }
    }

    @Override
    public void eventCompletes(GraphEvent event) {
        try {
            observer.eventCompletes(event);
        } catch (Throwable e) {
            graph.reportUncaught("observer of '" + event.name() + "'", e);
        }
    }

    @Override
    public void threadWaits(int threadOrdinal, GraphEvent awaited) {
        try {
            observer.threadWaits(threadOrdinal, awaited);
        } catch (Throwable e) {
            graph.reportUncaught("observer of a waiting thread", e);
        }
    }

    @Override
    public void threadParked(int threadOrdinal, @Nullable String waitingFor) {
        try {
            observer.threadParked(threadOrdinal, waitingFor);
        } catch (Throwable e) {
            graph.reportUncaught("observer of a parking thread", e);
        }
    }

    @Override
    public void threadUnparked(int threadOrdinal) {
        try {
            observer.threadUnparked(threadOrdinal);
        } catch (Throwable e) {
            graph.reportUncaught("observer of a resuming thread", e);
        }
    }

    @Override
    public @Nullable RunObserver runStarted(String name, int nodes) {
        try {
            return observer.runStarted(name, nodes);
        } catch (Throwable e) {
            graph.reportUncaught("observer of a run of graph '" + name + "'", e);
            return null;
        }
    }

    public void runFinished(RunObserver receiver, RunProfile profile) {
        try {
            receiver.runFinished(profile);
        } catch (Throwable e) {
            graph.reportUncaught("observer of a run of graph '" + profile.graph() + "'", e);
        }
    }
}
