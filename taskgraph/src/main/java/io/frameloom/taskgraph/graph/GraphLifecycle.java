package io.frameloom.taskgraph.graph;

import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.TaskGraphStoppedException;
import io.frameloom.taskgraph.ThreadScheduler;
import io.frameloom.taskgraph.named.NamedLane;
import io.frameloom.taskgraph.named.NamedPumpThread;
import io.frameloom.taskgraph.parts.Deadline;
import io.frameloom.taskgraph.parts.ThreadParker;
import io.frameloom.taskgraph.task.FailStop;
import io.frameloom.taskgraph.worker.ThreadContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The end of a graph: open, closing, terminated.
 *
 * <p>{@code closing} refuses new work and fails what becomes ready from then on. {@code terminated} is
 * set by the last library thread that ends. Nothing accepted is lost in a race with either: the thread that
 * publishes work looks at the flag <em>afterwards</em>, and the thread that sets the flag looks for work
 * afterwards, so one of the two sees the other. Workers, and named threads, end before that, each under a flag of its
 * own: {@link io.frameloom.taskgraph.worker.WorkerPool}, {@link NamedLane}.
 */
public final class GraphLifecycle {
    private final GraphParts graph;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final ConcurrentLinkedQueue<ThreadParker> awaitingEnd = new ConcurrentLinkedQueue<>();
    /** Library threads that have not ended, and one for the thread that begins the closing. */
    private final AtomicInteger live;

    private final ConcurrentLinkedQueue<Thread> startedNamed = new ConcurrentLinkedQueue<>();
    /** Set after what raced with the termination has been failed. */
    private volatile boolean ended;

    GraphLifecycle(GraphParts graph, int workers) {
        this.graph = graph;
        this.live = new AtomicInteger(workers + 1);
    }

    /** Counts a named thread that is about to start. Returns false if the graph has terminated. */
    boolean threadStarts(Thread thread) {
        while (true) {
            int seen = live.get();
            if (seen == 0) {
                return false;
            }
            if (live.compareAndSet(seen, seen + 1)) {
                // One that was not started yet is NEW. Those that have ended need not be joined.
                startedNamed.removeIf(started -> started.getState() == Thread.State.TERMINATED);
                startedNamed.add(thread);
                return true;
            }
        }
    }

    /** Takes {@link #threadStarts} back: the system refused the thread. */
    void threadNotStarted(Thread thread) {
        startedNamed.remove(thread);
        threadEnded();
    }

    /** Threads that {@link #close} would join besides workers; for tests. */
    public int startedThreads() {
        return startedNamed.size();
    }

    /** The system refused threads: closes the graph, which the caller never gets. */
    void threadsNeverStarted(int count) {
        live.addAndGet(-count);
        begun.set(true);
        begin(null);
    }

    void threadEnded() {
        graph.reached(SchedulingPoint.CLOSE, null);
        if (live.decrementAndGet() == 0) {
            graph.setTerminated();
            graph.lanes().closeAll();
            graph.roots().failAll();
            graph.failures().reportAll();
            ended = true;
            graph.reached(SchedulingPoint.CLOSE, null);
            awaitingEnd.forEach(ThreadParker::wake);
        }
    }

    public void close() {
        if (!graph.failStop().isStopped()) {
            try {
                closeInOrder();
            } catch (TaskGraphStoppedException stopped) {
                // Thrown below, when nothing runs any more.
            } catch (Error e) {
                graph.error = e;
                graph.stopped(e);
            }
        }
        TaskGraphStoppedException stopped = graph.failStop().failure();
        if (stopped != null) {
            if (!mustNotWait(graph.currentContext())) {
                joinKeepingInterrupts();
            }
            throw stopped;
        }
    }

    private void closeInOrder() {
        graph.reached(SchedulingPoint.CLOSE, null);
        ThreadContext context = graph.currentContext();
        if (begun.compareAndSet(false, true)) {
            begin(context);
        }
        if (!mustNotWait(context) && awaitEnd()) {
            joinKeepingInterrupts();
        }
    }

    /** The graph has stopped: nothing is accepted or begun, see {@link FailStop}. */
    void stop() {
        graph.setClosing();
        ThreadScheduler scheduler = graph.scheduler();
        if (begun.compareAndSet(false, true) && scheduler != null) {
            scheduler.closing(graph.name());
        }
        awaitingEnd.forEach(ThreadParker::release);
    }

    /**
     * Fails what depends on the application before the caller's own queue is worked off: a task in there may wait for
     * it.
     */
    private void begin(@Nullable ThreadContext context) {
        graph.setClosing();
        ThreadScheduler scheduler = graph.scheduler();
        if (scheduler != null) {
            scheduler.closing(graph.name());
        }
        graph.reached(SchedulingPoint.CLOSE, null);
        graph.roots().failAll();
        graph.lanes().wakeAll();
        graph.timer().wake();
        NamedLane own = context == null ? null : (NamedLane) context.lane;
        graph.lanes().closeIdle(own);
        graph.workers().wakeAll();
        if (context != null && own != null && !own.isBeingConsumed()) {
            own.processUntilIdle();
        }
        if (own != null) {
            own.close();
        }
        threadEnded();
    }

    /** A library thread cannot join itself, and no thread can wait for the end of the task that it runs. */
    private boolean mustNotWait(@Nullable ThreadContext context) {
        if (context == null) {
            return graph.timer().isCurrentThread();
        }
        return context.worker != null || context.insideTask() || context.thread instanceof NamedPumpThread;
    }

    /**
     * A thread that registers looks at the flags afterwards; a thread that sets a flag looks at the registered ones
     * afterwards. Returns false if the graph has stopped.
     */
    private boolean awaitEnd() {
        ThreadParker parker = new ThreadParker(graph.scheduler());
        awaitingEnd.add(parker);
        long begun = 0L;
        while (!ended && !graph.failStop().isStopped()) {
            parker.prepare();
            if (ended || graph.failStop().isStopped()) {
                parker.cancel();
            } else {
                begun = graph.stalls().park(parker, Deadline.NEVER, graph, begun);
            }
        }
        return ended;
    }

    private void joinKeepingInterrupts() {
        boolean interrupted = false;
        List<Thread> threads = new ArrayList<>(graph.workers().workers());
        threads.addAll(startedNamed);
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    graph.join(thread);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
