package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.graph.GraphParts;
import io.frameloom.taskgraph.named.NamedLane;
import io.frameloom.taskgraph.parts.Deadline;
import io.frameloom.taskgraph.parts.Fields;
import io.frameloom.taskgraph.parts.ThreadParker;
import io.frameloom.taskgraph.task.FailStop;
import io.frameloom.taskgraph.task.Task;
import io.frameloom.taskgraph.worker.IdleSpin;
import io.frameloom.taskgraph.worker.ThreadContext;
import io.frameloom.taskgraph.worker.WorkerPool;
import io.frameloom.taskgraph.worker.WorkerThread;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The three ways to wait for a run of a compiled graph. Called by the waiting thread; any number of threads
 * at a time.
 *
 * <p>In each of them the thread registers, announces its park, then looks once more whether the run is in
 * progress (and at whatever else can end the wait), then parks; completion stores the generation, passes a
 * full fence and then calls {@link #wakeAll}. So no wait outlives the run, and a timeout is reported only
 * after the run was found in progress.
 */
final class RunAwaiting {
    private static final VarHandle SPARE =
            Fields.handle(MethodHandles.lookup(), RunAwaiting.class, "spare", ThreadParker.class);

    private static final VarHandle WAITERS =
            Fields.handle(MethodHandles.lookup(), RunAwaiting.class, "waiters", RunWaiters.class);

    private static final Consumer<ThreadParker> WAKE = ThreadParker::wake;
    /** Made early: there may be no memory for it when it is needed. */
    private static final Consumer<ThreadParker> RELEASE = ThreadParker::release;

    private final RunCore event;
    private final GraphRun run;
    private final GraphParts graph;
    private final RunCaller caller;
    /** Made by the first thread that waits: most graphs that run once have none. */
    @SuppressWarnings("unused") // accessed through WAITERS, too
    private volatile @Nullable RunWaiters waiters;

    /** A parker for threads outside of the graph, kept so that waiting allocates nothing. */
    @SuppressWarnings("unused") // accessed through SPARE
    private volatile @Nullable ThreadParker spare;

    RunAwaiting(RunCore event, GraphRun run, RunCaller caller) {
        this.event = event;
        this.run = run;
        this.graph = run.graph;
        this.caller = caller;
    }

    /** The threads that wait at some moment; for reports. */
    List<Thread> waitingThreads() {
        List<Thread> found = new ArrayList<>();
        RunWaiters known = waiters;
        if (known != null) {
            known.forEach(parker -> {
                Thread thread = parker.parkedThread();
                if (thread != null) {
                    found.add(thread);
                }
            });
        }
        Thread executing = run.parkedCaller();
        if (executing != null) {
            found.add(executing);
        }
        return found;
    }

    /** After the run or a node was completed, and a full fence. */
    void wakeAll() {
        RunWaiters known = waiters;
        if (known != null && !known.isEmpty()) {
            known.forEach(WAKE);
        }
    }

    /** Lets the threads that wait go on, see {@link FailStop}. */
    void releaseAll() {
        RunWaiters known = waiters;
        if (known != null) {
            known.forEach(RELEASE);
        }
        caller.releaseParked();
    }

    private RunWaiters waiters() {
        RunWaiters known = waiters;
        if (known != null) {
            return known;
        }
        RunWaiters made = new RunWaiters();
        RunWaiters other = (RunWaiters) WAITERS.compareAndExchange(this, (RunWaiters) null, made);
        return other == null ? made : other;
    }

    /**
     * Waits for the end of a run or, sooner, of a node. For a node a thread outside of the graph takes no part in the
     * run, which could keep it from seeing the end.
     *
     * @return false if the deadline passed first
     */
    boolean block(long running, @Nullable NodeEvent node, @Nullable ThreadContext context, Deadline deadline) {
        if (context == null) {
            return blockForeign(running, node, deadline);
        }
        return context.worker != null
                ? blockWorker(running, node, context, context.worker, deadline)
                : blockNamed(running, node, context, (NamedLane) Objects.requireNonNull(context.lane), deadline);
    }

    private boolean blockForeign(long running, @Nullable NodeEvent node, Deadline deadline) {
        if (node == null) {
            caller.join(null);
        }
        if (spin(running, node, null, RunLane.NONE, null)) {
            return true;
        }
        ThreadParker kept = (ThreadParker) SPARE.getAndSet(this, (ThreadParker) null);
        ThreadParker parker = kept == null ? new ThreadParker(graph.scheduler()) : kept;
        run.reached(SchedulingPoint.REGISTER);
        RunWaiters others = waiters();
        int place = others.add(parker);
        long begun = 0L;
        while (event.isPending(running, node)) {
            graph.requireRunning();
            parker.prepare();
            if (!event.isPending(running, node) || graph.failStop().isStopped()) {
                parker.cancel();
            } else if (deadline.passed()) {
                parker.cancel();
                break;
            } else {
                begun = graph.stalls().park(parker, deadline, event, begun);
            }
        }
        others.remove(place, parker);
        spare = parker;
        return !event.isPending(running, node);
    }

    private boolean blockWorker(
            long running, @Nullable NodeEvent node, ThreadContext context, WorkerThread worker, Deadline deadline) {
        caller.join(context);
        if (spin(running, node, context, RunLane.NONE, null)) {
            return true;
        }
        ThreadParker parker = context.parker;
        WorkerPool pool = graph.workers();
        run.reached(SchedulingPoint.REGISTER);
        RunWaiters others = waiters();
        int place = others.add(parker);
        long begun = 0L;
        boolean late = false;
        while (!late && event.isPending(running, node)) {
            graph.requireRunning();
            pool.enterBlocked(worker);
            parker.prepare();
            boolean canJoin = false;
            if (!event.isPending(running, node) || graph.failStop().isStopped()) {
                parker.cancel();
            } else if (deadline.passed()) {
                parker.cancel();
                late = true;
            } else if (run.hasAnyWork() && caller.isFree()) {
                parker.cancel();
                canJoin = true;
            } else {
                begun = context.parkInRun(event, deadline, begun);
            }
            pool.exitBlocked(worker);
            if (canJoin) {
                caller.join(context);
            }
        }
        others.remove(place, parker);
        return !event.isPending(running, node);
    }

    private boolean blockNamed(
            long running, @Nullable NodeEvent node, ThreadContext context, NamedLane lane, Deadline deadline) {
        boolean nested = lane.isConsumer();
        boolean consumer = nested || lane.tryBecomeConsumer();
        RunLane[] own = consumer ? caller.lanesOf(context) : RunLane.NONE;
        ThreadParker parker = context.parker;
        for (RunLane served : own) {
            served.beginServing(parker);
        }
        run.reached(SchedulingPoint.REGISTER);
        RunWaiters others = waiters();
        int place = others.add(parker);
        long begun = 0L;
        while (event.isPending(running, node)) {
            graph.requireRunning();
            if (serve(own)) {
                continue;
            }
            Task task = consumer ? lane.take(true, false) : null;
            if (task != null) {
                context.execute(task);
                continue;
            }
            if (deadline.passed()) {
                break;
            }
            if (spin(running, node, context, own, consumer ? lane : null)) {
                continue;
            }
            parker.prepare();
            if (graph.failStop().isStopped() || isAwaited(running, node, own, consumer ? lane : null)) {
                parker.cancel();
            } else {
                begun = context.parkInRun(event, deadline, begun);
            }
        }
        others.remove(place, parker);
        for (RunLane served : own) {
            served.endServing();
        }
        if (consumer && !nested) {
            lane.endConsumer();
        }
        return !event.isPending(running, node);
    }

    private static boolean serve(RunLane[] lanes) {
        boolean any = false;
        for (RunLane lane : lanes) {
            if (!lane.isEmpty()) {
                lane.run(null);
                any = true;
            }
        }
        return any;
    }

    /** Whether there is something to do for a waiter that serves lanes and the local queue of its thread. */
    private boolean isAwaited(long running, @Nullable NodeEvent node, RunLane[] lanes, @Nullable NamedLane local) {
        return !event.isPending(running, node) || RunLane.anyReady(lanes) || (local != null && !local.isEmpty(true));
    }

    private boolean spin(
            long running,
            @Nullable NodeEvent node,
            @Nullable ThreadContext context,
            RunLane[] lanes,
            @Nullable NamedLane local) {
        if (isAwaited(running, node, lanes, local)) {
            return true;
        }
        long budget = IdleSpin.nanosInRun(graph, context);
        if (budget <= 0L) {
            return false;
        }
        long begin = System.nanoTime();
        do {
            for (int i = 0; i < 16; i++) {
                if (isAwaited(running, node, lanes, local)) {
                    return true;
                }
                Thread.onSpinWait();
            }
        } while (System.nanoTime() - begin < budget);
        return false;
    }
}
