package io.frameloom.taskgraph.waiting;

import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.TaskFailedException;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.TaskGroup;
import io.frameloom.taskgraph.WorkerLevel;
import io.frameloom.taskgraph.named.NamedLane;
import io.frameloom.taskgraph.parts.Deadline;
import io.frameloom.taskgraph.parts.ThreadParker;
import io.frameloom.taskgraph.queue.WorkStealingDeque;
import io.frameloom.taskgraph.task.CoreEvent;
import io.frameloom.taskgraph.task.ForeignWaits;
import io.frameloom.taskgraph.task.GraphCore;
import io.frameloom.taskgraph.task.Task;
import io.frameloom.taskgraph.task.Waiter;
import io.frameloom.taskgraph.worker.IdleSpin;
import io.frameloom.taskgraph.worker.ThreadContext;
import io.frameloom.taskgraph.worker.WorkerPool;
import io.frameloom.taskgraph.worker.WorkerQueues;
import io.frameloom.taskgraph.worker.WorkerThread;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The three ways to wait for an event. Called by the waiting thread. A worker first runs the awaited task itself, if
 * that is ready and no other thread has it: no walk, nothing allocated, no park.
 *
 * <p>In each of them the thread announces its park, then looks once more at the event (and at whatever
 * else can end the wait), then parks; completion closes the event's list before it visits the waiter. So
 * no wait outlives the completion, and a timeout is reported only after the event was found incomplete.
 */
public final class Awaiting {
    private Awaiting() {}

    /** Returns false if the deadline passed first. Does not look at the event's failure. */
    public static boolean await(CoreEvent event, Deadline deadline) {
        try {
            return begin(event, deadline);
        } catch (Error e) {
            event.graph().error = e;
            throw event.graph().stopped(e);
        }
    }

    private static boolean begin(CoreEvent event, Deadline deadline) {
        event.graph().callBegins(SchedulingPoint.AWAIT, event.name());
        if (event.isComplete()) {
            return true;
        }
        event.graph().requireRunning();
        WorkerThread worker = WorkerThread.current(event.graph());
        if (worker != null) {
            runIfQueued(worker, event);
            return event.isComplete() || retract(worker.context, worker, event, deadline);
        }
        ThreadContext context = (ThreadContext) event.graph().currentContext();
        event.graph().inheritance().waitBegins(event, context);
        return context == null ? blockForeign(event, deadline) : pumpLocal(context, event, deadline);
    }

    /** As {@link TaskGraph#awaitAll}. */
    public static void awaitAll(GraphCore graph, @Nullable GraphEvent[] events) {
        for (GraphEvent event : events) {
            if (event != null && ((CoreEvent) event).graph() != graph) {
                throw graph.foreign((CoreEvent) event, "an awaited event");
            }
        }
        runQueued(graph, events);
        TaskFailedException failure = null;
        for (GraphEvent given : events) {
            if (given == null) {
                continue;
            }
            CoreEvent event = (CoreEvent) given;
            await(event, Deadline.NEVER);
            Throwable outcome = event.failure();
            if (outcome != null && failure == null) {
                failure = new TaskFailedException(event.kind(), event.name(), outcome);
            } else if (outcome != null && failure != null) {
                failure.addSuppressed(new TaskFailedException(event.kind(), event.name(), outcome));
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /**
     * Checks a wait before it begins.
     *
     * @throws IllegalStateException if the event needs what the calling thread is in the middle of
     */
    public static void requireCanEnd(CoreEvent event) {
        if (event.graph().currentContext() instanceof ThreadContext context) {
            WaitGraph.requireAllCanEnd(context, event);
        }
    }

    /**
     * As {@link TaskGroup#join}. A worker first runs the children of the event at the end of its deque, and those that
     * they add there: no walk is needed for that.
     */
    public static void awaitForks(CoreEvent group) {
        WorkerThread worker = WorkerThread.current(group.graph());
        if (worker != null) {
            try {
                runForks(worker, group);
            } catch (Error e) {
                group.graph().error = e;
                throw group.graph().stopped(e);
            }
        }
        await(group, Deadline.NEVER);
    }

    private static void runForks(WorkerThread worker, CoreEvent group) {
        WorkStealingDeque<Task> deque =
                worker.deque(ThreadContext.levelOfParts(worker.context).ordinal());
        for (Task last = deque.last(); last != null && group.isOnlyWaiterFor(last); last = deque.last()) {
            group.graph().requireRunning();
            claimAndRun(worker, last);
        }
    }

    /** On a worker, the last first: so they lie in its deque if it has just dispatched them. */
    private static void runQueued(GraphCore graph, @Nullable GraphEvent[] events) {
        WorkerThread worker = WorkerThread.current(graph);
        if (worker == null) {
            return;
        }
        try {
            for (int i = events.length - 1; i >= 0; i--) {
                if (events[i] instanceof CoreEvent event && !event.isComplete()) {
                    graph.requireRunning();
                    runIfQueued(worker, event);
                }
            }
        } catch (Error e) {
            graph.error = e;
            throw graph.stopped(e);
        }
    }

    private static boolean blockForeign(CoreEvent event, Deadline deadline) {
        if (IdleSpin.awaitForeign(event, deadline)) {
            return true;
        }
        ThreadParker parker = new ThreadParker(event.graph().scheduler());
        Waiter waiter = event.registerWaiter(parker);
        if (waiter == null) {
            return true;
        }
        ForeignWaits waits = event.graph().foreignWaits();
        ForeignWaits.Entry entry = waits.begin(event, parker);
        long begun = 0L;
        while (!event.isComplete()) {
            event.graph().requireRunning();
            parker.prepare();
            if (event.isComplete() || event.graph().failStop().isStopped()) {
                parker.cancel();
            } else if (deadline.passed()) {
                parker.cancel();
                break;
            } else {
                begun = event.graph().stalls().park(parker, deadline, event, begun);
            }
        }
        waits.end(entry);
        leave(event, waiter);
        return event.isComplete();
    }

    private static boolean pumpLocal(ThreadContext context, CoreEvent event, Deadline deadline) {
        NamedLane lane = (NamedLane) Objects.requireNonNull(context.lane);
        WaitGraph.requireAllCanEnd(context, event);
        boolean nested = lane.isConsumer();
        boolean consumer = nested || lane.tryBecomeConsumer();
        Waiter waiter = null;
        long begun = 0L;
        try {
            waiter = event.registerWaiter(context.parker);
            while (!event.isComplete()) {
                event.graph().requireRunning();
                Task task = consumer ? lane.take(true, false) : null;
                if (task != null) {
                    context.waitsNoMore();
                    context.execute(task);
                    continue;
                }
                if (deadline.passed()) {
                    return event.isComplete();
                }
                WaitGraph.requireAllCanEnd(context, event);
                if (context.spinUntil(deadline, () -> event.isComplete() || (consumer && !lane.isEmpty(true)))) {
                    continue;
                }
                context.parker.prepare();
                if (event.isComplete()
                        || (consumer && !lane.isEmpty(true))
                        || event.graph().failStop().isStopped()) {
                    context.parker.cancel();
                } else {
                    begun = context.park(event, deadline, begun);
                }
            }
            return true;
        } finally {
            context.waitsNoMore();
            leave(event, waiter);
            if (consumer && !nested) {
                lane.endConsumer();
            }
        }
    }

    private static boolean retract(ThreadContext context, WorkerThread worker, CoreEvent event, Deadline deadline) {
        Retraction retraction = new Retraction(context, worker, event);
        retraction.run();
        if (event.isComplete()) {
            return true;
        }
        event.graph().inheritance().waitBegins(event, context);
        WorkerPool pool = worker.pool;
        Waiter waiter = event.registerWaiter(context.parker);
        boolean blocked = false;
        long begun = 0L;
        try {
            pool.enterBlocked(worker);
            blocked = true;
            while (!event.isComplete()) {
                event.graph().requireRunning();
                context.parker.prepare();
                if (event.isComplete() || event.graph().failStop().isStopped()) {
                    context.parker.cancel();
                } else if (deadline.passed()) {
                    context.parker.cancel();
                    return event.isComplete();
                } else if (canRun(retraction, context.parker)) {
                    context.parker.cancel();
                    pool.exitBlocked(worker);
                    blocked = false;
                    context.waitsNoMore();
                    retraction.run();
                    pool.enterBlocked(worker);
                    blocked = true;
                } else if (!context.spinUntil(deadline, () -> context.parker.parkedThread() == null)) {
                    begun = context.park(event, deadline, begun);
                }
            }
            return true;
        } finally {
            context.waitsNoMore();
            if (blocked) {
                pool.exitBlocked(worker);
            }
            leave(event, waiter);
        }
    }

    /** Runs the awaited task itself if it is ready and no other thread runs it; no walk is needed for that. */
    private static void runIfQueued(WorkerThread worker, CoreEvent event) {
        if (event instanceof Task task && task.target instanceof WorkerLevel && task.isQueued()) {
            claimAndRun(worker, task);
        }
    }

    private static void claimAndRun(WorkerThread worker, Task task) {
        worker.graph.reached(SchedulingPoint.CLAIM, task.name());
        if (!WorkerQueues.claim(worker, task)) {
            return;
        }
        ThreadContext context = worker.context;
        int outer = context.wantedWalk();
        context.setWantedWalk(0);
        try {
            context.execute(task);
        } finally {
            context.setWantedWalk(outer);
        }
    }

    /** The walk may find that the wait cannot end; the announced park must not outlive that. */
    private static boolean canRun(Retraction retraction, ThreadParker parker) {
        try {
            return retraction.canRun();
        } catch (IllegalStateException e) {
            parker.cancel();
            throw e;
        }
    }

    private static void leave(CoreEvent event, @Nullable Waiter waiter) {
        if (waiter != null && !event.isComplete()) {
            event.forgetWaiter(waiter);
        }
    }
}
