package io.frameloom.taskgraph.worker;

import io.frameloom.taskgraph.WorkerLevel;
import io.frameloom.taskgraph.parts.ThreadParker;
import io.frameloom.taskgraph.parts.Wakeable;
import io.frameloom.taskgraph.queue.WorkStealingDeque;
import io.frameloom.taskgraph.task.GraphCore;
import io.frameloom.taskgraph.task.Task;
import io.frameloom.taskgraph.task.TaskThread;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A worker. Its loop is {@link WorkerPool#work}. */
public final class WorkerThread extends TaskThread implements Wakeable {
    private static final int HIGH = WorkerLevel.HIGH.ordinal();
    private static final int NORMAL = WorkerLevel.NORMAL.ordinal();

    public final GraphCore graph;
    public final WorkerPool pool;
    public final ThreadContext context;
    final int index;

    private final WorkStealingDeque<Task> high = WorkerQueues.newDeque();
    private final WorkStealingDeque<Task> normal = WorkerQueues.newDeque();
    private final WorkStealingDeque<Task> background = WorkerQueues.newDeque();

    /** Belongs to this thread. */
    public boolean holdsBackgroundPermit;

    /** Tasks taken, by level; belongs to this thread. */
    final int[] turns = new int[WorkerQueues.LEVELS];

    /** Tasks taken at any level; belongs to this thread. */
    int taken;

    /** The worker from which something was stolen last; belongs to this thread. */
    int victim;

    /** Whether this worker is inside a wait and can only run what it waits for. */
    volatile boolean blocked;

    /** Whether it stands in for workers in blocking regions. */
    public final boolean isSpare;

    /** Whether this spare stands in for no worker now; written under the lock of {@link SpareWorkers}. */
    public volatile boolean resting;

    /** The innermost blocking region that is open here; written by this thread. */
    public volatile @Nullable BlockingRegion region;

    /** Whether this worker has shares of a broadcast. */
    final BooleanSupplier wanted;

    /** How this worker sleeps while it is idle. */
    final Consumer<ThreadParker> sleep;

    /** Nanoseconds that it waits actively in its next sleep; belongs to this thread. */
    long spinNanos;

    /** Whether it parked in its last sleep; belongs to this thread. */
    boolean parked;

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
        this.sleep = parker -> pool.sleep(this, parker);
        setDaemon(true);
    }

    /** What this worker made ready at a level; others steal from it. */
    public WorkStealingDeque<Task> deque(int level) {
        return level == NORMAL ? normal : level == HIGH ? high : background;
    }

    @Override
    public void wake() {
        context.parker.wake();
    }

    @Override
    public void run() {
        graph.runScheduled(() -> graph.failStop().guard(() -> pool.work(this)));
    }

    /** The calling thread, if it is a worker of the graph; else null. */
    public static @Nullable WorkerThread current(GraphCore graph) {
        return Thread.currentThread() instanceof WorkerThread worker && worker.graph == graph ? worker : null;
    }

    /** A number of its own for every worker of the graph, the last slot for all other threads. */
    public static int currentSlot(GraphCore graph) {
        WorkerThread worker = current(graph);
        return worker == null ? graph.slotCount() - 1 : worker.index;
    }
}
