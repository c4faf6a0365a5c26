package io.frameloom.taskgraph.worker;

import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.parts.EventCount;
import io.frameloom.taskgraph.parts.PaddedLong;
import io.frameloom.taskgraph.task.FailStop;
import io.frameloom.taskgraph.task.GraphCore;
import io.frameloom.taskgraph.task.PriorityInheritance;
import io.frameloom.taskgraph.task.Task;
import org.jspecify.annotations.Nullable;

/**
 * How workers find work, sleep and wake. The second layer of {@link WorkerPool}.
 *
 * <p><b>Waking.</b> {@code searching} counts workers that are awake without work, including one that a
 * notification is on its way to. A producer wakes a sleeper only while fewer than {@code searchLimit}
 * search, or fewer than there are tasks in the shared queues; a worker that stops searching because it
 * found work looks whether there is more and wakes the next ones: wake, then propagate (after the scheme of
 * Dmitry Vyukov's Go scheduler). No wake-up is lost: a
 * producer publishes, passes a full fence and reads {@code searching}; a searcher takes itself off with a
 * volatile read-modify-write and looks at the queues <em>afterwards</em>.
 *
 * <p><b>Reserve.</b> BACKGROUND tasks are taken from the queues with one of {@code backgroundPermits}
 * permits, so the reserved workers stay free of them, unless something more urgent needs them
 * ({@link PriorityInheritance}).
 *
 * <p><b>Spare workers.</b> A spare that
 * is too many rests instead of taking a task; if it was searching it takes itself off, and passes a wake-up on, as if it
 * had found one.
 *
 * <p><b>Broadcasts.</b> {@link #scan} looks for the worker's own share first. See {@link Broadcasts}.
 */
public abstract class SearchingWorkers extends BlockedWorkers {
    /** A mask of the tasks that a worker has taken: at which the lowest level comes first, so that none starves. */
    private static final int LOWEST_FIRST = 255;

    /** Sleepers that one thread wakes in a row: waking costs the waker microseconds. */
    private static final int WAKES = 2;

    private final EventCount idle;
    private final PaddedLong searching = new PaddedLong(0);
    private final PaddedLong backgroundPermits;
    private final long searchLimit;

    SearchingWorkers(GraphCore graph, int count, int spareCount, int reserved) {
        super(graph, count, spareCount, reserved);
        this.idle = new EventCount(count + spareCount, 0L, graph.scheduler());
        this.backgroundPermits = new PaddedLong(backgroundCapacity);
        this.searchLimit = 1L + count / 4;
    }

    /**
     * Wakes sleepers while there are fewer searchers than the limit, or than tasks in the shared queues,
     * which are anybody's; at most two, each of which wakes two more: so a pool is awake after a number of
     * wake-ups in a row that is logarithmic in its size. A full fence or a volatile read-modify-write must
     * stand between the publication of work and this.
     */
    final void wakeSearcher() {
        int woken = 0;
        while (woken < WAKES) {
            long searchers = searching.valueVolatile();
            boolean enough = woken > 0 || searchers >= searchLimit;
            if ((enough && searchers >= queues.sharedForeground()) || !idle.hasWaiters()) {
                return;
            }
            if (searching.cas(searchers, searchers + 1)) {
                if (idle.notifyOne()) {
                    woken++;
                    continue;
                }
                // Others may have relied on the searcher announced here, which does not exist.
                searching.getAndAdd(-1);
                if (!hasRunnable()) {
                    return;
                }
            }
        }
    }

    private void stopSearching() {
        searching.getAndAdd(-1);
        graph.reached(SchedulingPoint.RECHECK, null);
        if (hasRunnable()) {
            wakeSearcher();
        }
    }

    private boolean hasRunnable() {
        return queues.hasForeground() || (queues.hasBackground() && backgroundPermits.valueVolatile() > 0);
    }

    final void returnPermit(WorkerThread worker) {
        worker.holdsBackgroundPermit = false;
        backgroundPermits.getAndAdd(1);
        if (queues.hasBackground()) {
            wakeSearcher();
        }
    }

    /** The next task of the worker. Sleeps while there is none; null when the graph closes and nothing is left. */
    final @Nullable Task next(WorkerThread worker) {
        graph.requireRunning();
        Task task = look(worker);
        return task != null ? task : search(worker);
    }

    /** A task, unless this is a spare worker that has to rest. */
    private @Nullable Task look(WorkerThread worker) {
        return spares.mustRest(worker) ? null : scan(worker);
    }

    private @Nullable Task scan(WorkerThread worker) {
        graph.reached(SchedulingPoint.TAKE, null);
        if (queues.showsMail()) {
            Task share = broadcasts.poll(worker.context);
            if (share != null) {
                return share;
            }
        }
        Task task;
        if ((worker.taken & LOWEST_FIRST) == LOWEST_FIRST) {
            task = takeBackground(worker);
            task = task != null ? task : queues.takeForegroundFromBelow(worker);
        } else {
            task = queues.takeForeground(worker);
            task = task != null ? task : takeBackground(worker);
        }
        if (task != null) {
            worker.taken++;
        }
        return task;
    }

    private @Nullable Task takeBackground(WorkerThread worker) {
        Task task = null;
        while (task == null && queues.showsBackground() && tryBackgroundPermit()) {
            task = queues.takeBackground(worker);
            if (task != null) {
                worker.holdsBackgroundPermit = true;
            } else {
                graph.reached(SchedulingPoint.TAKE, null);
                // Somebody may have gone to sleep for want of the permit: look again after returning it.
                backgroundPermits.getAndAdd(1);
            }
        }
        return task;
    }

    private boolean tryBackgroundPermit() {
        while (true) {
            long left = backgroundPermits.valueVolatile();
            if (left <= 0) {
                return false;
            }
            if (backgroundPermits.cas(left, left - 1)) {
                return true;
            }
        }
    }

    /** Looks for work, sleeping when there is none. Returns null when the graph closes and nothing is left. */
    private @Nullable Task search(WorkerThread worker) {
        searching.getAndAdd(1);
        boolean worked = true;
        while (true) {
            graph.requireRunning();
            // Outside of a frame one that was woken for nothing has nothing to wait for.
            Task task = worked || graph.frames().inProgress() > 0 ? spin(worker) : look(worker);
            if (task != null) {
                stopSearching();
                return task;
            }
            idle.prepareWait();
            searching.getAndAdd(-1);
            boolean rests = spares.mustRest(worker);
            task = rests ? null : scan(worker);
            if (task != null || rests || graph.isClosing()) {
                if (idle.cancelWait()) {
                    stopSearching();
                } else if ((task != null || rests) && hasRunnable()) {
                    wakeSearcher();
                }
                if (!rests) {
                    return task;
                }
                if (!spares.rest(worker)) {
                    return null;
                }
                searching.getAndAdd(1);
                continue;
            }
            worker.context.beforePark(null);
            boolean notified = idle.commitWait(worker.index, worker.wanted);
            worked = false;
            worker.context.afterPark();
            if (notified) {
                graph.wakeLatency().record(idle.lastWakeLatencyNanos(worker.index));
            } else {
                searching.getAndAdd(1);
            }
        }
    }

    private @Nullable Task spin(WorkerThread worker) {
        if (spares.mustRest(worker)) {
            return null;
        }
        Task task = scan(worker);
        if (task != null) {
            return task;
        }
        long budget = worker.context.spinNanos();
        if (budget <= 0) {
            return null;
        }
        long start = System.nanoTime();
        do {
            for (int i = 0; i < 8; i++) {
                task = scan(worker);
                if (task != null) {
                    return task;
                }
                Thread.onSpinWait();
            }
        } while (System.nanoTime() - start < budget && !graph.isClosing() && !spares.mustRest(worker));
        return null;
    }

    /** Lets every worker look at its mailbox; after the shares were put there. */
    final void wakeForMail() {
        // Afterwards: whoever is counted too late is only missing for a moment, which wakes one too many.
        searching.getAndAdd(idle.notifyAllWaiters());
        for (WorkerThread worker : workers) {
            worker.context.parker.wake();
        }
    }

    /** Workers that are awake without work; exact only while nothing happens. */
    public final long searching() {
        return searching.valueVolatile();
    }

    /** Lets every worker go on, wherever it parks, see {@link FailStop}. */
    public final void releaseAll() {
        idle.releaseAll();
        for (WorkerThread worker : workers) {
            worker.context.parker.release();
        }
    }

    /** Wakes everybody so that they see the graph closing. */
    public final void wakeAll() {
        idle.notifyAllWaiters();
        wakeBlocked(null);
    }
}
