package io.frameloom.taskgraph;

import io.frameloom.taskgraph.internal.PaddedLong;
import io.frameloom.taskgraph.internal.WakeLatency;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a task graph, how they find each other, and how they reach the threads and the clock that a scheduler may
 * control. What the engine knows of a {@link TaskGraph}. Any thread may call any method.
 */
final class GraphParts {
    /**
     * The latest error in the code of this graph, see {@link FailStop}. A field that is stored to where the error is caught:
     * where the stack has ended nothing can be called.
     */
    volatile @Nullable Throwable error;

    private final TaskGraphOptions options;
    private final int processors = Runtime.getRuntime().availableProcessors();
    private final @Nullable GuardedObserver observer;
    private final PaddedLong runnable = new PaddedLong(0);
    private final WakeLatency wakeLatency = new WakeLatency();
    private final FramePhase frames = new FramePhase();
    private final UnseenFailures failures = new UnseenFailures(this);
    private final FailStop failStop = new FailStop(this);
    private final PendingRoots roots;
    private final ForeignWaits foreignWaits = new ForeignWaits();
    private final CompiledRuns compiledRuns = new CompiledRuns();
    private final NamedLanes lanes;
    private final Refusals refusals;
    private final GraphLifecycle lifecycle;
    private final WorkerPool workers;
    private final PriorityInheritance inheritance;
    private final DelayTimer timer;
    private final StallWatchdog stalls;
    private final Broadcasts broadcasts = new Broadcasts(this);

    GraphParts(TaskGraphOptions options, StallWatchdog.Explainer explainer) {
        this.options = options;
        TaskObserver given = options.observer();
        this.observer = given == null ? null : new GuardedObserver(given, this);
        this.stalls = new StallWatchdog(this, options.stallLimit(), options.stallListener(), explainer);
        this.roots = new PendingRoots(options.scheduler());
        this.timer = new DelayTimer(this);
        this.lanes = new NamedLanes(this);
        this.refusals = new Refusals(this);
        this.lifecycle = new GraphLifecycle(this, options.workers());
        this.inheritance = new PriorityInheritance(this, options.priorityInheritance());
        this.workers = new WorkerPool(this, options.workers(), options.spareWorkers(), options.reservedWorkers());
    }

    /** Passes on a task that is ready at its launch or release. */
    void launch(Task task) {
        ThreadContext context = currentContext();
        if (context != null) {
            context.completer.launch(task);
        } else if (task.lane == null && task.target != null && task.skipReason() == null && !isClosing()) {
            workers.signal(1 << workers.push(task, null));
        } else {
            new Completer(this, null).launch(task);
        }
    }

    /** The completer of the calling thread, or a new one. */
    Completer completer() {
        ThreadContext context = currentContext();
        return context == null ? new Completer(this, null) : context.completer;
    }

    /** The context of the calling thread if it executes tasks of this graph. */
    @Nullable
    ThreadContext currentContext() {
        if (Thread.currentThread() instanceof WorkerThread worker) {
            return worker.graph == this ? worker.context : null;
        }
        return lanes.current();
    }

    /** Throws if the graph has stopped. */
    void requireRunning() {
        failStop.requireRunning();
    }

    /** Stops the graph for an error in its own code. Returns what the caller throws. */
    TaskGraphStoppedException stopped(Error error) {
        return failStop.by(error);
    }

    void requireOpen(String task) {
        if (error != null || lifecycle.isClosing()) {
            throw refusals.closed(task);
        }
    }

    void requireOpen(String kind, String name) {
        if (error != null || lifecycle.isClosing()) {
            throw refusals.closedToNew(kind, name);
        }
    }

    void requireOwn(CoreEvent event, String role, CoreEvent of) {
        if (event.graph() != this) {
            throw foreign(event, role + ' ' + of.kind() + " '" + of.name() + "'");
        }
    }

    IllegalArgumentException foreign(CoreEvent event, String role) {
        return new IllegalArgumentException(event.kind() + " '" + event.name() + "', given as " + role
                + ", belongs to task graph '" + event.graph().name() + "', not to '" + options.name()
                + "'; events order tasks of one graph only");
    }

    void reportUncaught(String task, Throwable failure) {
        try {
            failures.see(failure);
            options.uncaughtHandler().taskFailed(task, failure);
        } catch (RuntimeException | Error e) {
            if (e != failure) {
                e.addSuppressed(failure);
            }
            new LoggingFailureHandler(options.name()).taskFailed("uncaught handler for " + task, e);
        }
    }

    /** Reports something that was not ended and that no task failed by. */
    void reportLeftOpen(String what, IllegalStateException reason) {
        if (options.uncaughtHandler() instanceof LoggingFailureHandler log) {
            log.leftOpen(what, reason);
        } else {
            reportUncaught(what, reason);
        }
    }

    String name() {
        return options.name();
    }

    int workerCount() {
        return options.workers();
    }

    /** The workers, the spare ones, and one more for all other threads. */
    int slotCount() {
        return options.workers() + options.spareWorkers() + 1;
    }

    /** A number of its own for every worker, the last slot for all other threads. */
    int currentSlot() {
        return Thread.currentThread() instanceof WorkerThread worker && worker.graph == this
                ? worker.index
                : slotCount() - 1;
    }

    TaskGraphOptions options() {
        return options;
    }

    @Nullable
    ThreadScheduler scheduler() {
        return options.scheduler();
    }

    /** Another thread may go first, if somebody schedules the threads of this graph. */
    void reached(SchedulingPoint point, @Nullable String subject) {
        ThreadScheduler scheduler = options.scheduler();
        if (scheduler != null) {
            scheduler.reached(point, subject);
        }
    }

    void startThread(Thread thread) {
        ThreadScheduler scheduler = options.scheduler();
        if (scheduler == null) {
            thread.start();
        } else {
            scheduler.start(thread);
        }
    }

    /** The clock of this graph. */
    long nanoTime() {
        ThreadScheduler scheduler = options.scheduler();
        return scheduler == null ? System.nanoTime() : scheduler.nanoTime();
    }

    /** All that a thread given to {@link #startThread} does. */
    void runScheduled(Runnable work) {
        ThreadScheduler scheduler = options.scheduler();
        if (scheduler == null) {
            work.run();
            return;
        }
        scheduler.begin();
        try {
            work.run();
        } finally {
            scheduler.end();
        }
    }

    void join(Thread thread) throws InterruptedException {
        ThreadScheduler scheduler = options.scheduler();
        if (scheduler == null) {
            thread.join();
        } else {
            scheduler.join(thread);
        }
    }

    @Nullable
    GuardedObserver observer() {
        return observer;
    }

    Broadcasts broadcasts() {
        return broadcasts;
    }

    UnseenFailures failures() {
        return failures;
    }

    FailStop failStop() {
        return failStop;
    }

    StallWatchdog stalls() {
        return stalls;
    }

    DelayTimer timer() {
        return timer;
    }

    WorkerPool workers() {
        return workers;
    }

    PriorityInheritance inheritance() {
        return inheritance;
    }

    NamedLanes lanes() {
        return lanes;
    }

    Refusals refusals() {
        return refusals;
    }

    PendingRoots roots() {
        return roots;
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

    boolean isClosing() {
        return lifecycle.isClosing();
    }

    boolean isTerminated() {
        return lifecycle.isTerminated();
    }

    /** Threads of this graph that are not parked. */
    PaddedLong runnable() {
        return runnable;
    }

    WakeLatency wakeLatency() {
        return wakeLatency;
    }

    FramePhase frames() {
        return frames;
    }

    int processors() {
        return processors;
    }
}
