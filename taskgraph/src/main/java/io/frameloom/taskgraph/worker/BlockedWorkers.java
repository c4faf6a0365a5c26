package io.frameloom.taskgraph.worker;

import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.parts.PaddedLong;
import io.frameloom.taskgraph.task.GraphCore;
import io.frameloom.taskgraph.task.TaskQueues;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The worker threads of a pool, and those among them that can take no task. The first layer of {@link WorkerPool}.
 *
 * <p>A worker inside a wait runs only what it waits for, and is woken when such a
 * task becomes ready ({@code Retraction}). Where two workers wait for the same task only one of them is;
 * therefore, when every worker that might take a queued task is blocked, all blocked workers are woken to look
 * whether the task is theirs; likewise when the last of them blocks. The counter is raised before a worker's last look and
 * read after publication, with a full fence between on both sides.
 *
 * <p><b>Blocking regions.</b> A worker that blocks outside of the graph counts as blocked, too, and a spare worker takes
 * its place ({@link SpareWorkers}). It keeps its permit: BACKGROUND gets no further worker by blocking.
 */
public abstract class BlockedWorkers extends TaskQueues {
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

    BlockedWorkers(GraphCore graph, int count, int spareCount, int reserved) {
        this.graph = graph;
        this.backgroundCapacity = count - reserved;
        WorkerThread[] all = new WorkerThread[count + spareCount];
        for (int i = 0; i < all.length; i++) {
            all[i] = new WorkerThread((WorkerPool) this, i, count);
        }
        this.workers = List.of(all);
        this.queues = new WorkerQueues(all);
        this.broadcasts = new Broadcasts(this);
        this.spares = new SpareWorkers(this, workers.subList(count, all.length), count, blocked);
    }

    /** All worker threads, with the spare ones, started or not. */
    public final List<WorkerThread> workers() {
        return workers;
    }

    public final WorkerQueues queues() {
        return queues;
    }

    public final Broadcasts broadcasts() {
        return broadcasts;
    }

    final SpareWorkers spares() {
        return spares;
    }

    /** Lets blocked workers look for what they wait for when nobody else could; after a full fence. */
    public final void wakeIfAllBlocked() {
        long blockedNow = blocked.valueVolatile();
        if (blockedNow > 0
                && (blockedNow >= workers.size()
                        || (queues.showsBackground() && blockedBackground.valueVolatile() >= backgroundCapacity))) {
            wakeBlocked(null);
        }
    }

    /** Lets those who wait look for what they wait for, if nobody can take it; after one more was counted as blocked. */
    final void wakeIfNobodyIsAble(WorkerThread self) {
        if (blocked.valueVolatile() >= workers.size()) {
            wakeBlocked(self);
        }
    }

    /** Counts a worker as unable to take new work; before its last look at what it waits for. */
    public final void enterBlocked(WorkerThread worker) {
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

    public final void exitBlocked(WorkerThread worker) {
        worker.blocked = false;
        blocked.getAndAdd(-1);
        if (worker.holdsBackgroundPermit) {
            blockedBackground.getAndAdd(-1);
        }
    }

    final void wakeBlocked(@Nullable WorkerThread except) {
        for (WorkerThread worker : workers) {
            if (worker != except && worker.blocked) {
                worker.context.parker.wake();
            }
        }
    }

    /** Worker threads that can take no task; exact only while nothing happens. */
    public final long blocked() {
        return blocked.valueVolatile();
    }
}
