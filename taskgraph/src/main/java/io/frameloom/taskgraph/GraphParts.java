package io.frameloom.taskgraph;

import io.frameloom.taskgraph.internal.PaddedLong;
import io.frameloom.taskgraph.internal.WakeLatency;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a task graph, how they find each other, and how they reach the threads and the clock that a scheduler may
 * control. The super class of the graph, and not an object beside it, so that every part is one load away. Any thread may
 * call any method.
 */
abstract sealed class GraphParts permits TaskGraph {
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
    private final UnseenFailures failures = new UnseenFailures(self());
    private final FailStop failStop = new FailStop(self());
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
    private final Broadcasts broadcasts = new Broadcasts(self());

    GraphParts(TaskGraphOptions options) {
        this.options = options;
        TaskObserver given = options.observer();
        this.observer = given == null ? null : new GuardedObserver(given, self());
        this.stalls = new StallWatchdog(self(), options.stallLimit(), options.stallListener());
        this.roots = new PendingRoots(options.scheduler());
        this.timer = new DelayTimer(self());
        this.lanes = new NamedLanes(self());
        this.refusals = new Refusals(self());
        this.lifecycle = new GraphLifecycle(self(), options.workers());
        this.inheritance = new PriorityInheritance(self(), options.priorityInheritance());
        this.workers = new WorkerPool(self(), options.workers(), options.spareWorkers(), options.reservedWorkers());
    }

    private TaskGraph self() {
        return (TaskGraph) this;
    }

    /** Passes on a task that is ready at its launch or release. */
    final void launch(Task task) {
        ThreadContext context = currentContext();
        if (context != null) {
            context.completer.launch(task);
        } else if (task.lane == null && task.target != null && task.skipReason() == null && !isClosing()) {
            workers.signal(1 << workers.push(task, null));
        } else {
            new Completer(self(), null).launch(task);
        }
    }

    /** The completer of the calling thread, or a new one. */
    final Completer completer() {
        ThreadContext context = currentContext();
        return context == null ? new Completer(self(), null) : context.completer;
    }

    /** The context of the calling thread if it executes tasks of this graph. */
    @Nullable
    final ThreadContext currentContext() {
        if (Thread.currentThread() instanceof WorkerThread worker) {
            return worker.graph == this ? worker.context : null;
        }
        return lanes.current();
    }

    /** Throws if the graph has stopped. */
    final void requireRunning() {
        failStop.requireRunning();
    }

    /** Stops the graph for an error in its own code. Returns what the caller throws. */
    final TaskGraphStoppedException stopped(Error error) {
        return failStop.by(error);
    }

    final void requireOpen(String task) {
        if (error != null || lifecycle.isClosing()) {
            throw refusals.closed(task);
        }
    }

    final void requireOpen(String kind, String name) {
        if (error != null || lifecycle.isClosing()) {
            throw refusals.closedToNew(kind, name);
        }
    }

    final void requireOwn(GraphEvent event, String role, GraphEvent of) {
        if (event.graph() != this) {
            throw foreign(event, role + ' ' + of.kind() + " '" + of.name() + "'");
        }
    }

    final IllegalArgumentException foreign(GraphEvent event, String role) {
        return new IllegalArgumentException(event.kind() + " '" + event.name() + "', given as " + role
                + ", belongs to task graph '" + event.graph().name() + "', not to '" + options.name()
                + "'; events order tasks of one graph only");
    }

    final void reportUncaught(String task, Throwable failure) {
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
    final void reportLeftOpen(String what, IllegalStateException reason) {
        if (options.uncaughtHandler() instanceof LoggingFailureHandler log) {
            log.leftOpen(what, reason);
        } else {
            reportUncaught(what, reason);
        }
    }

    final TaskGraphOptions options() {
        return options;
    }

    @Nullable
    final ThreadScheduler scheduler() {
        return options.scheduler();
    }

    /** Another thread may go first, if somebody schedules the threads of this graph. */
    final void reached(SchedulingPoint point, @Nullable String subject) {
        ThreadScheduler scheduler = options.scheduler();
        if (scheduler != null) {
            scheduler.reached(point, subject);
        }
    }

    final void startThread(Thread thread) {
        ThreadScheduler scheduler = options.scheduler();
        if (scheduler == null) {
            thread.start();
        } else {
            scheduler.start(thread);
        }
    }

    /** The clock of this graph. */
    final long nanoTime() {
        ThreadScheduler scheduler = options.scheduler();
        return scheduler == null ? System.nanoTime() : scheduler.nanoTime();
    }

    /** All that a thread given to {@link #startThread} does. */
    final void runScheduled(Runnable work) {
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

    final void join(Thread thread) throws InterruptedException {
        ThreadScheduler scheduler = options.scheduler();
        if (scheduler == null) {
            thread.join();
        } else {
            scheduler.join(thread);
        }
    }

    @Nullable
    final GuardedObserver observer() {
        return observer;
    }

    final Broadcasts broadcasts() {
        return broadcasts;
    }

    final UnseenFailures failures() {
        return failures;
    }

    final FailStop failStop() {
        return failStop;
    }

    final StallWatchdog stalls() {
        return stalls;
    }

    final DelayTimer timer() {
        return timer;
    }

    final WorkerPool workers() {
        return workers;
    }

    final PriorityInheritance inheritance() {
        return inheritance;
    }

    final NamedLanes lanes() {
        return lanes;
    }

    final Refusals refusals() {
        return refusals;
    }

    final PendingRoots roots() {
        return roots;
    }

    final ForeignWaits foreignWaits() {
        return foreignWaits;
    }

    final CompiledRuns compiledRuns() {
        return compiledRuns;
    }

    final GraphLifecycle lifecycle() {
        return lifecycle;
    }

    final boolean isClosing() {
        return lifecycle.isClosing();
    }

    final boolean isTerminated() {
        return lifecycle.isTerminated();
    }

    /** Threads of this graph that are not parked. */
    final PaddedLong runnable() {
        return runnable;
    }

    final WakeLatency wakeLatency() {
        return wakeLatency;
    }

    final FramePhase frames() {
        return frames;
    }

    final int processors() {
        return processors;
    }
}
