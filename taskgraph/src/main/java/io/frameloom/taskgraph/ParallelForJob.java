package io.frameloom.taskgraph;

import io.frameloom.taskgraph.internal.PaddedLong;
import io.frameloom.taskgraph.internal.RangeShares;
import io.frameloom.taskgraph.internal.ThreadParker;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One {@code parallelFor}: its pieces, each of {@code grain} indices, are dealt out in shares.
 *
 * <p>The caller takes part and leaves only when all pieces have been taken; helpers are ordinary worker
 * tasks that enter if the job is still open. Nobody waits for a helper to come: what would be its share is
 * taken by the others ({@link RangeShares}).
 *
 * <pre>
 *   63         33    32     31          0
 *  +-------------+--------+-------------+
 *  |   entered   | closed |   inside    |   gate
 *  +-------------+--------+-------------+
 * </pre>
 *
 * <p>{@code entered} counts the helpers that have come, which gives each a share of its own; {@code inside}
 * those that have not left. The caller closes the gate when no piece is left: a helper that comes later
 * does nothing, so the caller waits only for helpers that are inside a body. Linearization of entering and
 * closing: their read-modify-writes of {@code gate}. What bodies wrote is visible to the caller through the
 * decrement with which they leave.
 */
final class ParallelForJob implements TaskBody {
    private static final long INSIDE = 0xFFFF_FFFFL;
    private static final long CLOSED = 1L << 32;
    private static final int ENTERED_SHIFT = 33;
    private static final long ENTER = (1L << ENTERED_SHIFT) + 1L;
    private static final int CALLERS_SHARE = 0;

    private final TaskGraph graph;
    private final String name;
    private final int count;
    private final int grain;
    private final RangeBody body;
    private final int helpers;
    private final RangeShares shares;
    private final PaddedLong gate = new PaddedLong(0);
    private final ThreadParker callerParker;
    private final @Nullable InheritedBindings inherited =
            InheritedContext.current().bindings();
    private final List<Throwable> failures = new ArrayList<>(0);
    private volatile boolean failed;

    private ParallelForJob(
            TaskGraph graph,
            String name,
            int count,
            int grain,
            RangeBody body,
            ThreadParker callerParker,
            @Nullable WorkerThread worker) {
        this.graph = graph;
        this.name = name;
        this.count = count;
        this.grain = grain;
        this.body = body;
        this.callerParker = callerParker;
        int pieces = (int) (((long) count + grain - 1) / grain);
        helpers = graph.isClosing() ? 0 : Math.min(pieces - 1, graph.workerCount() - (worker == null ? 0 : 1));
        shares = new RangeShares(pieces, helpers + 1);
    }

    static void run(TaskGraph graph, String name, int count, int grain, RangeBody body) {
        ThreadContext context = graph.currentContext();
        if (context == null || !context.insideTask()) {
            graph.requireOpen(name);
        }
        if (count == 0) {
            return;
        }
        ThreadParker parker = context == null ? new ThreadParker(graph.scheduler()) : context.parker;
        WorkerThread worker = context == null ? null : context.worker;
        ParallelForJob job = new ParallelForJob(graph, name, count, grain, body, parker, worker);
        WorkerLevel level = levelFor(context);
        job.inviteHelpers(level);
        job.takeCallersPieces(context, level);
        job.awaitHelpers(context, worker);
        job.throwFailures();
    }

    /** Helpers go to the level of the calling worker task, as urgent as that has become; otherwise to NORMAL. */
    private static WorkerLevel levelFor(@Nullable ThreadContext context) {
        Task caller = context == null ? null : context.currentTask();
        return caller != null && caller.target instanceof WorkerLevel
                ? PriorityInheritance.level(caller.urgency())
                : WorkerLevel.NORMAL;
    }

    /** A thread is blocked on the helpers, hence their high priority. */
    private void inviteHelpers(WorkerLevel level) {
        if (helpers == 0) {
            return;
        }
        WorkerPool pool = graph.workers();
        int signs = 0;
        for (int i = 0; i < helpers; i++) {
            Task helper = new Task(graph, name, this);
            helper.setPlace(level, null, true);
            helper.tracked = false;
            signs |= 1 << pool.pushShared(helper);
        }
        pool.signal(signs);
    }

    /** A helper, on a worker. */
    @Override
    public void run() {
        if (!(Thread.currentThread() instanceof WorkerThread worker)) {
            return;
        }
        int share = tryEnter();
        if (share == CALLERS_SHARE) {
            return;
        }
        // Execution of the helper's task has put the worker's own values aside and brings them back.
        worker.inherited.set(inherited);
        try {
            takePieces(share, worker.index);
        } finally {
            worker.inherited.set(null);
            if (hasClosedEmpty(gate.getAndAdd(-1) - 1)) {
                callerParker.wake();
            }
        }
    }

    /** The caller's part is no task, but a trace wants to show it. */
    private void takeCallersPieces(@Nullable ThreadContext context, WorkerLevel level) {
        GuardedObserver observer = graph.observer();
        int ordinal = context == null ? -1 : context.ordinal;
        if (observer != null) {
            observer.taskStarted(name, level, ordinal);
        }
        takePieces(CALLERS_SHARE, graph.currentSlot());
        if (observer != null) {
            observer.taskFinished(name, level, ordinal, null);
        }
    }

    /** The share of a helper, or that of the caller if nothing is left to do. */
    private int tryEnter() {
        graph.reached(SchedulingPoint.TAKE, name);
        while (true) {
            long seen = gate.valueVolatile();
            if ((seen & CLOSED) != 0) {
                return CALLERS_SHARE;
            }
            if (gate.cas(seen, seen + ENTER)) {
                return (int) (seen >>> ENTERED_SHIFT) + 1;
            }
        }
    }

    private void takePieces(int share, int slot) {
        for (int piece = shares.next(share); piece != RangeShares.NONE && !failed; piece = shares.next(share)) {
            graph.reached(SchedulingPoint.BODY, name);
            long from = (long) piece * grain;
            try {
                body.run((int) from, (int) Math.min(from + grain, count), slot);
            } catch (Throwable t) {
                synchronized (failures) {
                    failures.add(t);
                }
                failed = true;
            }
        }
    }

    private static boolean hasClosedEmpty(long gate) {
        return (gate & (CLOSED | INSIDE)) == CLOSED;
    }

    private boolean allHaveLeft() {
        return hasClosedEmpty(gate.valueVolatile());
    }

    /** They are inside a last body each, so they are close to leaving. */
    private boolean spinUntilAllHaveLeft(@Nullable ThreadContext context) {
        long budget = IdleSpin.nanosInLoop(graph, context);
        if (budget <= 0L) {
            return false;
        }
        long begin = System.nanoTime();
        do {
            for (int i = 0; i < 16; i++) {
                if (allHaveLeft()) {
                    return true;
                }
                Thread.onSpinWait();
            }
        } while (System.nanoTime() - begin < budget);
        return false;
    }

    private void awaitHelpers(@Nullable ThreadContext context, @Nullable WorkerThread worker) {
        graph.reached(SchedulingPoint.COMPLETE, name);
        gate.getAndAdd(CLOSED);
        if (allHaveLeft() || spinUntilAllHaveLeft(context)) {
            return;
        }
        if (worker != null) {
            graph.workers().enterBlocked(worker);
        }
        while (!allHaveLeft()) {
            callerParker.prepare();
            if (allHaveLeft()) {
                callerParker.cancel();
            } else if (context == null) {
                callerParker.park();
            } else {
                context.park(null, Deadline.NEVER);
            }
        }
        if (worker != null) {
            graph.workers().exitBlocked(worker);
        }
    }

    private void throwFailures() {
        synchronized (failures) {
            if (failures.isEmpty()) {
                return;
            }
            TaskFailedException failure = new TaskFailedException(name, failures.get(0));
            for (Throwable further : failures.subList(1, failures.size())) {
                failure.addSuppressed(further);
            }
            throw failure;
        }
    }
}
