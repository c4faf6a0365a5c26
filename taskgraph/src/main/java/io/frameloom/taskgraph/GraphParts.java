package io.frameloom.taskgraph;

import org.jspecify.annotations.Nullable;

/** The parts of a task graph, and how they find each other: what the engine knows of a {@link TaskGraph}. Any thread may call any method. */
final class GraphParts extends GraphCore {
    private final ForeignWaits foreignWaits = new ForeignWaits();
    private final CompiledRuns compiledRuns = new CompiledRuns();
    private final NamedLanes lanes;
    private final GraphLifecycle lifecycle;
    private final WorkerPool workers;
    private final PriorityInheritance inheritance;
    private final DelayTimer timer;
    private final StallWatchdog stalls;
    private final Broadcasts broadcasts = new Broadcasts(this);

    GraphParts(TaskGraphOptions options, StallWatchdog.Explainer explainer) {
        super(options);
        this.stalls = new StallWatchdog(this, options.stallLimit(), options.stallListener(), explainer);
        this.timer = new DelayTimer(this);
        this.lanes = new NamedLanes(this);
        this.lifecycle = new GraphLifecycle(this, options.workers());
        this.inheritance = new PriorityInheritance(this, options.priorityInheritance());
        this.workers = new WorkerPool(this, options.workers(), options.spareWorkers(), options.reservedWorkers());
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

    /** A number of its own for every worker, the last slot for all other threads. */
    int currentSlot() {
        return Thread.currentThread() instanceof WorkerThread worker && worker.graph == this
                ? worker.index
                : slotCount() - 1;
    }

    Broadcasts broadcasts() {
        return broadcasts;
    }

    StallWatchdog stalls() {
        return stalls;
    }

    DelayTimer timer() {
        return timer;
    }

    @Override
    WorkerPool workers() {
        return workers;
    }

    PriorityInheritance inheritance() {
        return inheritance;
    }

    NamedLanes lanes() {
        return lanes;
    }

    ForeignWaits foreignWaits() {
        return foreignWaits;
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
    void inherit(CoreEvent needed, int urgency) {
        inheritance.inherit(needed, urgency);
    }

    @Override
    void releaseAll() {
        lifecycle.stop();
        workers.releaseAll();
        lanes.releaseAll();
        timer.release();
        foreignWaits.releaseAll();
        compiledRuns.releaseAll();
    }

    /** The graph of an event. */
    static GraphParts of(CoreEvent event) {
        return (GraphParts) event.graph();
    }
}
