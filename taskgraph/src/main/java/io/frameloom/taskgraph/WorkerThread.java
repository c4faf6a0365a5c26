package io.frameloom.taskgraph;

import io.frameloom.taskgraph.internal.WorkStealingDeque;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A worker. Its loop is {@link WorkerPool#work}. */
final class WorkerThread extends TaskThread implements Wakeable {
    final GraphCore graph;
    final WorkerPool pool;
    final ThreadContext context;
    final int index;

    /** What this worker made ready, by level; others steal from it. */
    final List<WorkStealingDeque<Task>> deques =
            List.of(WorkerQueues.newDeque(), WorkerQueues.newDeque(), WorkerQueues.newDeque());


    /** Belongs to this thread. */
    boolean holdsBackgroundPermit;

    /** Tasks taken, by level; belongs to this thread. */
    final int[] turns = new int[WorkerQueues.LEVELS];

    /** Tasks taken at any level; belongs to this thread. */
    int taken;

    /** The worker from which something was stolen last; belongs to this thread. */
    int victim;

    /** Whether this worker is inside a wait and can only run what it waits for. */
    volatile boolean blocked;

    /** Whether it stands in for workers in blocking regions. */
    final boolean isSpare;

    /** Whether this spare does not stand in for anybody now; written under the lock of {@link SpareWorkers}. */
    volatile boolean resting;

    /** The innermost blocking region that is open here; written by this thread. */
    volatile @Nullable BlockingRegion region;

    /** Whether a broadcast wants something of this worker. */
    final BooleanSupplier wanted;

    /**
     * @param index place among all worker threads; spare ones come last
     * @param workers number of those that are not spare
     */
    WorkerThread(WorkerPool pool, int index, int workers) {
        super(pool.graph.name() + (index < workers ? "-worker-" + index : "-spare-" + (index - workers)));
        this.graph = pool.graph;
        this.pool = pool;
        this.index = index;
        this.isSpare = index >= workers;
        this.resting = isSpare;
        this.victim = index;
        this.context = new ThreadContext(graph, this, index);
        this.wanted = context.mail::hasAny;
        setDaemon(true);
    }

    /** Wakes this worker from a wait inside a task. */
    @Override
    public void wake() {
        context.parker.wake();
    }

    @Override
    public void run() {
        graph.runScheduled(() -> graph.failStop().guard(() -> pool.work(this)));
    }

    /** A number of its own for every worker of the graph, the last slot for all other threads. */
    static int currentSlot(GraphCore graph) {
        return Thread.currentThread() instanceof WorkerThread worker && worker.graph == graph
                ? worker.index
                : graph.slotCount() - 1;
    }
}
