package io.frameloom.taskgraph.worker;

import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.task.Completer;
import io.frameloom.taskgraph.task.CoreEvent;
import io.frameloom.taskgraph.task.GraphCore;
import io.frameloom.taskgraph.task.Lane;
import io.frameloom.taskgraph.task.Task;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Hands shares of broadcasts to the threads that have to run them (race 35).
 *
 * <p>Every worker and attached thread has a {@link Mailbox}; one lock guards all of them, so all workers see broadcasts
 * in one order. Therefore workers that wait for each other's broadcasts do not deadlock: the thread that waits for one
 * runs its shares of the earlier ones first, so the earliest always ends.
 *
 * <p>A worker looks at its mailbox between two tasks and when it is out of work, while the sign in {@link WorkerQueues}
 * says that any worker has mail. The sign is set before the first and cleared after the last of it, under the lock. A
 * named thread finds its share in its local queue; its mailbox is for the share that it has not run when it detaches.
 *
 * <p>No share is lost. Each is put into the mailbox before a read-modify-write of the {@link
 * io.frameloom.taskgraph.parts.EventCount eventcount} of idle workers, and before the full fence of the wake-up of
 * those that wait or rest. Each of these announces its sleep, looks at the mailbox, then sleeps. A mailbox that was
 * closed by the end of its thread takes no share, and the thread that closes it gets what is left. Any thread may call
 * any method. <b>Progress.</b> Blocking, but for {@link #poll} without mail; nothing of the application runs under the
 * lock.
 */
public final class Broadcasts {
    private final WorkerPool pool;
    private final GraphCore graph;
    /** Shares of workers that were not taken; guarded by this. */
    private int undelivered;

    /**
     * The shares of broadcasts that one thread has yet to run, oldest first. The lock guards everything but {@link
     * #hasAny()}.
     */
    static final class Mailbox {
        private final ArrayDeque<Task> shares = new ArrayDeque<>(2);

        private boolean closed;
        private volatile boolean any;

        /** Whether there is a share; any thread. */
        boolean hasAny() {
            return any;
        }

        /** Returns false if the thread takes nothing any more. */
        boolean add(Task share) {
            if (closed) {
                return false;
            }
            shares.add(share);
            any = true;
            return true;
        }

        @Nullable
        Task poll() {
            Task share = shares.poll();
            any = !shares.isEmpty();
            return share;
        }

        void remove(@Nullable Task share) {
            shares.removeFirstOccurrence(share);
            any = !shares.isEmpty();
        }

        /** Takes nothing from now on. Returns what is left. */
        List<Task> close() {
            closed = true;
            List<Task> left = new ArrayList<>(shares);
            shares.clear();
            any = false;
            return left;
        }
    }

    Broadcasts(WorkerPool pool) {
        this.pool = pool;
        this.graph = pool.graph;
    }

    /** Gives every worker and every thread that is attached now its share. */
    void handOut(Broadcast broadcast, Completer completer) {
        List<Task> shares = new ArrayList<>();
        makeShares(broadcast, shares);
        graph.reached(SchedulingPoint.ENQUEUE, broadcast.name());
        List<Task> refused = deliver(shares);
        shares.removeAll(refused);
        // Not before the delivery: a waiting worker that finds its share here looks for it in its mailbox.
        broadcast.setShares(shares.toArray(CoreEvent.NO_EVENTS));
        for (Task share : shares) {
            Lane lane = share.lane;
            if (lane != null) {
                lane.enqueueAgain(share);
            }
        }
        pool.wakeForMail();
        for (Task share : refused) {
            if (share.lane != null) {
                // The thread has detached meanwhile and has no part in it.
                broadcast.countDown(completer);
            } else {
                completer.finish(share, graph.closedWhilePending(share.name()));
            }
        }
        broadcast.countDown(completer);
    }

    private void makeShares(Broadcast broadcast, List<Task> shares) {
        for (WorkerThread worker : pool.workers()) {
            shares.add(broadcast.makeShare(worker.context));
        }
        for (Completer attached : graph.attached()) {
            shares.add(broadcast.makeShare((ThreadContext) attached));
        }
    }

    /** Puts the shares into the mailboxes. Returns those whose threads have ended or detached. */
    private synchronized List<Task> deliver(List<Task> shares) {
        List<Task> refused = new ArrayList<>(0);
        pool.queues().showMail();
        for (Task share : shares) {
            ThreadContext owner = Objects.requireNonNull(Broadcast.ownerOf(share));
            if (!owner.mail.add(share)) {
                refused.add(share);
            } else if (owner.worker != null) {
                undelivered++;
            }
        }
        hideMailIfNone();
        return refused;
    }

    /** The next share of the calling worker, to be run by it; null if there is none. */
    public @Nullable Task poll(ThreadContext worker) {
        if (!worker.mail.hasAny()) {
            return null;
        }
        Task share = take(worker);
        if (share != null) {
            share.setRunning();
        }
        return share;
    }

    private synchronized @Nullable Task take(ThreadContext worker) {
        Task share = worker.mail.poll();
        if (share != null) {
            undelivered--;
            hideMailIfNone();
        }
        return share;
    }

    private void hideMailIfNone() {
        if (undelivered == 0) {
            pool.queues().hideMail();
        }
    }

    /** The calling thread begins its share. */
    synchronized void begun(ThreadContext owner) {
        if (owner.lane != null) {
            owner.mail.remove(owner.currentTask());
        }
    }

    /** A worker has ended: what it has not run never will. */
    void workerEnded(ThreadContext worker) {
        for (Task share : close(worker)) {
            graph.completer().finish(share, graph.closedWhilePending(share.name()));
        }
    }

    /** The calling thread is about to detach: runs what it has not run. */
    public void detaching(ThreadContext context) {
        for (Task share : close(context)) {
            graph.reached(SchedulingPoint.CLAIM, share.name());
            if (share.claim()) {
                context.execute(share);
            }
        }
    }

    /** The thread that was to attach could not be started. */
    public void neverAttached(ThreadContext context, NamedThread thread) {
        for (Task share : close(context)) {
            if (share.claim()) {
                graph.completer()
                        .finish(
                                share,
                                new IllegalStateException("'" + share.name() + "' did not run: the thread for " + thread
                                        + " could not be started"));
            }
        }
    }

    private synchronized List<Task> close(ThreadContext context) {
        List<Task> left = context.mail.close();
        if (context.worker != null) {
            undelivered -= left.size();
            hideMailIfNone();
        }
        return left;
    }
}
