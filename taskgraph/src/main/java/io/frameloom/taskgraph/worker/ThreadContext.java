package io.frameloom.taskgraph.worker;

import io.frameloom.taskgraph.ExecutionTarget;
import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.WorkerLevel;
import io.frameloom.taskgraph.parts.Deadline;
import io.frameloom.taskgraph.parts.Fields;
import io.frameloom.taskgraph.parts.ThreadParker;
import io.frameloom.taskgraph.task.Completer;
import io.frameloom.taskgraph.task.CoreEvent;
import io.frameloom.taskgraph.task.GraphCore;
import io.frameloom.taskgraph.task.GuardedObserver;
import io.frameloom.taskgraph.task.InheritedBindings;
import io.frameloom.taskgraph.task.Lane;
import io.frameloom.taskgraph.task.StallWatchdog;
import io.frameloom.taskgraph.task.Task;
import io.frameloom.taskgraph.task.TaskThread;
import io.frameloom.taskgraph.task.Urgency;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The state of one executing thread (a worker, or the thread attached to a named thread). Used by that thread; others
 * read {@link #currentTask()} and {@link #waitingFor()} for reports.
 */
public final class ThreadContext extends Completer {
    private static final VarHandle CURRENT = Fields.handle(MethodHandles.lookup(), Current.class, "task", Task.class);
    private static final VarHandle HOLDER =
            Fields.handle(MethodHandles.lookup(), ThreadContext.class, "current", Current.class);
    private static final VarHandle WAITING =
            Fields.handle(MethodHandles.lookup(), ThreadContext.class, "waiting", CoreEvent.class);

    private static final int ORDINARY = Urgency.of(WorkerLevel.NORMAL, false);

    private static final int ORDINAL_BITS = 10;
    private static final int TASKS_PER_HOLDER = 1024;

    public final Thread thread;
    public final int ordinal;
    public final @Nullable WorkerThread worker;
    public final @Nullable Lane lane;
    public final ThreadParker parker;
    final Broadcasts.Mailbox mail = new Broadcasts.Mailbox();

    /** Number of the latest walk of this worker; its low bits are the ordinal. */
    private int walk;

    /**
     * What the thread executes. A holder is replaced before a collector can make it an old object: with G1 the store
     * of a task into an old one costs a full fence and more.
     */
    private static final class Current {
        @SuppressWarnings("unused") // accessed through CURRENT
        private @Nullable Task task;
    }

    @SuppressWarnings("FieldMayBeFinal") // accessed through HOLDER, too
    private Current current = new Current();

    /** Tasks until the next holder. */
    private int holderTurns = TASKS_PER_HOLDER;

    @SuppressWarnings("unused") // accessed through WAITING
    private @Nullable CoreEvent waiting;

    ThreadContext(GraphCore graph, WorkerThread worker, int ordinal) {
        this(graph, worker, ordinal, worker, null, new ThreadParker(graph.scheduler()));
    }

    public ThreadContext(GraphCore graph, Thread thread, Lane lane, int ordinal, ThreadParker parker) {
        this(graph, thread, ordinal, null, lane, parker);
    }

    private ThreadContext(
            GraphCore graph,
            Thread thread,
            int ordinal,
            @Nullable WorkerThread worker,
            @Nullable Lane lane,
            ThreadParker parker) {
        super(graph, worker);
        this.thread = thread;
        this.ordinal = ordinal;
        this.worker = worker;
        this.lane = lane;
        this.parker = parker;
        this.walk = ordinal;
    }

    /** Runs a claimed task and completes it. */
    public void execute(Task task) {
        finish(task, runBody(task));
    }

    /** Runs a claimed task, completes it, and returns a ready, unclaimed task of the same level, or null. */
    public @Nullable Task executeAndContinue(Task task, ExecutionTarget target) {
        return finishAndContinue(task, runBody(task), target);
    }

    /** Whatever goes wrong here is the failure of the task, not of the thread. */
    private @Nullable Throwable runBody(Task task) {
        Current holder = current;
        Task outer = holder.task;
        if (outer == null && --holderTurns == 0) {
            holder = renewedHolder();
        }
        CURRENT.setOpaque(holder, task);
        GuardedObserver given = graph.observer();
        GuardedObserver observer = given != null && task.isObserved() ? given : null;
        ExecutionTarget target = task.target;
        InheritedBindings outerBindings = null;
        WorkerThread self = worker;
        BlockingRegion region = self == null ? null : self.region;
        Throwable failure = null;
        // An interrupt is addressed to what this thread was doing: the task must not find it.
        boolean interrupted = Thread.interrupted();
        try {
            if (observer != null && target != null) {
                observer.taskStarted(task, target, ordinal);
            }
            graph.reached(SchedulingPoint.BODY, task.name());
            // The values in force here belong to what this thread was doing, not to the task.
            outerBindings = self == null ? TaskThread.inherited() : self.ownInherited();
            if (outerBindings != null) {
                TaskThread.inherit(null);
            }
            task.begin(this).run();
        } catch (Throwable t) {
            failure = t;
            if (task.isOfEngine()) {
                graph.error = t;
                failure = graph.failStop().by(t);
            }
        }
        if (interrupted) {
            thread.interrupt();
        }
        if (self != null && self.region != region) {
            BlockingRegion.closeLeftOpen(self, region, task.describeRunner());
        }
        if (outerBindings != null) {
            TaskThread.inherit(outerBindings);
        }
        if (observer != null && target != null) {
            observer.taskFinished(task.name(), target, ordinal, failure);
        }
        CURRENT.setOpaque(holder, outer);
        return failure;
    }

    private Current renewedHolder() {
        holderTurns = TASKS_PER_HOLDER;
        Current renewed = new Current();
        HOLDER.setRelease(this, renewed);
        return renewed;
    }

    /** The number of the next walk: never 0, and not one of those that any other worker uses. */
    public int nextWalk() {
        int step = 1 << ORDINAL_BITS;
        int next = walk + step;
        walk = next < step ? ordinal + step : next;
        return walk;
    }

    /** The ordinal of the worker whose walk has the given number. */
    public static int walker(int walk) {
        return walk & (1 << ORDINAL_BITS) - 1;
    }

    public int walk() {
        return walk;
    }

    /** Parks until there is something to do; must follow {@code parker.prepare()} and the second look. */
    public void park() {
        beforePark(null);
        parker.park();
        afterPark();
    }

    /**
     * Parks in a wait for an event, as {@link StallWatchdog#park}. The wait goes on until {@link #waitsNoMore}, so that
     * explanations find it between two parks as well.
     */
    public long park(CoreEvent awaited, Deadline deadline, long begun) {
        WAITING.setOpaque(this, awaited);
        graph.runnable().getAndAdd(-1L);
        GuardedObserver observer = graph.observer();
        if (observer != null) {
            observer.threadWaits(ordinal, awaited);
        }
        long since = graph.stalls().park(parker, deadline, awaited, begun);
        afterPark();
        return since;
    }

    /** Ends what {@link #park(CoreEvent, Deadline, long)} began, also before the thread runs something in between. */
    public void waitsNoMore() {
        WAITING.setOpaque(this, (CoreEvent) null);
    }

    /** Parks in a wait for a run, as {@link StallWatchdog#park}. */
    public long parkInRun(Object awaited, Deadline deadline, long begun) {
        beforePark(null);
        long since = graph.stalls().park(parker, deadline, awaited, begun);
        afterPark();
        return since;
    }

    void beforePark(@Nullable String waitingFor) {
        graph.runnable().getAndAdd(-1L);
        GuardedObserver observer = graph.observer();
        if (observer != null) {
            observer.threadParked(ordinal, waitingFor);
        }
    }

    void afterPark() {
        graph.runnable().getAndAdd(1L);
        GuardedObserver observer = graph.observer();
        if (observer != null) {
            observer.threadUnparked(ordinal);
        }
    }

    /** Nanoseconds to look for work before parking. */
    long spinNanos() {
        return IdleSpin.nanos(graph);
    }

    /** Waits actively for as long as the idle policy and a deadline allow. */
    public boolean spinUntil(Deadline deadline, BooleanSupplier condition) {
        return IdleSpin.until(spinNanos(), deadline, condition);
    }

    /**
     * Where the parts go that a thread hands to workers: to the level of its worker task, as urgent as that has become,
     * or else to NORMAL.
     *
     * @param context that of the thread, or null if it has none
     */
    public static WorkerLevel levelOfParts(@Nullable ThreadContext context) {
        Task whole = context == null ? null : context.currentTask();
        int urgency = whole == null ? 0 : whole.urgency();
        // First, since most tasks have it, and that saves a look at their targets.
        if (urgency == 0 || urgency == ORDINARY) {
            return WorkerLevel.NORMAL;
        }
        return whole != null && whole.target instanceof WorkerLevel ? Urgency.level(urgency) : WorkerLevel.NORMAL;
    }

    public boolean insideTask() {
        return currentTask() != null;
    }

    @Override
    public @Nullable Task currentTask() {
        return (Task) CURRENT.getOpaque((Current) HOLDER.getAcquire(this));
    }

    public @Nullable CoreEvent waitingFor() {
        return (CoreEvent) WAITING.getOpaque(this);
    }
}
