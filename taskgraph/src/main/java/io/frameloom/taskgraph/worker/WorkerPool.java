package io.frameloom.taskgraph.worker;

import io.frameloom.taskgraph.ExecutionTarget;
import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.TaskGraphClosedException;
import io.frameloom.taskgraph.WorkerLevel;
import io.frameloom.taskgraph.parts.EventCount;
import io.frameloom.taskgraph.parts.PaddedLong;
import io.frameloom.taskgraph.parts.ThreadParker;
import io.frameloom.taskgraph.parts.WakeLatency;
import io.frameloom.taskgraph.parts.Wakeable;
import io.frameloom.taskgraph.task.FailStop;
import io.frameloom.taskgraph.task.GraphCore;
import io.frameloom.taskgraph.task.PriorityInheritance;
import io.frameloom.taskgraph.task.Task;
import io.frameloom.taskgraph.task.TaskQueues;
import io.frameloom.taskgraph.task.TaskThread;
import io.frameloom.taskgraph.task.Urgency;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The workers of a graph: what they are given, how they find and run it, sleep and wake.
 *
 * <p><b>Waking.</b> {@code searching} counts workers that look at the queues, mostly one, including one that a
 * notification is on its way to. Others that are awake without work are not counted: they wait actively, each at its own
 * place among the sleepers, since producers would pay for every thread that reads their queues. A producer wakes a
 * sleeper only if none searches; while the whole pool is parked, up to two per signal. A worker that stops searching
 * because it found work looks whether there is more, and wakes up to two: wake, then propagate (after the scheme of
 * Dmitry Vyukov's Go scheduler). So wake-ups cost the workers, not the producer, and a pool is awake after a number of
 * wake-ups in a row that is logarithmic in its size. No wake-up is lost: a producer publishes, passes a full fence and
 * reads {@code searching}; a searcher takes itself off with a volatile read-modify-write and looks at the queues
 * <em>afterwards</em>.
 *
 * <p><b>Reserve.</b> BACKGROUND tasks are taken from the queues with one of {@code backgroundPermits} permits, so the
 * reserved workers stay free of them, unless something more urgent needs them ({@link PriorityInheritance}).
 *
 * <p><b>Spare workers.</b> A surplus spare rests instead of taking a task. If it was searching it takes itself off, and
 * passes a wake-up on, as if it had found one.
 *
 * <p><b>Broadcasts.</b> {@link #scan} looks for the worker's own share first. See {@link Broadcasts}.
 *
 * <p><b>Waits.</b> A worker inside a wait runs only what it waits for, and is woken when such a task becomes ready
 * ({@code Retraction}). Where two workers wait for the same task only one of them is. Therefore, when every worker that
 * might take a queued task is blocked, all blocked workers are woken to look whether the task is theirs; likewise when
 * the last of them blocks. The counter is raised before a worker's last look and read after publication, with a full
 * fence between on both sides.
 *
 * <p><b>Blocking regions.</b> A worker that blocks outside of the graph counts as blocked, too, and a spare worker
 * takes its place ({@link SpareWorkers}). It keeps its permit: BACKGROUND gets no further worker by blocking.
 *
 * <p><b>End.</b> Workers end while the graph closes and nothing is queued. A body on a named thread may still queue a
 * task then, and wait for it. So the last worker that ends sets {@code ended}, then fails what is queued. A producer
 * publishes, passes a full fence and reads {@code ended} <em>afterwards</em>. Both are volatile, so one of the two
 * threads sees the other: no task is left.
 */
public final class WorkerPool extends TaskQueues {
    /** Successors that a worker runs in a row before it looks at its queues again. */
    private static final int LONGEST_CHAIN = 256;

    /** A mask of the tasks that a worker has taken: at which the lowest level comes first, so that none starves. */
    private static final int LOWEST_FIRST = 255;

    /** Sleepers that one thread wakes in a row: each costs the waker microseconds. */
    private static final int WAKES = 2;

    /** The first ones are slower, as the code is cold. */
    private static final int MEASURED_WAKE_UPS = 8;

    final GraphCore graph;
    final WorkerQueues queues;
    /** All of them: the spare ones are the last. */
    final List<WorkerThread> workers;

    final SpareWorkers spares;
    final Broadcasts broadcasts;
    /** Workers that may run BACKGROUND tasks at a time. */
    final int backgroundCapacity;

    /** Worker threads that can take no task: inside a wait or a blocking region, resting, or ended. */
    private final PaddedLong blocked = new PaddedLong(0);

    private final PaddedLong blockedBackground = new PaddedLong(0);

    /** That of {@link PriorityInheritance}: every signal looks at it. */
    private final PaddedLong unsettled;

    private final EventCount idle;
    private final PaddedLong searching = new PaddedLong(0);
    /** Idle workers that the system has to wake. */
    private final PaddedLong parked = new PaddedLong(0);

    private final PaddedLong backgroundPermits;

    private final int count;
    /** Set when no thread takes queued tasks any more: all have ended but spares that rest, which end too. */
    private volatile boolean ended;
    /** By the rank of their level. */
    private final List<ParallelForHelpers> loopHelpers = new ArrayList<>(WorkerQueues.LEVELS);

    public WorkerPool(GraphCore graph, int count, int spareCount, int reserved) {
        this.graph = graph;
        this.backgroundCapacity = count - reserved;
        this.unsettled = graph.inheritance().unsettled();
        WorkerThread[] all = new WorkerThread[count + spareCount];
        for (int i = 0; i < all.length; i++) {
            all[i] = new WorkerThread(this, i, count);
        }
        this.workers = List.of(all);
        this.queues = new WorkerQueues(all);
        this.broadcasts = new Broadcasts(this);
        this.spares = new SpareWorkers(this, workers.subList(count, all.length), count, blocked);
        this.idle = new EventCount(count + spareCount, 0L, graph.scheduler());
        this.backgroundPermits = new PaddedLong(backgroundCapacity);
        this.count = count;
        for (WorkerLevel level : WorkerLevel.values()) {
            loopHelpers.add(level.ordinal(), new ParallelForHelpers(graph, this, level, count));
        }
    }

    public void start() {
        graph.runnable().getAndAdd(count);
        int started = 0;
        try {
            for (WorkerThread worker : workers.subList(0, count)) {
                graph.startThread(worker);
                started++;
            }
        } finally {
            if (started < count) {
                graph.threadsNeverStarted(count - started);
            }
        }
    }

    ParallelForHelpers loopHelpers(WorkerLevel level) {
        return loopHelpers.get(level.ordinal());
    }

    @Override
    public int push(Task task, @Nullable TaskThread worker) {
        graph.reached(SchedulingPoint.ENQUEUE, task.name());
        task.setQueued();
        return queues.offer(task, (WorkerThread) worker);
    }

    /** Queues a new task of normal priority for the calling worker, which completes nothing now. */
    public void fork(Task task, WorkerThread worker) {
        int sign = push(task, worker);
        int walk = task.walk();
        signal(1 << sign);
        if (walk != 0) {
            walker(walk).wake();
        }
    }

    @Override
    public int pushShared(Task task) {
        graph.reached(SchedulingPoint.ENQUEUE, task.name());
        task.setQueued();
        return queues.offerShared(task);
    }

    @Override
    public void pushAgain(Task task) {
        signal(1 << queues.offerShared(task));
    }

    @Override
    public Wakeable walker(int walk) {
        return workers.get(ThreadContext.walker(walk));
    }

    @Override
    public void signal(int signs) {
        VarHandle.fullFence();
        queues.publish(signs);
        if (unsettled.valueVolatile() > 0L) {
            graph.inheritance().settle();
        }
        // Below 0 while wakeForMail has yet to add those it woke: they may have looked already and sleep again.
        if (searching.valueVolatile() <= 0 || parked.valueOpaque() >= count) {
            wakeSearcher();
        }
        wakeIfAllBlocked();
        if (ended) {
            failRest();
        }
    }

    void work(WorkerThread worker) {
        if (spares.awaitCall(worker)) {
            for (Task task = next(worker); task != null; task = next(worker)) {
                runChain(worker, task);
                if (worker.holdsBackgroundPermit) {
                    returnPermit(worker);
                }
            }
        }
        graph.runnable().getAndAdd(-1);
        // From here on this worker takes nothing: threads that wait must not count on it.
        if (spares.ended(worker)) {
            ended = true;
            failRest();
        }
        wakeIfNobodyIsAble(worker);
        broadcasts.workerEnded(worker.context);
        graph.threadEnded();
    }

    private void runChain(WorkerThread worker, Task first) {
        Task task = ParallelForHelpers.redeemed(first);
        int length = 0;
        while (task != null) {
            ExecutionTarget target = task.target;
            if (target == null) {
                return;
            }
            if (target == WorkerLevel.BACKGROUND && !worker.holdsBackgroundPermit) {
                // A raised task; those after it may not be.
                target = WorkerLevel.NORMAL;
            }
            Task next = worker.context.executeAndContinue(task, target);
            // An interrupt is addressed to a task; the next one must not find it.
            Thread.interrupted();
            if (next != null) {
                if (++length >= LONGEST_CHAIN || queues.goesBefore(next.urgency(), worker) || mustRest(worker)) {
                    signal(1 << pushShared(next));
                    next = null;
                } else {
                    next.setRunning();
                }
            }
            task = next;
        }
    }

    /** After the last worker has ended: fails what is queued. */
    private void failRest() {
        while (queues.hasForeground() || queues.hasBackground()) {
            for (Task task = queues.takeAny(); task != null; task = queues.takeAny()) {
                TaskGraphClosedException refusal = graph.closedWhilePending(task.name());
                if (!task.dropIfReusable(refusal)) {
                    graph.completer().finish(task, ParallelForHelpers.isTicket(task) ? null : refusal);
                }
            }
        }
    }

    /** Whether work of a level above the given one is queued. A hint. */
    public boolean moreUrgent(WorkerLevel level) {
        return queues.moreUrgent(Urgency.of(level, true));
    }

    public int queued(WorkerLevel level) {
        return queues.size(level);
    }

    /**
     * Wakes a sleeper if none searches, and up to two while there are fewer searchers than tasks. A full fence or a
     * volatile read-modify-write must stand between the publication of work and this.
     */
    private void wakeSearcher() {
        int woken = 0;
        while (woken < WAKES) {
            long searchers = searching.valueVolatile();
            boolean enough = woken > 0 || searchers > 0;
            if (!idle.hasWaiters() || (enough && !queues.hasMoreThan(searchers))) {
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

    /**
     * Measures how long the wake-up of a worker takes before there is any work, so that the first frame knows it. Wakes
     * one sleeping worker after the other; each looks for work, finds none, and reports how long it took to wake. Ends
     * early when the time is up: the processors are busy then, and the result would mean little.
     */
    public void measureWakeUps(long limitNanos) {
        WakeLatency latency = graph.wakeLatency();
        long begin = System.nanoTime();
        for (int i = 0; i < MEASURED_WAKE_UPS; i++) {
            int seen = latency.samples();
            while (latency.samples() == seen) {
                if (System.nanoTime() - begin >= limitNanos) {
                    return;
                }
                wakeSearcher();
                Thread.onSpinWait();
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

    void returnPermit(WorkerThread worker) {
        worker.holdsBackgroundPermit = false;
        backgroundPermits.getAndAdd(1);
        if (queues.hasBackground()) {
            wakeSearcher();
        }
    }

    /** The next task of the worker. Sleeps while there is none; null when the graph closes and nothing is left. */
    @Nullable
    Task next(WorkerThread worker) {
        graph.requireRunning();
        Task task = look(worker);
        return task != null ? task : search(worker);
    }

    /** Whether a worker is a spare one too many. */
    private boolean mustRest(WorkerThread worker) {
        return worker.isSpare && spares.isSurplus();
    }

    /** A task, unless this is a spare worker that has to rest. */
    private @Nullable Task look(WorkerThread worker) {
        return mustRest(worker) ? null : scan(worker);
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
                // Another worker may have gone to sleep for lack of the permit: look again after returning it.
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
            worker.spinNanos = 0;
            worker.parked = false;
            // Outside of a frame one that was woken for nothing has nothing to wait for.
            Task task = worked || graph.framesInProgress() > 0 ? spin(worker) : look(worker);
            if (task != null) {
                stopSearching();
                return task;
            }
            idle.prepareWait();
            searching.getAndAdd(-1);
            boolean rests = mustRest(worker);
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
            boolean notified = idle.commitWait(worker.index, worker.wanted, worker.sleep);
            worked = !worker.parked;
            if (notified) {
                graph.wakeLatency().record(idle.lastWakeLatencyNanos(worker.index));
            } else {
                searching.getAndAdd(1);
            }
        }
    }

    /**
     * Looks for a task for as long as the idle policy allows. If another worker does so, too, the rest of that time
     * remains for the sleep.
     */
    private @Nullable Task spin(WorkerThread worker) {
        Task task = look(worker);
        if (task != null || mustRest(worker)) {
            return task;
        }
        long budget = worker.context.spinNanos();
        long left = budget;
        if (budget > 0) {
            long begin = System.nanoTime();
            while (left > 0 && !graph.isClosing() && !mustRest(worker)) {
                for (int i = 0; i < 8; i++) {
                    if (searching.valueVolatile() > 1) {
                        worker.spinNanos = left;
                        return null;
                    }
                    task = scan(worker);
                    if (task != null) {
                        return task;
                    }
                    Thread.onSpinWait();
                }
                left = budget - (System.nanoTime() - begin);
            }
        }
        return null;
    }

    void sleep(WorkerThread worker, ThreadParker parker) {
        worker.parked = !parker.spin(worker.spinNanos);
        if (worker.parked) {
            parked.getAndAdd(1);
            worker.context.beforePark(null);
        }
        parker.park();
        if (worker.parked) {
            worker.context.afterPark();
            parked.getAndAdd(-1);
        }
    }

    /** Lets every worker look at its mailbox; after the shares were put there. */
    void wakeForMail() {
        // Afterwards: only then it is known how many. A worker that is counted too late is only missing for a moment.
        // The count may be negative then, which wakes one too many.
        searching.getAndAdd(idle.notifyAllWaiters());
        for (WorkerThread worker : workers) {
            worker.context.parker.wake();
        }
    }

    /** Workers that look at the queues; exact only while nothing happens. */
    public long searching() {
        return searching.valueVolatile();
    }

    /** Lets every worker go on, wherever it parks, see {@link FailStop}. */
    public void releaseAll() {
        idle.releaseAll();
        for (WorkerThread worker : workers) {
            worker.context.parker.release();
        }
    }

    /** Wakes all workers so that they see the graph closing. */
    public void wakeAll() {
        idle.notifyAllWaiters();
        wakeBlocked(null);
    }

    /** All worker threads, with the spare ones, started or not. */
    public List<WorkerThread> workers() {
        return workers;
    }

    public WorkerQueues queues() {
        return queues;
    }

    public Broadcasts broadcasts() {
        return broadcasts;
    }

    SpareWorkers spares() {
        return spares;
    }

    /** Lets blocked workers look for what they wait for when no other could; after a full fence. */
    public void wakeIfAllBlocked() {
        long blockedNow = blocked.valueVolatile();
        if (blockedNow > 0
                && (blockedNow >= workers.size()
                        || (queues.showsBackground() && blockedBackground.valueVolatile() >= backgroundCapacity))) {
            wakeBlocked(null);
        }
    }

    /**
     * Lets waiting workers look for what they wait for, if no other can take it; after one more was counted as blocked.
     */
    void wakeIfNobodyIsAble(WorkerThread self) {
        if (blocked.valueVolatile() >= workers.size()) {
            wakeBlocked(self);
        }
    }

    /** Counts a worker as unable to take new work; before its last look at what it waits for. */
    public void enterBlocked(WorkerThread worker) {
        graph.reached(SchedulingPoint.PARK, null);
        worker.blocked = true;
        boolean none = blocked.getAndAdd(1) + 1 >= workers.size();
        if (worker.holdsBackgroundPermit) {
            none |= blockedBackground.getAndAdd(1) + 1 >= backgroundCapacity;
        }
        if (none) {
            wakeBlocked(worker);
        }
    }

    public void exitBlocked(WorkerThread worker) {
        worker.blocked = false;
        blocked.getAndAdd(-1);
        if (worker.holdsBackgroundPermit) {
            blockedBackground.getAndAdd(-1);
        }
    }

    void wakeBlocked(@Nullable WorkerThread except) {
        for (WorkerThread worker : workers) {
            if (worker != except && worker.blocked) {
                worker.context.parker.wake();
            }
        }
    }

    /** Worker threads that can take no task; exact only while nothing happens. */
    public long blocked() {
        return blocked.valueVolatile();
    }
}
