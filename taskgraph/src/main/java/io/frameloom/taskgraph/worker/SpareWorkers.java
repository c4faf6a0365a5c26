package io.frameloom.taskgraph.worker;

import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.TaskGraphClosedException;
import io.frameloom.taskgraph.parts.PaddedLong;
import io.frameloom.taskgraph.task.GraphCore;
import io.frameloom.taskgraph.task.Task;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The spare workers that stand in for workers in blocking regions (race 36).
 *
 * <pre>
 *   unstarted --region, or broadcast--> resting <--a region begins, or there are too many--> circulating --> ended
 * </pre>
 *
 * <p>A region that begins calls up a spare worker, unless more circulate than regions are open; then the surplus stands
 * in. A circulating spare is a worker like any other, but rests between two tasks if there is a surplus. So as many
 * threads take tasks as there are workers, and one more per region that has ended until a spare reaches the end of its
 * task. Resting spares end when the last thread that could begin a region has ended, not when the graph begins to
 * close: a task in a region may then wait for work that only a spare can run.
 *
 * <p>{@code unable} is the count of {@link WorkerPool} of threads that can take no task; it includes workers in a
 * region and spares that do not circulate. One lock guards everything; any thread may call any method. <b>Progress.</b>
 * Blocking, but for {@link #isSurplus}; nothing of the application runs under the lock.
 */
final class SpareWorkers {
    private final WorkerPool pool;
    private final GraphCore graph;
    private final PaddedLong unable;
    private final ArrayDeque<WorkerThread> unstarted;
    private final ArrayDeque<WorkerThread> resting;
    private int regions;
    private int circulating;
    /** Threads that can begin regions: workers and circulating spares that have not ended. */
    private int awake;

    private volatile boolean surplus;
    private volatile boolean over;

    SpareWorkers(WorkerPool pool, List<WorkerThread> spares, int workers, PaddedLong unable) {
        this.pool = pool;
        this.graph = pool.graph;
        this.unable = unable;
        this.unstarted = new ArrayDeque<>(spares);
        // With room for all: one that cannot grow would lose them.
        this.resting = new ArrayDeque<>(spares.size());
        this.awake = workers;
        unable.getAndAdd(spares.size());
    }

    /** Whether more spares are about than there are regions: each rests before it takes another task. */
    boolean isSurplus() {
        return surplus;
    }

    /** The calling worker begins to block outside of the graph. */
    void regionBegins(WorkerThread worker, String name) {
        callOne();
        pool.enterBlocked(worker);
        worker.context.beforePark(name);
    }

    void regionEnds(WorkerThread worker, String name) {
        worker.context.afterPark();
        pool.exitBlocked(worker);
        graph.reached(SchedulingPoint.COUNT, name);
        synchronized (this) {
            regions--;
            surplus = circulating > regions;
        }
    }

    private void callOne() {
        WorkerThread rested;
        WorkerThread fresh = null;
        synchronized (this) {
            regions++;
            rested = circulating < regions ? callUp(resting.pollLast()) : null;
            if (circulating < regions) {
                fresh = callUp(unstarted.pollFirst());
            }
            surplus = circulating > regions;
        }
        if (rested != null) {
            rested.context.parker.wake();
        }
        Throwable refusal = fresh == null ? null : start(fresh);
        if (refusal != null) {
            graph.reportUncaught("start of a spare worker, without which a blocking region has to do", refusal);
        }
    }

    private @Nullable WorkerThread callUp(@Nullable WorkerThread spare) {
        if (spare != null) {
            circulating++;
            awake++;
            unable.getAndAdd(-1);
            spare.resting = false;
        }
        return spare;
    }

    /** Lets the calling spare rest if it still is too many. Returns false if it has to end. */
    boolean rest(WorkerThread spare) {
        graph.reached(SchedulingPoint.PARK, null);
        if (tryRest(spare)) {
            pool.wakeIfNobodyIsAble(spare);
        }
        return awaitCall(spare);
    }

    /**
     * Waits until the calling thread does not rest any more; it runs its shares of broadcasts meanwhile. Returns false
     * if it has to end.
     */
    boolean awaitCall(WorkerThread spare) {
        ThreadContext context = spare.context;
        while (spare.resting) {
            graph.requireRunning();
            Task share = pool.broadcasts.poll(context);
            if (share != null) {
                context.execute(share);
                Thread.interrupted();
                continue;
            }
            context.parker.prepare();
            if (!spare.resting || context.mail.hasAny() || graph.failStop().isStopped()) {
                context.parker.cancel();
            } else if (over) {
                context.parker.cancel();
                return false;
            } else {
                context.park();
            }
        }
        return true;
    }

    private synchronized boolean tryRest(WorkerThread spare) {
        if (circulating <= regions) {
            return false;
        }
        spare.resting = true;
        resting.addLast(spare);
        unable.getAndAdd(1);
        leave(spare);
        return true;
    }

    /** A worker, or a spare, has ended. Returns whether no thread is left that takes queued tasks. */
    boolean ended(WorkerThread worker) {
        List<WorkerThread> ending;
        synchronized (this) {
            if (!worker.resting) {
                unable.getAndAdd(1);
                leave(worker);
            }
            ending = over ? List.copyOf(resting) : List.of();
        }
        for (WorkerThread spare : ending) {
            spare.context.parker.wake();
        }
        return over;
    }

    private void leave(WorkerThread worker) {
        if (worker.isSpare) {
            circulating--;
            surplus = circulating > regions;
        }
        if (--awake == 0) {
            over = true;
        }
    }

    /**
     * Starts the spares that have not been needed so far; they rest.
     *
     * @return why that is impossible, or null
     */
    @Nullable
    Throwable startAll(String broadcast) {
        for (WorkerThread spare = takeUnstarted(); spare != null; spare = takeUnstarted()) {
            Throwable refusal = start(spare);
            if (refusal != null) {
                return refusal instanceof TaskGraphClosedException
                        ? graph.closedWhilePending(broadcast)
                        : new IllegalStateException(
                                "'" + broadcast + "' did not run: spare worker " + spare.getName()
                                        + " could not be started; the system allows too few threads",
                                refusal);
            }
        }
        return null;
    }

    private synchronized @Nullable WorkerThread takeUnstarted() {
        WorkerThread spare = unstarted.pollFirst();
        if (spare != null) {
            resting.addFirst(spare);
        }
        return spare;
    }

    /** Returns why a spare cannot start, or null. */
    private @Nullable Throwable start(WorkerThread spare) {
        if (!graph.threadStarts(spare)) {
            takeBack(spare);
            return graph.closed(spare.getName());
        }
        graph.runnable().getAndAdd(1);
        try {
            graph.startThread(spare);
            return null;
        } catch (OutOfMemoryError e) {
            takeBack(spare);
            graph.runnable().getAndAdd(-1);
            graph.threadNotStarted(spare);
            return e;
        }
    }

    private synchronized void takeBack(WorkerThread spare) {
        unstarted.addFirst(spare);
        if (!resting.remove(spare)) {
            spare.resting = true;
            unable.getAndAdd(1);
            leave(spare);
        }
    }
}
