package io.frameloom.taskgraph.graph;

import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.named.NamedLanes;
import io.frameloom.taskgraph.parts.TaskGraphOptions;
import io.frameloom.taskgraph.task.CoreEvent;
import io.frameloom.taskgraph.task.GraphCore;
import io.frameloom.taskgraph.task.StallWatchdog;
import io.frameloom.taskgraph.waiting.DelayTimer;
import io.frameloom.taskgraph.worker.ThreadContext;
import io.frameloom.taskgraph.worker.WorkerPool;
import io.frameloom.taskgraph.worker.WorkerThread;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a task graph, and how they find each other: the engine's view of a {@link TaskGraph}. Any thread may
 * call any method.
 */
public final class GraphParts extends GraphCore {
    private final CompiledRuns compiledRuns = new CompiledRuns();
    private final NamedLanes lanes;
    private final GraphLifecycle lifecycle;
    private final WorkerPool workers;
    private final DelayTimer timer;

    public GraphParts(TaskGraphOptions options, StallWatchdog.Explainer explainer) {
        super(options, explainer);
        this.timer = new DelayTimer(this, compiledRuns::lookAfter);
        this.lifecycle = new GraphLifecycle(this, options.workers());
        this.workers = new WorkerPool(this, options.workers(), options.spareWorkers(), options.reservedWorkers());
        this.lanes = new NamedLanes(this, workers.broadcasts());
    }

    /** The context of the calling thread if it executes tasks of this graph. */
    @Override
    public @Nullable ThreadContext currentContext() {
        if (Thread.currentThread() instanceof WorkerThread worker) {
            return worker.graph == this ? worker.context : null;
        }
        return lanes.current();
    }

    public DelayTimer timer() {
        return timer;
    }

    @Override
    public WorkerPool workers() {
        return workers;
    }

    public NamedLanes lanes() {
        return lanes;
    }

    public CompiledRuns compiledRuns() {
        return compiledRuns;
    }

    public GraphLifecycle lifecycle() {
        return lifecycle;
    }

    @Override
    public void releaseAll() {
        lifecycle.stop();
        workers.releaseAll();
        lanes.releaseAll();
        timer.release();
        foreignWaits().releaseAll();
        compiledRuns.releaseAll();
    }

    @Override
    public List<ThreadContext> attached() {
        return lanes.attached();
    }

    @Override
    public boolean threadStarts(Thread thread) {
        return lifecycle.threadStarts(thread);
    }

    @Override
    public void threadNotStarted(Thread thread) {
        lifecycle.threadNotStarted(thread);
    }

    @Override
    public void threadsNeverStarted(int count) {
        lifecycle.threadsNeverStarted(count);
    }

    @Override
    public void threadEnded() {
        lifecycle.threadEnded();
    }

    public static GraphParts of(CoreEvent event) {
        return (GraphParts) event.graph();
    }
}
