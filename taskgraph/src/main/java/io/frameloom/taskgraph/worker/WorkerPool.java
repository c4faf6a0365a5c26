package io.frameloom.taskgraph.worker;

import io.frameloom.taskgraph.ExecutionTarget;
import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.TaskGraphClosedException;
import io.frameloom.taskgraph.WorkerLevel;
import io.frameloom.taskgraph.parts.Wakeable;
import io.frameloom.taskgraph.task.GraphCore;
import io.frameloom.taskgraph.task.Task;
import io.frameloom.taskgraph.task.TaskThread;
import io.frameloom.taskgraph.task.Urgency;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The workers of a graph: what they are given, and how they run it. How they find it, sleep and wake is {@link
 * SearchingWorkers}; who of them cannot take it is {@link BlockedWorkers}. One object in three layers, as everything that
 * is published passes through all of them.
 */
public final class WorkerPool extends SearchingWorkers {
    /** Successors that a worker runs in a row before it looks at its queues again. */
    private static final int LONGEST_CHAIN = 256;

    private final int count;
    /** By the rank of their level. */
    private final List<ParallelForHelpers> loopHelpers = new ArrayList<>(WorkerQueues.LEVELS);

    public WorkerPool(GraphCore graph, int count, int spareCount, int reserved) {
        super(graph, count, spareCount, reserved);
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

    /** The loops of a level that can do with help. */
    ParallelForHelpers loopHelpers(WorkerLevel level) {
        return loopHelpers.get(level.ordinal());
    }

    @Override
    public int push(Task task, @Nullable TaskThread worker) {
        graph.reached(SchedulingPoint.ENQUEUE, task.name());
        task.setQueued();
        return queues.offer(task, (WorkerThread) worker);
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
        graph.inheritance().settle();
        wakeSearcher();
        wakeIfAllBlocked();
        if (graph.isTerminated()) {
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
        // From here on this worker takes nothing: those who wait must not count on it.
        spares.ended(worker);
        wakeIfNobodyIsAble(worker);
        broadcasts.workerEnded(worker.context);
        graph.threadEnded();
    }

    private void runChain(WorkerThread worker, Task first) {
        Task task = HelperTicket.redeemed(first);
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

    /** After the last worker has ended: fails what raced with the end. */
    public void failRest() {
        while (queues.hasForeground() || queues.hasBackground()) {
            for (Task task = queues.takeAny(); task != null; task = queues.takeAny()) {
                TaskGraphClosedException refusal = graph.refusals().closedWhilePending(task.name());
                if (!task.dropIfReusable(refusal)) {
                    graph.completer().finish(task, HelperTicket.isTicket(task) ? null : refusal);
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
}
