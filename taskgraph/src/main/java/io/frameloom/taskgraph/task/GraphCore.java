package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.OperatingSystemThreads;
import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.TaskGraphClosedException;
import io.frameloom.taskgraph.TaskGraphStoppedException;
import io.frameloom.taskgraph.TaskObserver;
import io.frameloom.taskgraph.ThreadScheduler;
import io.frameloom.taskgraph.parts.Deadline;
import io.frameloom.taskgraph.parts.LoggingFailureHandler;
import io.frameloom.taskgraph.parts.PaddedLong;
import io.frameloom.taskgraph.parts.TaskGraphOptions;
import io.frameloom.taskgraph.parts.WakeLatency;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What events and tasks know of their graph: its options and state, and the threads and the clock that a scheduler may
 * control. Abstract methods say where ready work goes. {@code GraphParts} is the only implementation. Any thread may
 * call any method.
 */
public abstract class GraphCore {
    /**
     * Classes that are needed late and whose static fields are set by code. If a stack ends in that code, the class stays
     * unusable for all graphs of the JVM. So they are initialised before there is a task. The observer is here because
     * HotSpot inlines no method whose result has a class that is not loaded.
     */
    private static final List<String> INITIALISED_EARLY = List.of(
            "FrameScope",
            "GraphBuilder",
            "NamedThread",
            "SchedulingPoint",
            "compiled.DeclaredNodes",
            "compiled.Frontier",
            "compiled.GraphPlan",
            "compiled.HelperChoice$Course",
            "compiled.HelperChoice$Load",
            "compiled.PrerequisiteCounts",
            "compiled.RangeDeque",
            "compiled.RunAwaiting",
            "compiled.RunCaller",
            "compiled.RunCore",
            "compiled.RunLane",
            "named.NamedLane",
            "queue.QueueSegment",
            "task.AnyRace",
            "task.CompletionGate",
            "task.FailedPrerequisite$Effect",
            "task.Failure",
            "task.GuardedObserver",
            "task.HeldStart",
            "task.ManualEvent",
            "task.PipedTask",
            "task.Promise",
            "task.RareState",
            "task.ReusableTask",
            "task.Waiter",
            "waiting.DelayTimer",
            "worker.ParallelForJob",
            "worker.RangeShares");

    static {
        try {
            for (String name : INITIALISED_EARLY) {
                Class.forName("io.frameloom.taskgraph." + name);
            }
        } catch (ClassNotFoundException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * The latest error in the code of this graph, see {@link FailStop}. A field, stored to where the error is caught:
     * where the stack has ended nothing can be called.
     */
    public volatile @Nullable Throwable error;

    private volatile boolean closing;
    private volatile boolean terminated;
    private final TaskGraphOptions options;
    /** {@code options.scheduler()}, guarded: every task asks for it many times. */
    private final @Nullable GuardedScheduler scheduler;
    /** The same, or those of the operating system. */
    private final ThreadScheduler threads;

    private final int processors = Runtime.getRuntime().availableProcessors();
    private final @Nullable GuardedObserver observer;
    private final PaddedLong runnable = new PaddedLong(0);
    private final WakeLatency wakeLatency = new WakeLatency();
    private final PaddedLong frames = new PaddedLong(0);
    private final UnseenFailures failures = new UnseenFailures(this);
    private final FailStop failStop = new FailStop(this);
    private final PendingRoots roots;
    private final PriorityInheritance inheritance;
    private final StallWatchdog stalls;
    private final ForeignWaits foreignWaits = new ForeignWaits();

    public GraphCore(TaskGraphOptions options, StallWatchdog.Explainer explainer) {
        this.options = options;
        ThreadScheduler chosen = options.scheduler();
        this.scheduler = chosen == null ? null : new GuardedScheduler(chosen);
        this.threads = scheduler == null ? new OperatingSystemThreads() : scheduler;
        TaskObserver given = options.observer();
        this.observer = given == null ? null : new GuardedObserver(given, this);
        this.roots = new PendingRoots(scheduler);
        this.inheritance = new PriorityInheritance(this, options.priorityInheritance());
        this.stalls = new StallWatchdog(this, options.stallLimit(), options.stallListener(), explainer);
    }

    /** What the calling thread executes tasks of this graph with, or null if it does not. */
    public abstract @Nullable Completer currentContext();

    /** Where ready tasks for workers go. */
    public abstract TaskQueues workers();

    /** What the threads that are attached to named threads now execute tasks with. */
    public abstract List<? extends Completer> attached();

    /** Counts a thread of the graph that is about to start. Returns false if the graph has terminated. */
    public abstract boolean threadStarts(Thread thread);

    /** Takes {@link #threadStarts} back: the system refused the thread. */
    public abstract void threadNotStarted(Thread thread);

    /** The system refused workers. */
    public abstract void threadsNeverStarted(int count);

    /** The calling thread, which was counted, ends. */
    public abstract void threadEnded();

    /** Lets every thread that parks in the graph see that it has stopped. */
    public abstract void releaseAll();

    /** Passes on a task that is ready at its launch or release. */
    public final void launch(Task task) {
        Completer context = currentContext();
        if (context != null) {
            context.launch(task);
        } else if (task.lane == null && task.target != null && task.skipReason() == null && !isClosing()) {
            TaskQueues workers = workers();
            workers.signal(1 << workers.push(task, null));
        } else {
            new Completer(this, null).launch(task);
        }
    }

    /** The completer of the calling thread, or a new one. */
    public final Completer completer() {
        Completer context = currentContext();
        return context == null ? new Completer(this, null) : context;
    }

    /** Throws if the graph has stopped. */
    public final void requireRunning() {
        if (error != null) {
            failStop.requireRunning();
        }
    }

    /** Stops the graph for an error in its own code. Returns what the caller throws. */
    public final TaskGraphStoppedException stopped(Error error) {
        return failStop.by(error);
    }

    public final void requireOpen(String task) {
        if (error != null || isClosing()) {
            throw closed(task);
        }
    }

    public final void requireOpen(String kind, String name) {
        if (error != null || isClosing()) {
            throw closedToNew(kind, name);
        }
    }

    /** The failure of work that a closed or stopped graph does not run. */
    public final TaskGraphClosedException closed(String task) {
        return refusal("'" + task + "' was refused: task graph '" + name() + "' is closed; launch work before close()");
    }

    public final TaskGraphClosedException closedToNew(String kind, String name) {
        return refusal(
                kind + " '" + name + "' was refused: task graph '" + name() + "' is closed; ask for it before close()");
    }

    public final TaskGraphClosedException closedWhilePending(String task) {
        return refusal("'" + task + "' did not run: task graph '" + name()
                + "' was closed while it was pending; await it before close()");
    }

    public final TaskGraphClosedException closedUnpumped(String task, NamedThread thread) {
        return refusal("'" + task + "' did not run: task graph '" + name()
                + "' was closed while nobody processed the queue of " + thread + "; process it before close()");
    }

    private TaskGraphClosedException refusal(String message) {
        TaskGraphStoppedException stopped = failStop.failure();
        return stopped == null ? new TaskGraphClosedException(message) : stopped;
    }

    public final void requireOwn(CoreEvent event, String role, CoreEvent of) {
        if (event.graph() != this) {
            throw foreign(event, role + ' ' + of.kind() + " '" + of.name() + "'");
        }
    }

    public final IllegalArgumentException foreign(CoreEvent event, String role) {
        return new IllegalArgumentException(event.kind() + " '" + event.name() + "', given as " + role
                + ", belongs to task graph '" + event.graph().name() + "', not to '" + options.name()
                + "'; events order tasks of one graph only");
    }

    public final void reportUncaught(String task, Throwable failure) {
        try {
            failures.see(failure);
            options.uncaughtHandler().taskFailed(task, failure);
        } catch (Throwable e) {
            if (e != failure) {
                e.addSuppressed(failure);
            }
            new LoggingFailureHandler(options.name()).taskFailed("uncaught handler for " + task, e);
        }
    }

    /** Reports something that was not ended and that no task failed by. */
    public final void reportLeftOpen(String what, IllegalStateException reason) {
        if (options.uncaughtHandler() instanceof LoggingFailureHandler log) {
            log.leftOpen(what, reason);
        } else {
            reportUncaught(what, reason);
        }
    }

    public final String name() {
        return options.name();
    }

    public final int workerCount() {
        return options.workers();
    }

    /** The workers, the spare ones, and one more for all other threads. */
    public final int slotCount() {
        return options.workers() + options.spareWorkers() + 1;
    }

    public final TaskGraphOptions options() {
        return options;
    }

    public @Nullable final ThreadScheduler scheduler() {
        return scheduler;
    }

    /** Another thread may go first, if a scheduler controls the threads of this graph. */
    public final void reached(SchedulingPoint point, @Nullable String subject) {
        if (scheduler != null) {
            scheduler.reached(point, subject);
        }
    }

    /**
     * As {@link #reached}, at the beginning of a call that has changed nothing so far. An exception of the scheduler
     * refuses that call, and the graph goes on.
     */
    public final void callBegins(SchedulingPoint point, String subject) {
        if (scheduler != null) {
            scheduler.callBegins(point, subject);
        }
    }

    public final void startThread(Thread thread) {
        threads.start(thread);
    }

    public final long nanoTime() {
        return scheduler == null ? System.nanoTime() : scheduler.nanoTime();
    }

    /** The end of a wait that begins now. */
    public final Deadline deadlineIn(Duration timeout) {
        try {
            return Deadline.in(timeout, scheduler);
        } catch (Error e) {
            error = e;
            throw stopped(e);
        }
    }

    /** All that a thread given to {@link #startThread} does. */
    public final void runScheduled(Runnable work) {
        orStop(threads::begin);
        try {
            work.run();
        } finally {
            orStop(threads::end);
        }
    }

    private void orStop(Runnable ofScheduler) {
        try {
            ofScheduler.run();
        } catch (Error e) {
            error = e;
            throw stopped(e);
        }
    }

    public final void join(Thread thread) throws InterruptedException {
        threads.join(thread);
    }

    public @Nullable final GuardedObserver observer() {
        return observer;
    }

    public final UnseenFailures failures() {
        return failures;
    }

    public final FailStop failStop() {
        return failStop;
    }

    public final PendingRoots roots() {
        return roots;
    }

    /** Threads of this graph that are not parked. */
    public final PaddedLong runnable() {
        return runnable;
    }

    public final WakeLatency wakeLatency() {
        return wakeLatency;
    }

    /** Counts the frames in progress: frame scopes, and runs of compiled graphs. */
    public final PaddedLong frames() {
        return frames;
    }

    public final int framesInProgress() {
        return (int) frames.valueOpaque();
    }

    public final int processors() {
        return processors;
    }

    public final PriorityInheritance inheritance() {
        return inheritance;
    }

    public final StallWatchdog stalls() {
        return stalls;
    }

    public final ForeignWaits foreignWaits() {
        return foreignWaits;
    }

    /** Whether new work is refused. */
    public final boolean isClosing() {
        return closing;
    }

    public final void setClosing() {
        closing = true;
    }

    /** Whether the last thread of the graph has ended. */
    public final boolean isTerminated() {
        return terminated;
    }

    public final void setTerminated() {
        terminated = true;
    }
}
