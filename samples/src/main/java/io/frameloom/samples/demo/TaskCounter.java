package io.frameloom.samples.demo;

import io.frameloom.taskgraph.ExecutionTarget;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.RunObserver;
import io.frameloom.taskgraph.TaskObserver;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts tasks on their way to another observer. Any thread. */
final class TaskCounter implements TaskObserver {
    private final TaskObserver next;
    private final LongAdder finished = new LongAdder();

    TaskCounter(TaskObserver next) {
        this.next = next;
    }

    /** Returns how many tasks have finished. */
    long finished() {
        return finished.sum();
    }

    @Override
    public void taskStarted(GraphEvent task, ExecutionTarget target, int threadOrdinal) {
        next.taskStarted(task, target, threadOrdinal);
    }

    @Override
    public void taskStarted(String task, ExecutionTarget target, int threadOrdinal) {
        next.taskStarted(task, target, threadOrdinal);
    }

    @Override
    public void taskFinished(String task, ExecutionTarget target, int threadOrdinal, @Nullable Throwable failure) {
        finished.increment();
        next.taskFinished(task, target, threadOrdinal, failure);
    }

    @Override
    public void eventCompletes(GraphEvent event) {
        next.eventCompletes(event);
    }

    @Override
    public void threadWaits(int threadOrdinal, GraphEvent awaited) {
        next.threadWaits(threadOrdinal, awaited);
    }

    @Override
    public void threadParked(int threadOrdinal, @Nullable String waitingFor) {
        next.threadParked(threadOrdinal, waitingFor);
    }

    @Override
    public void threadUnparked(int threadOrdinal) {
        next.threadUnparked(threadOrdinal);
    }

    @Override
    public @Nullable RunObserver runStarted(String graph, int nodes) {
        return next.runStarted(graph, nodes);
    }
}
