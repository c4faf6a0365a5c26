package io.frameloom.taskgraph;

import io.frameloom.taskgraph.internal.PaddedLong;
import io.frameloom.taskgraph.internal.ThreadParker;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One {@code parallelFor}: a shared range counter from which every participant takes pieces.
 *
 * <p>The caller takes part and leaves only when the range is used up; helpers are ordinary worker tasks
 * that enter if the job is still open. {@code gate} counts participants and carries a bit that the caller
 * sets when the range is used up: a helper that comes later finds the gate closed and does nothing, so
 * the caller waits only for helpers that are inside a body. Linearization of entering and closing: their
 * read-modify-writes of {@code gate}. What bodies wrote is visible to the caller through the decrement
 * with which they leave.
 */
final class ParallelForJob implements TaskBody {
    private static final long CLOSED = 1L << 32;

    private final TaskGraph graph;
    private final String name;
    private final int count;
    private final int grain;
    private final RangeBody body;
    private final PaddedLong next = new PaddedLong(0);
    private final PaddedLong gate = new PaddedLong(0);
    private final ThreadParker callerParker;
    private final @Nullable InheritedBindings inherited =
            InheritedContext.current().bindings();
    private final List<Throwable> failures = new ArrayList<>(0);

    private ParallelForJob(
            TaskGraph graph, String name, int count, int grain, RangeBody body, ThreadParker callerParker) {
        this.graph = graph;
        this.name = name;
        this.count = count;
        this.grain = grain;
        this.body = body;
        this.callerParker = callerParker;
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
        ParallelForJob job = new ParallelForJob(graph, name, count, grain, body, parker);
        WorkerThread worker = context == null ? null : context.worker;
        WorkerLevel level = levelFor(context);
        job.inviteHelpers(worker, level);
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
    private void inviteHelpers(@Nullable WorkerThread worker, WorkerLevel level) {
        long pieces = ((long) count + grain - 1) / grain;
        long helpers = Math.min(pieces - 1, graph.workerCount() - (worker == null ? 0 : 1));
        if (helpers <= 0 || graph.isClosing()) {
            return;
        }
        WorkerPool pool = graph.workers();
        int signs = 0;
        for (long i = 0; i < helpers; i++) {
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
        if (!(Thread.currentThread() instanceof WorkerThread worker) || !tryEnter()) {
            return;
        }
        // Execution of the helper's task has put the worker's own values aside and brings them back.
        worker.inherited.set(inherited);
        try {
            takePieces(worker.index);
        } finally {
            worker.inherited.set(null);
            if (gate.getAndAdd(-1) == CLOSED + 1) {
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
        takePieces(graph.currentSlot());
        if (observer != null) {
            observer.taskFinished(name, level, ordinal, null);
        }
    }

    private boolean tryEnter() {
        graph.reached(SchedulingPoint.TAKE, name);
        while (true) {
            long seen = gate.valueVolatile();
            if (seen >= CLOSED) {
                return false;
            }
            if (gate.cas(seen, seen + 1)) {
                return true;
            }
        }
    }

    private void takePieces(int slot) {
        for (long from = next.getAndAdd(grain); from < count; from = next.getAndAdd(grain)) {
            graph.reached(SchedulingPoint.BODY, name);
            try {
                body.run((int) from, (int) Math.min(from + grain, count), slot);
            } catch (Throwable t) {
                synchronized (failures) {
                    failures.add(t);
                }
                next.setVolatile(count);
            }
        }
    }

    private void awaitHelpers(@Nullable ThreadContext context, @Nullable WorkerThread worker) {
        graph.reached(SchedulingPoint.COMPLETE, name);
        gate.getAndAdd(CLOSED);
        if (gate.valueVolatile() == CLOSED) {
            return;
        }
        if (worker != null) {
            graph.workers().enterBlocked(worker);
        }
        while (gate.valueVolatile() != CLOSED) {
            callerParker.prepare();
            if (gate.valueVolatile() == CLOSED) {
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
