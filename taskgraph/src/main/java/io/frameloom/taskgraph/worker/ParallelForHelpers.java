package io.frameloom.taskgraph.worker;

import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.WorkerLevel;
import io.frameloom.taskgraph.parts.PaddedLong;
import io.frameloom.taskgraph.parts.SlotStack;
import io.frameloom.taskgraph.task.GraphCore;
import io.frameloom.taskgraph.task.RepeatedBody;
import io.frameloom.taskgraph.task.Task;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The open {@code parallelFor} loops of one worker level, and the tickets that stand for them in its queue.
 *
 * <p>A loop queues nothing of its own. It enters a list, which it leaves when it is done, and makes sure that there are
 * tickets: as many as helpers are wanted, but never more than the pool has workers. So loops that come and go while all
 * workers are busy leave nothing in the queue, which stays short. A worker exchanges a ticket for the helper of the
 * oldest loop that wants one.
 *
 * <p><b>Who calls what.</b> The caller of a loop calls {@link #open} and {@link #close}; the worker that has claimed a
 * ticket calls {@link #redeem}. <b>Invariant.</b> While no thread is inside a method, {@code queued} is at least the
 * lesser of {@code wanted} and the number of tickets: no worker that is out of work misses a loop that wants help.
 * {@code wanted} is raised before a loop can be found and lowered after a place in it is taken. So it may be too high
 * for a moment, which costs a ticket for nothing, never too low.
 *
 * <p><b>Memory order.</b> All accesses are volatile. A loop enters the list and then reads {@code queued}. A worker
 * that redeems a ticket takes it off {@code queued} and then looks at the list (again, if it found nothing before). One
 * of the two sees the other. {@code free} holds at least those tickets that {@code queued} does not count.
 * <b>Progress.</b> Lock-free.
 */
final class ParallelForHelpers {
    private final WorkerPool pool;
    private final GraphCore graph;
    private final ConcurrentLinkedQueue<ParallelForJob> open = new ConcurrentLinkedQueue<>();
    /** Free places for helpers in open loops. */
    private final PaddedLong wanted = new PaddedLong(0);

    private final PaddedLong queued = new PaddedLong(0);
    private final Task[] tickets;
    private final SlotStack free;

    /** Stands in the queue. Never run itself: the worker that comes to it exchanges it for the helper of a loop. */
    private final class Ticket extends RepeatedBody {
        final int number;

        Ticket(int number) {
            this.number = number;
        }

        @Override
        public String kind() {
            return "a helper of a parallelFor";
        }

        @Override
        public void run() {
            throw new IllegalStateException("a ticket for help with a parallelFor was run instead of exchanged");
        }

        @Nullable
        Task redeem() {
            return ParallelForHelpers.this.redeem(number);
        }
    }

    ParallelForHelpers(GraphCore graph, WorkerPool pool, WorkerLevel level, int workers) {
        this.graph = graph;
        this.pool = pool;
        this.free = new SlotStack(workers);
        this.tickets = new Task[workers];
        for (int i = 0; i < workers; i++) {
            tickets[i] = new Task(graph, "helper of a parallelFor", new Ticket(i));
            tickets[i].setPlace(level, null, true);
            tickets[i].setUntracked();
        }
    }

    /** What a worker runs that has claimed a task: for a ticket the helper of a loop, or null if none wants help. */
    static @Nullable Task redeemed(Task claimed) {
        return !claimed.isTracked() && claimed.body() instanceof Ticket ticket ? ticket.redeem() : claimed;
    }

    /** Whether a claimed task may be dropped without loss: the callers of loops do the work themselves. */
    static boolean isTicket(Task claimed) {
        return claimed.body() instanceof Ticket;
    }

    /** From now on workers help with a loop; {@link #close} must follow. */
    void open(ParallelForJob job) {
        wanted.getAndAdd(job.helpers());
        open.offer(job);
        invite();
    }

    void close(ParallelForJob job) {
        wanted.getAndAdd(-job.takeAllPlaces());
        open.remove(job);
    }

    /** Takes a claimed ticket back. Returns the helper of a loop, which the calling worker is to run, or null. */
    private @Nullable Task redeem(int ticket) {
        ParallelForJob job = takePlace();
        graph.reached(SchedulingPoint.COUNT, null);
        free.free(ticket);
        queued.getAndAdd(-1);
        graph.reached(SchedulingPoint.RECHECK, null);
        if (job == null) {
            // A loop that was opened meanwhile may have relied on this ticket.
            job = takePlace();
        }
        if (job == null) {
            return null;
        }
        invite();
        return job.helper();
    }

    private @Nullable ParallelForJob takePlace() {
        for (ParallelForJob job = open.peek(); job != null; job = open.peek()) {
            if (job.tryTakePlace()) {
                wanted.getAndAdd(-1);
                return job;
            }
            open.remove(job);
        }
        return null;
    }

    /** Queues tickets that are missing. */
    private void invite() {
        int signs = 0;
        while (tryCountOne()) {
            signs |= 1 << pool.pushShared(tickets[free.take()]);
        }
        if (signs != 0) {
            pool.signal(signs);
        }
    }

    private boolean tryCountOne() {
        while (true) {
            long seen = queued.valueVolatile();
            if (seen >= Math.min(tickets.length, wanted.valueVolatile())) {
                return false;
            }
            if (queued.cas(seen, seen + 1)) {
                return true;
            }
        }
    }
}
