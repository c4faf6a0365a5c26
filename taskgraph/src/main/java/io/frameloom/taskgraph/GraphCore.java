package io.frameloom.taskgraph;

import io.frameloom.taskgraph.internal.PaddedLong;
import io.frameloom.taskgraph.internal.WakeLatency;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What events and tasks know of their graph: its options and state, the threads and the clock that a scheduler may control,
 * and, in abstract methods, where what is ready goes. {@link GraphParts} is the only implementation. Any thread may call any
 * method.
 */
abstract class GraphCore {
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
    private final Refusals refusals = new Refusals(this);
    private final PendingRoots roots;
    private final PriorityInheritance inheritance;
    private final StallWatchdog stalls;
    private final ForeignWaits foreignWaits = new ForeignWaits();

    GraphCore(TaskGraphOptions options, StallWatchdog.Explainer explainer) {
        this.options = options;
        TaskObserver given = options.observer();
        this.observer = given == null ? null : new GuardedObserver(given, this);
        this.roots = new PendingRoots(options.scheduler());
        this.inheritance = new PriorityInheritance(this, options.priorityInheritance());
        this.stalls = new StallWatchdog(this, options.stallLimit(), options.stallListener(), explainer);
    }

    /** What the calling thread executes tasks of this graph with, or null if it does not. */
    abstract @Nullable TaskRunner currentContext();

    /** Where ready tasks for workers go. */
    abstract TaskQueues workers();

    abstract boolean isClosing();

    abstract boolean isTerminated();

    /** What the threads that are attached to named threads now execute tasks with. */
    abstract List<? extends TaskRunner> attached();

    /** Counts a thread of the graph that is about to start. Returns false if the graph has terminated. */
    abstract boolean threadStarts(Thread thread);

    /** Takes {@link #threadStarts} back: the system refused the thread. */
    abstract void threadNotStarted(Thread thread);

    /** The system refused workers. */
    abstract void threadsNeverStarted(int count);

    /** The calling thread, which was counted, ends. */
    abstract void threadEnded();

    /** Lets every thread that parks in the graph see that it has stopped. */
    abstract void releaseAll();

    /** Passes on a task that is ready at its launch or release. */
    final void launch(Task task) {
        TaskRunner context = currentContext();
        if (context != null) {
            context.completer.launch(task);
        } else if (task.lane == null && task.target != null && task.skipReason() == null && !isClosing()) {
            TaskQueues workers = workers();
            workers.signal(1 << workers.push(task, null));
        } else {
            new Completer(this, null).launch(task);
        }
    }

    /** The completer of the calling thread, or a new one. */
    final Completer completer() {
        TaskRunner context = currentContext();
        return context == null ? new Completer(this, null) : context.completer;
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
        if (error != null || isClosing()) {
            throw refusals.closed(task);
        }
    }

    final void requireOpen(String kind, String name) {
        if (error != null || isClosing()) {
            throw refusals.closedToNew(kind, name);
        }
    }

    final void requireOwn(CoreEvent event, String role, CoreEvent of) {
        if (event.graph() != this) {
            throw foreign(event, role + ' ' + of.kind() + " '" + of.name() + "'");
        }
    }

    final IllegalArgumentException foreign(CoreEvent event, String role) {
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

    final String name() {
        return options.name();
    }

    final int workerCount() {
        return options.workers();
    }

    /** The workers, the spare ones, and one more for all other threads. */
    final int slotCount() {
        return options.workers() + options.spareWorkers() + 1;
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

    final UnseenFailures failures() {
        return failures;
    }

    final FailStop failStop() {
        return failStop;
    }

    final Refusals refusals() {
        return refusals;
    }

    final PendingRoots roots() {
        return roots;
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

    final PriorityInheritance inheritance() {
        return inheritance;
    }

    final StallWatchdog stalls() {
        return stalls;
    }

    final ForeignWaits foreignWaits() {
        return foreignWaits;
    }
}
