package io.frameloom.taskgraph;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parts of a task graph, and how they find each other: what the engine knows of a {@link TaskGraph}. Any thread may call any method. */
final class GraphParts extends GraphCore {
    private final CompiledRuns compiledRuns = new CompiledRuns();
    private final NamedLanes lanes;
    private final GraphLifecycle lifecycle;
    private final WorkerPool workers;
    private final DelayTimer timer;

    GraphParts(TaskGraphOptions options, StallWatchdog.Explainer explainer) {
        super(options, explainer);
        this.timer = new DelayTimer(this);
        this.lifecycle = new GraphLifecycle(this, options.workers());
        this.workers = new WorkerPool(this, options.workers(), options.spareWorkers(), options.reservedWorkers());
        this.lanes = new NamedLanes(this, workers.broadcasts());
    }

    /** The context of the calling thread if it executes tasks of this graph. */
    @Override
    @Nullable
    ThreadContext currentContext() {
        if (Thread.currentThread() instanceof WorkerThread worker) {
            return worker.graph == this ? worker.context : null;
        }
        return lanes.current();
    }

    DelayTimer timer() {
        return timer;
    }

    @Override
    WorkerPool workers() {
        return workers;
    }

    NamedLanes lanes() {
        return lanes;
    }

    CompiledRuns compiledRuns() {
        return compiledRuns;
    }

    GraphLifecycle lifecycle() {
        return lifecycle;
    }

    @Override
    boolean isClosing() {
        return lifecycle.isClosing();
    }

    @Override
    boolean isTerminated() {
        return lifecycle.isTerminated();
    }

    @Override
    void releaseAll() {
        lifecycle.stop();
        workers.releaseAll();
        lanes.releaseAll();
        timer.release();
        foreignWaits().releaseAll();
        compiledRuns.releaseAll();
    }

    @Override
    List<ThreadContext> attached() {
        return lanes.attached();
    }

    @Override
    boolean threadStarts(Thread thread) {
        return lifecycle.threadStarts(thread);
    }

    @Override
    void threadNotStarted(Thread thread) {
        lifecycle.threadNotStarted(thread);
    }

    @Override
    void threadsNeverStarted(int count) {
        lifecycle.threadsNeverStarted(count);
    }

    @Override
    void threadEnded() {
        lifecycle.threadEnded();
    }

    /** The graph of an event. */
    static GraphParts of(CoreEvent event) {
        return (GraphParts) event.graph();
    }
}
