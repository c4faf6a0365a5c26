package io.frameloom.taskgraph;

import io.frameloom.taskgraph.internal.EventCount;
import io.frameloom.taskgraph.internal.PaddedLong;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The workers: how they find work, sleep and wake.
 *
 * <p><b>Waking.</b> {@code searching} counts workers that are awake without work, including one that a
 * notification is on its way to. A producer wakes a sleeper only while fewer than {@code searchLimit}
 * search; a worker that stops searching because it found work looks whether there is more and wakes the
 * next: wake one, then propagate (the scheme of Dmitry Vyukov's Go scheduler). No wake-up is lost: a
 * producer publishes, passes a full fence and reads {@code searching}; a searcher takes itself off with a
 * volatile read-modify-write and looks at the queues <em>afterwards</em>.
 *
 * <p><b>Reserve.</b> BACKGROUND tasks are taken from the queues with one of {@code backgroundPermits}
 * permits, so the reserved workers stay free of them.
 *
 * <p><b>Blocked workers.</b> A worker inside a wait runs only what it waits for. When a task is queued
 * and every worker that might take it is blocked, all blocked workers are woken to look whether the task
 * is theirs; likewise when the last of them blocks. The counter is raised before a worker's last look and
 * read after publication, with a full fence between on both sides.
 */
final class WorkerPool {
    /** Successors that a worker runs in a row before it looks at its queues again. */
    private static final int LONGEST_CHAIN = 256;

    private final TaskGraph graph;
    private final WorkerQueues queues = new WorkerQueues();
    private final EventCount idle;
    private final PaddedLong searching = new PaddedLong(0);
    private final PaddedLong backgroundPermits;
    private final PaddedLong blocked = new PaddedLong(0);
    private final PaddedLong blockedBackground = new PaddedLong(0);
    private final long searchLimit;
    private final int backgroundCapacity;
    private final List<WorkerThread> workers = new ArrayList<>();

    WorkerPool(TaskGraph graph, int count, int reserved) {
        this.graph = graph;
        this.idle = new EventCount(count);
        this.backgroundCapacity = count - reserved;
        this.backgroundPermits = new PaddedLong(backgroundCapacity);
        this.searchLimit = 1L + count / 4;
        for (int i = 0; i < count; i++) {
            workers.add(new WorkerThread(graph, i));
        }
    }

    void start() {
        graph.runnable().getAndAdd(workers.size());
        int started = 0;
        try {
            for (WorkerThread worker : workers) {
                worker.start();
                started++;
            }
        } finally {
            if (started < workers.size()) {
                graph.lifecycle().threadsNeverStarted(workers.size() - started);
            }
        }
    }

    List<WorkerThread> workers() {
        return workers;
    }

    /** Queues a ready task; {@link #signal} must follow. */
    void push(Task task) {
        task.setQueued();
        queues.offer(task);
    }

    /** Sees to it that pushed tasks are noticed. */
    void signal(boolean background) {
        wakeSearcher();
        wakeIfAllBlocked(background);
        if (graph.isTerminated()) {
            failRest();
        }
    }

    /** Lets blocked workers look for what they wait for when nobody else could; after a full fence. */
    void wakeIfAllBlocked(boolean background) {
        long blockedNow = blocked.valueVolatile();
        if (blockedNow > 0
                && (blockedNow >= workers.size()
                        || (background && blockedBackground.valueVolatile() >= backgroundCapacity))) {
            wakeBlocked(null);
        }
    }

    private void wakeSearcher() {
        VarHandle.fullFence();
        while (true) {
            long searchers = searching.valueVolatile();
            if (searchers >= searchLimit || !idle.hasWaiters()) {
                return;
            }
            if (searching.cas(searchers, searchers + 1)) {
                if (idle.notifyOne()) {
                    return;
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
        if (hasRunnable()) {
            wakeSearcher();
        }
    }

    private boolean hasRunnable() {
        return queues.hasForeground() || (queues.hasBackground() && backgroundPermits.valueVolatile() > 0);
    }

    void work(WorkerThread worker) {
        try {
            for (Task task = next(worker); task != null; task = next(worker)) {
                runChain(worker, task);
            }
        } finally {
            graph.runnable().getAndAdd(-1);
            // From here on this worker takes nothing: those who wait must not count on it.
            if (blocked.getAndAdd(1) + 1 >= workers.size()) {
                wakeBlocked(worker);
            }
            graph.lifecycle().threadEnded();
        }
    }

    private void runChain(WorkerThread worker, Task first) {
        Task task = first;
        int length = 0;
        while (task != null) {
            ExecutionTarget target = task.target;
            if (target == null) {
                return;
            }
            Task next = worker.context.executeAndContinue(task, target);
            // An interrupt is addressed to a task; the next one must not find it.
            Thread.interrupted();
            if (next != null && (++length >= LONGEST_CHAIN || queues.hasAbove(next))) {
                push(next);
                signal(next.target == WorkerLevel.BACKGROUND);
                next = null;
            }
            if (next != null) {
                next.setRunning();
            }
            task = next;
        }
        if (worker.holdsBackgroundPermit) {
            worker.holdsBackgroundPermit = false;
            backgroundPermits.getAndAdd(1);
            if (queues.hasBackground()) {
                wakeSearcher();
            }
        }
    }

    private @Nullable Task next(WorkerThread worker) {
        Task task = scan(worker);
        return task != null ? task : search(worker);
    }

    private @Nullable Task scan(WorkerThread worker) {
        Task task = queues.claimForeground();
        while (task == null && queues.hasBackground() && tryBackgroundPermit()) {
            task = queues.claimBackground();
            if (task != null) {
                worker.holdsBackgroundPermit = true;
            } else {
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
        while (true) {
            Task task = spin(worker);
            if (task != null) {
                stopSearching();
                return task;
            }
            idle.prepareWait();
            searching.getAndAdd(-1);
            task = scan(worker);
            if (task != null || graph.isClosing()) {
                if (idle.cancelWait()) {
                    stopSearching();
                } else if (task != null && hasRunnable()) {
                    wakeSearcher();
                }
                return task;
            }
            worker.context.beforePark(null);
            idle.commitWait(worker.index);
            worker.context.afterPark();
            graph.wakeLatency().record(idle.lastWakeLatencyNanos(worker.index));
        }
    }

    private @Nullable Task spin(WorkerThread worker) {
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
        } while (System.nanoTime() - start < budget && !graph.isClosing());
        return null;
    }

    /** Counts a worker as unable to take new work; before its last look at what it waits for. */
    void enterBlocked(WorkerThread worker) {
        worker.blocked = true;
        boolean none = blocked.getAndAdd(1) + 1 >= workers.size();
        if (worker.holdsBackgroundPermit) {
            none |= blockedBackground.getAndAdd(1) + 1 >= backgroundCapacity;
        }
        if (none) {
            wakeBlocked(worker);
        }
    }

    void exitBlocked(WorkerThread worker) {
        worker.blocked = false;
        blocked.getAndAdd(-1);
        if (worker.holdsBackgroundPermit) {
            blockedBackground.getAndAdd(-1);
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
            failAll(queues::claimForeground);
            failAll(queues::claimBackground);
        }
    }

    private void failAll(Supplier<@Nullable Task> source) {
        for (Task task = source.get(); task != null; task = source.get()) {
            TaskGraphClosedException refusal = graph.refusals().closedWhilePending(task.name);
            if (!task.dropIfReusable(refusal)) {
                graph.completer().finish(task, task.isHelper() ? null : refusal);
            }
        }
    }

    /** Whether work of a level above the given one is queued. A hint. */
    boolean moreUrgent(WorkerLevel level) {
        return queues.hasAbove(level);
    }

    int queued(WorkerLevel level) {
        return queues.size(level);
    }
}
