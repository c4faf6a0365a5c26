package io.frameloom.taskgraph.worker;

import io.frameloom.taskgraph.RangeBody;
import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.TaskFailedException;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.WorkerLevel;
import io.frameloom.taskgraph.parts.Arguments;
import io.frameloom.taskgraph.parts.Fields;
import io.frameloom.taskgraph.parts.PaddedLong;
import io.frameloom.taskgraph.parts.ThreadParker;
import io.frameloom.taskgraph.task.ForeignWaits;
import io.frameloom.taskgraph.task.GraphCore;
import io.frameloom.taskgraph.task.GuardedObserver;
import io.frameloom.taskgraph.task.InheritedBindings;
import io.frameloom.taskgraph.task.RepeatedBody;
import io.frameloom.taskgraph.task.Task;
import io.frameloom.taskgraph.task.TaskThread;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One {@code parallelFor}: its pieces, each of {@code grain} indices, are dealt out in shares.
 *
 * <p>The caller takes part and leaves only when all pieces have been taken; workers come to help if the job is still
 * open ({@link ParallelForHelpers}). No thread waits for a helper to come: the others take what would be its share
 * ({@link RangeShares}). All helpers run one and the same task, which has no state.
 *
 * <pre>
 *   63         33    32     31          0
 *  +-------------+--------+-------------+
 *  |   entered   | closed |   inside    |   gate
 *  +-------------+--------+-------------+
 * </pre>
 *
 * <p>{@code entered} counts the helpers that have come, which gives each a share of its own; {@code inside} those that
 * have not left. The caller closes the gate when no piece is left: a helper that comes later does nothing, so the
 * caller waits only for helpers that are inside a body. Linearization of entering and closing: their read-modify-writes
 * of {@code gate}. The decrement with which helpers leave makes what their bodies wrote visible to the caller. {@code
 * places} counts the helpers that may still come; each takes one before it enters.
 *
 * <p><b>Failures.</b> What a body throws fails the job: the remaining pieces are not run.
 */
public final class ParallelForJob extends RepeatedBody {
    private static final long INSIDE = 0xFFFF_FFFFL;
    private static final long CLOSED = 1L << 32;
    private static final int ENTERED_SHIFT = 33;
    private static final long ENTER = (1L << ENTERED_SHIFT) + 1L;
    private static final int CALLERS_SHARE = 0;
    private static final VarHandle PLACES =
            Fields.handle(MethodHandles.lookup(), ParallelForJob.class, "places", int.class);

    private final GraphCore graph;
    private final String kind;
    private final String name;
    private final int count;
    private final int grain;
    private final RangeBody body;
    private final int helpers;
    private final RangeShares shares;
    private final PaddedLong gate = new PaddedLong(0);
    private final ThreadParker callerParker;
    private final @Nullable InheritedBindings inherited = TaskThread.inherited();
    private final List<Throwable> failures = new ArrayList<>(0);
    private volatile boolean failed;
    private final @Nullable Task helper;
    private volatile int places;

    private ParallelForJob(
            GraphCore graph,
            String kind,
            String name,
            int count,
            int grain,
            RangeBody body,
            ThreadParker callerParker,
            @Nullable WorkerThread worker,
            WorkerLevel level) {
        this.graph = graph;
        this.kind = kind;
        this.name = name;
        this.count = count;
        this.grain = grain;
        this.body = body;
        this.callerParker = callerParker;
        int pieces = pieces(kind, name, count, grain);
        helpers = graph.isClosing() ? 0 : Math.min(pieces - 1, graph.workerCount() - (worker == null ? 0 : 1));
        shares = new RangeShares(pieces, helpers + 1);
        helper = helpers == 0 ? null : newHelper(level);
        PLACES.set(this, helpers);
    }

    private Task newHelper(WorkerLevel level) {
        Task task = new Task(graph, name, this);
        task.setPlace(level, null, true);
        task.setUntracked();
        return task;
    }

    /** As {@link TaskGraph#parallelFor(String, int, int, RangeBody)}. */
    public static void run(GraphCore graph, String name, int count, int grain, RangeBody body) {
        requireSound(name, count, grain, body);
        run(graph, "parallelFor", name, count, grain, body);
    }

    /** Checks the arguments of a loop. */
    public static void requireSound(String name, int count, int grain, RangeBody body) {
        Arguments.requiredName(name, "a parallelFor");
        Arguments.required(body, "body", "parallelFor", name);
        pieces("parallelFor", name, count, grain);
    }

    /**
     * As {@link #run(GraphCore, String, int, int, RangeBody)}.
     *
     * @param kind the method that an application has called, for errors
     */
    static void run(GraphCore graph, String kind, String name, int count, int grain, RangeBody body) {
        pieces(kind, name, count, grain);
        ThreadContext context = (ThreadContext) graph.currentContext();
        if (context == null || !context.insideTask()) {
            graph.requireOpen(name);
        }
        if (count == 0) {
            return;
        }
        ThreadParker parker = context == null ? new ThreadParker(graph.scheduler()) : context.parker;
        WorkerThread worker = context == null ? null : context.worker;
        WorkerLevel level = ThreadContext.levelOfParts(context);
        ParallelForJob job = new ParallelForJob(graph, kind, name, count, grain, body, parker, worker, level);
        try {
            job.takePart(context, level);
        } catch (Error e) {
            graph.error = e;
            throw graph.stopped(e);
        }
        job.throwFailures();
    }

    /** How many there are of a loop, which is checked. */
    static int pieces(String kind, String name, int count, int grain) {
        if (count < 0) {
            throw new IllegalArgumentException(kind + " '" + name + "': count must not be negative, but is " + count);
        }
        if (grain < 1) {
            throw new IllegalArgumentException(kind + " '" + name + "': grain must be at least 1, but is " + grain);
        }
        return (int) (((long) count + grain - 1) / grain);
    }

    private void takePart(@Nullable ThreadContext context, WorkerLevel level) {
        if (helpers == 0) {
            takeCallersPieces(context, level);
            return;
        }
        ((WorkerPool) graph.workers()).loopHelpers(level).open(this);
        takeCallersPieces(context, level);
        ((WorkerPool) graph.workers()).loopHelpers(level).close(this);
        awaitHelpers(context);
    }

    /** How many helpers may come. */
    int helpers() {
        return helpers;
    }

    /** What a helper runs that has taken a place; a thread is blocked on the helpers, hence its high priority. */
    @Nullable
    Task helper() {
        return helper;
    }

    /** Takes a place for one helper. Returns false if there is none left. */
    boolean tryTakePlace() {
        while (true) {
            int seen = places;
            if (seen == 0) {
                return false;
            }
            if (PLACES.compareAndSet(this, seen, seen - 1)) {
                return true;
            }
        }
    }

    /** Takes all places that are left, so that no helper comes any more. Returns their number. */
    int takeAllPlaces() {
        return (int) PLACES.getAndSet(this, 0);
    }

    @Override
    public String kind() {
        return kind;
    }

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
        TaskThread.inherit(inherited);
        takePieces(share, worker.index);
        TaskThread.inherit(null);
        if (hasClosedEmpty(gate.getAndAdd(-1) - 1)) {
            callerParker.wake();
        }
    }

    /** The caller's part is no task, but a trace wants to show it. */
    private void takeCallersPieces(@Nullable ThreadContext context, WorkerLevel level) {
        GuardedObserver observer = graph.observer();
        int ordinal = context == null ? -1 : context.ordinal;
        if (observer != null) {
            observer.taskStarted(name, level, ordinal);
        }
        takePieces(CALLERS_SHARE, WorkerThread.currentSlot(graph));
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
                failed(t);
            }
        }
    }

    private void failed(Throwable failure) {
        failed = true;
        synchronized (failures) {
            failures.add(failure);
        }
    }

    private static boolean hasClosedEmpty(long gate) {
        return (gate & (CLOSED | INSIDE)) == CLOSED;
    }

    private boolean allHaveLeft() {
        return hasClosedEmpty(gate.valueVolatile());
    }

    private void awaitHelpers(@Nullable ThreadContext context) {
        graph.reached(SchedulingPoint.COMPLETE, name);
        gate.getAndAdd(CLOSED);
        // Each is inside of a last body, so it leaves soon.
        if (allHaveLeft() || IdleSpin.until(IdleSpin.nanosInLoop(graph, context), this::allHaveLeft)) {
            return;
        }
        WorkerThread worker = context == null ? null : context.worker;
        if (worker != null) {
            ((WorkerPool) graph.workers()).enterBlocked(worker);
        }
        ForeignWaits.Entry entry = context == null ? graph.foreignWaits().begin(null, callerParker) : null;
        while (!allHaveLeft()) {
            graph.requireRunning();
            callerParker.prepare();
            if (allHaveLeft() || graph.failStop().isStopped()) {
                callerParker.cancel();
            } else if (context == null) {
                callerParker.park();
            } else {
                context.park();
            }
        }
        if (entry != null) {
            graph.foreignWaits().end(entry);
        }
        if (worker != null) {
            ((WorkerPool) graph.workers()).exitBlocked(worker);
        }
    }

    private void throwFailures() {
        synchronized (failures) {
            if (failures.isEmpty()) {
                return;
            }
            TaskFailedException failure = new TaskFailedException(kind, name, failures.get(0));
            for (Throwable further : failures.subList(1, failures.size())) {
                failure.addSuppressed(further);
            }
            throw failure;
        }
    }
}
