package io.frameloom.taskgraph;

import io.frameloom.taskgraph.internal.EventCount;
import io.frameloom.taskgraph.internal.PaddedLong;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The workers: how they find work, sleep and wake.
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
 * <p><b>Blocked workers.</b> A worker inside a wait runs only what it waits for, and is woken when such a
 * task becomes ready ({@link Retraction}). Where two workers wait for the same task only one of them is;
 * therefore, when every worker that might take a queued task is blocked, all blocked workers are woken to look
 * whether the task is theirs; likewise when the last of them blocks. The counter is raised before a worker's last look and
 * read after publication, with a full fence between on both sides.
 *
 * <p><b>Blocking regions.</b> A worker that blocks outside of the graph counts as blocked, too, and a spare worker takes
 * its place ({@link SpareWorkers}). It keeps its permit: BACKGROUND gets no further worker by blocking. A spare that
 * is too many rests instead of taking a task; if it was searching it takes itself off, and passes a wake-up on, as if it
 * had found one.
 *
 * <p><b>Broadcasts.</b> {@link #scan} looks for the worker's own share first. See {@link Broadcasts}.
 */
final class WorkerPool {
    /** Successors that a worker runs in a row before it looks at its queues again. */
    private static final int LONGEST_CHAIN = 256;

    /** A mask of the tasks that a worker has taken: at which the lowest level comes first, so that none starves. */
    private static final int LOWEST_FIRST = 255;

    /** Sleepers that one thread wakes in a row: waking costs the waker microseconds. */
    private static final int WAKES = 2;

    private final TaskGraph graph;
    private final WorkerQueues queues;
    private final EventCount idle;
    private final PaddedLong searching = new PaddedLong(0);
    private final PaddedLong backgroundPermits;
    /** Worker threads that can take no task: inside a wait or a blocking region, resting, or ended. */
    private final PaddedLong blocked = new PaddedLong(0);

    private final PaddedLong blockedBackground = new PaddedLong(0);
    /** Searchers that were announced and do not exist: a notification failed by an error. Guarded by {@code queues}. */
    private long phantoms;

    private final long searchLimit;
    private final int backgroundCapacity;
    /** All of them: the spare ones are the last. */
    private final List<WorkerThread> workers;

    private final int count;
    private final SpareWorkers spares;
    /** By the rank of their level. */
    private final List<ParallelForHelpers> loopHelpers = new ArrayList<>(WorkerQueues.LEVELS);

    WorkerPool(TaskGraph graph, int count, int spareCount, int reserved) {
        this.graph = graph;
        this.count = count;
        this.idle = new EventCount(count + spareCount, 0L, graph.scheduler());
        this.backgroundCapacity = count - reserved;
        this.backgroundPermits = new PaddedLong(backgroundCapacity);
        this.searchLimit = 1L + count / 4;
        WorkerThread[] all = new WorkerThread[count + spareCount];
        for (int i = 0; i < all.length; i++) {
            all[i] = new WorkerThread(graph, i, count);
        }
        this.workers = List.of(all);
        this.queues = new WorkerQueues(all);
        this.spares = new SpareWorkers(graph, workers.subList(count, all.length), count, blocked);
        for (WorkerLevel level : WorkerLevel.values()) {
            loopHelpers.add(level.rank, new ParallelForHelpers(graph, this, level, count));
        }
    }

    void start() {
        graph.runnable().getAndAdd(count);
        int started = 0;
        try {
            for (WorkerThread worker : workers.subList(0, count)) {
                graph.startThread(worker);
                started++;
            }
        } finally {
            if (started < count) {
                graph.lifecycle().threadsNeverStarted(count - started);
            }
        }
    }

    /** All worker threads, with the spare ones, started or not. */
    List<WorkerThread> workers() {
        return workers;
    }

    WorkerQueues queues() {
        return queues;
    }

    SpareWorkers spares() {
        return spares;
    }

    /** The loops of a level that can do with help. */
    ParallelForHelpers loopHelpers(WorkerLevel level) {
        return loopHelpers.get(level.rank);
    }

    /**
     * Queues a ready task; {@link #signal} must follow.
     *
     * @param worker the calling worker, or null
     * @return the sign to pass to the signal, as the number of a bit
     */
    int push(Task task, @Nullable WorkerThread worker) {
        graph.reached(SchedulingPoint.ENQUEUE, task.name());
        task.setQueued();
        return queues.offer(task, worker);
    }

    /** As {@link #push}, so that the calling worker does not find it first. */
    int pushShared(Task task) {
        graph.reached(SchedulingPoint.ENQUEUE, task.name());
        task.setQueued();
        return queues.offerShared(task);
    }

    /** Queues a queued task once more, because it has become more urgent. */
    void pushAgain(Task task) {
        signal(1 << queues.offerShared(task));
    }

    /** The worker that waits, or waited, for what a walk of the given number came to. */
    Wakeable walker(int walk) {
        return workers.get(Retraction.walker(walk));
    }

    /** Sees to it that pushed tasks are noticed: those of the given signs. */
    void signal(int signs) {
        VarHandle.fullFence();
        queues.publish(signs);
        graph.inheritance().settle();
        wakeSearcher();
        wakeIfAllBlocked();
        if (graph.isTerminated()) {
            failRest();
        }
    }

    /** Lets blocked workers look for what they wait for when nobody else could; after a full fence. */
    void wakeIfAllBlocked() {
        long blockedNow = blocked.valueVolatile();
        if (blockedNow > 0
                && (blockedNow >= workers.size()
                        || (queues.showsBackground() && blockedBackground.valueVolatile() >= backgroundCapacity))) {
            wakeBlocked(null);
        }
    }

    /**
     * Wakes sleepers while there are fewer searchers than the limit, or than tasks in the shared queues,
     * which are anybody's; at most two, each of which wakes two more: so a pool is awake after a number of
     * wake-ups in a row that is logarithmic in its size. A full fence or a volatile read-modify-write must
     * stand between the publication of work and this.
     */
    void wakeSearcher() {
        int woken = 0;
        while (woken < WAKES) {
            long searchers = searching.valueVolatile();
            if (phantoms != 0) {
                takeBackPhantoms();
                continue;
            }
            boolean enough = woken > 0 || searchers >= searchLimit;
            if ((enough && searchers >= queues.sharedForeground()) || !idle.hasWaiters()) {
                return;
            }
            if (searching.cas(searchers, searchers + 1)) {
                boolean notified;
                try {
                    notified = idle.notifyOne();
                } catch (Throwable e) {
                    // No call here: the stack may have ended.
                    synchronized (queues) {
                        phantoms++;
                    }
                    throw e;
                }
                if (notified) {
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

    private void takeBackPhantoms() {
        synchronized (queues) {
            searching.getAndAdd(-phantoms);
            phantoms = 0;
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

    void work(WorkerThread worker) {
        try {
            if (spares.awaitCall(worker)) {
                for (Task task = nextOrRetry(worker); task != null; task = nextOrRetry(worker)) {
                    runGuarded(worker, task);
                }
            }
        } finally {
            try {
                ended(worker);
            } finally {
                // Whatever happened: close waits for it.
                graph.lifecycle().threadEnded();
            }
        }
    }

    private void ended(WorkerThread worker) {
        graph.runnable().getAndAdd(-1);
        try {
            // From here on this worker takes nothing: those who wait must not count on it.
            spares.ended(worker);
            wakeIfNobodyIsAble(worker);
        } finally {
            graph.broadcasts().workerEnded(worker.context);
        }
    }

    /** No error of one task, or of what follows from it, ends the worker. */
    private void runGuarded(WorkerThread worker, Task first) {
        try {
            runChain(worker, first);
        } catch (Throwable e) {
            worker.context.completer.report(first.name(), e);
        } finally {
            if (worker.holdsBackgroundPermit) {
                returnPermit(worker);
            }
        }
    }

    private void returnPermit(WorkerThread worker) {
        worker.holdsBackgroundPermit = false;
        backgroundPermits.getAndAdd(1);
        if (queues.hasBackground()) {
            wakeSearcher();
        }
    }

    /** Lets those who wait look for what they wait for, if nobody can take it; after one more was counted as blocked. */
    void wakeIfNobodyIsAble(WorkerThread self) {
        if (blocked.valueVolatile() >= workers.size()) {
            wakeBlocked(self);
        }
    }

    private void runChain(WorkerThread worker, Task first) {
        Task task = first.redeemed();
        int length = 0;
        while (task != null) {
            ExecutionTarget target = task.target;
            if (target == null) {
                return;
            }
            if (target == WorkerLevel.BACKGROUND && !worker.holdsBackgroundPermit) {
                // A raised task; those behind it may not be.
                target = WorkerLevel.NORMAL;
            }
            Task next = worker.context.executeAndContinue(task, target);
            // An interrupt is addressed to a task; the next one must not find it.
            Thread.interrupted();
            if (next != null) {
                if (++length >= LONGEST_CHAIN || queues.goesBefore(next.urgency(), worker) || spares.mustRest(worker)) {
                    signal(1 << pushShared(next));
                    next = null;
                } else {
                    next.setRunning();
                }
            }
            task = next;
        }
    }

    private @Nullable Task next(WorkerThread worker) {
        Task task = look(worker);
        return task != null ? task : search(worker);
    }

    /** A task, unless this is a spare worker that has to rest. */
    private @Nullable Task look(WorkerThread worker) {
        return spares.mustRest(worker) ? null : scan(worker);
    }

    /** Looking for work allocates nothing, but the JVM may, where it links code that runs for the first time. */
    private @Nullable Task nextOrRetry(WorkerThread worker) {
        OutOfMemoryError reported = null;
        while (true) {
            try {
                return next(worker);
            } catch (OutOfMemoryError e) {
                if (reported == null) {
                    reported = e;
                    worker.context.completer.report(worker.getName(), e);
                }
                Thread.onSpinWait();
            }
        }
    }

    private @Nullable Task scan(WorkerThread worker) {
        graph.reached(SchedulingPoint.TAKE, null);
        if (queues.showsMail()) {
            Task share = graph.broadcasts().poll(worker.context);
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
            Task task = lookAsSearcher(worker, worked);
            if (task != null) {
                stopSearching();
                return task;
            }
            idle.prepareWait();
            searching.getAndAdd(-1);
            boolean rests = spares.mustRest(worker);
            task = rests ? null : lookAgain(worker);
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

    /** Looks as a searcher; if that ends in an error it is none any more. */
    private @Nullable Task lookAsSearcher(WorkerThread worker, boolean worked) {
        try {
            // Outside of a frame one that was woken for nothing has nothing to wait for.
            return worked || graph.frames().inProgress() > 0 ? spin(worker) : look(worker);
        } catch (Throwable e) {
            notePhantom();
            throw e;
        }
    }

    /** The look of a worker that has announced its sleep. */
    private @Nullable Task lookAgain(WorkerThread worker) {
        try {
            return scan(worker);
        } catch (Throwable e) {
            if (idle.cancelWait()) {
                notePhantom();
            }
            throw e;
        }
    }

    private void notePhantom() {
        synchronized (queues) {
            phantoms++;
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

    /** Counts a worker as unable to take new work; before its last look at what it waits for. */
    void enterBlocked(WorkerThread worker) {
        graph.reached(SchedulingPoint.PARK, null);
        worker.blocked = true;
        boolean none = blocked.getAndAdd(1) + 1 >= workers.size();
        if (worker.holdsBackgroundPermit) {
            none |= blockedBackground.getAndAdd(1) + 1 >= backgroundCapacity;
        }
        if (none) {
            try {
                wakeBlocked(worker);
            } catch (Throwable e) {
                exitBlocked(worker);
                throw e;
            }
        }
    }

    void exitBlocked(WorkerThread worker) {
        worker.blocked = false;
        blocked.getAndAdd(-1);
        if (worker.holdsBackgroundPermit) {
            blockedBackground.getAndAdd(-1);
        }
    }

    /** Lets every worker look at its mailbox; after the shares were put there. */
    void wakeForMail() {
        // Afterwards: whoever is counted too late is only missing for a moment, which wakes one too many.
        searching.getAndAdd(idle.notifyAllWaiters());
        for (WorkerThread worker : workers) {
            worker.context.parker.wake();
        }
    }

    private void wakeBlocked(@Nullable WorkerThread except) {
        for (WorkerThread worker : workers) {
            if (worker != except && worker.blocked) {
                worker.context.parker.wake();
            }
        }
    }

    /** Wakes everybody so that they see the graph closing. */
    void wakeAll() {
        idle.notifyAllWaiters();
        wakeBlocked(null);
    }

    /** After the last worker has ended: fails what raced with the end. */
    void failRest() {
        while (queues.hasForeground() || queues.hasBackground()) {
            for (Task task = queues.takeAny(); task != null; task = queues.takeAny()) {
                TaskGraphClosedException refusal = graph.refusals().closedWhilePending(task.name());
                if (!task.dropIfReusable(refusal)) {
                    graph.completer().finish(task, task.isTicket() ? null : refusal);
                }
            }
        }
    }

    /** Workers that are awake without work; exact only while nothing happens. */
    long searching() {
        return searching.valueVolatile();
    }

    /** Worker threads that can take no task; exact only while nothing happens. */
    long blocked() {
        return blocked.valueVolatile();
    }

    /** Whether work of a level above the given one is queued. A hint. */
    boolean moreUrgent(WorkerLevel level) {
        return queues.moreUrgent(PriorityInheritance.urgency(level, true));
    }

    int queued(WorkerLevel level) {
        return queues.size(level);
    }
}
