package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.WorkerLevel;
import io.frameloom.taskgraph.named.NamedLane;
import io.frameloom.taskgraph.parts.Deadline;
import io.frameloom.taskgraph.parts.Fields;
import io.frameloom.taskgraph.parts.ThreadParker;
import io.frameloom.taskgraph.task.FailStop;
import io.frameloom.taskgraph.worker.ThreadContext;
import io.frameloom.taskgraph.worker.WorkerThread;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The part of the caller of {@code execute} in a run, or of a thread that waits for one. There is one such part per
 * run. It is claimed by compare-and-set inside the gate (or, before the gate opens, by the thread that was admitted to
 * begin the run). It is given back before its holder leaves the gate, so that the thread that begins the next run finds
 * it free.
 */
public final class RunCaller {
    private static final int FOREGROUND = 1 << WorkerLevel.HIGH.ordinal() | 1 << WorkerLevel.NORMAL.ordinal();
    private static final int ALL = FOREGROUND | 1 << WorkerLevel.BACKGROUND.ordinal();

    private static final VarHandle HOLDER =
            Fields.handle(MethodHandles.lookup(), RunCaller.class, "holder", Thread.class);

    private static final RunLane[][] NO_LANES = {};

    private final GraphRun run;
    private final RunParticipant participant;
    private final RunLane[][] lanesOf;

    /** Of a caller outside of the graph, made by the first that may have to park. Written by the holder. */
    private volatile @Nullable ThreadParker foreignParker;

    @SuppressWarnings("unused") // accessed through HOLDER
    private volatile @Nullable Thread holder;

    RunCaller(GraphRun run) {
        this.run = run;
        participant = run.caller;
        lanesOf = run.lanes.length == 0 ? NO_LANES : new RunLane[run.lanes.length][];
        for (int i = 0; i < lanesOf.length; i++) {
            NamedLane lane = run.lanes[i].lane;
            lanesOf[i] = Arrays.stream(run.lanes)
                    .filter(other -> other.lane == lane)
                    .sorted(Comparator.comparing(RunLane::isHigh).reversed())
                    .toArray(RunLane[]::new);
        }
    }

    /** The lanes of this graph that belong to the named thread of the context. */
    RunLane[] lanesOf(@Nullable ThreadContext context) {
        NamedLane own = context == null ? null : (NamedLane) context.lane;
        for (int i = 0; own != null && i < lanesOf.length; i++) {
            if (run.lanes[i].lane == own) {
                return lanesOf[i];
            }
        }
        return RunLane.NONE;
    }

    /** Whether {@link #join} would be let in. */
    boolean isFree() {
        return holder == null && run.mayRunWorkerNodes();
    }

    private boolean claim() {
        return HOLDER.compareAndSet(this, (Thread) null, Thread.currentThread());
    }

    /** Runs the prepared run with the calling thread taking part. Returns when it leaves the run. */
    public void execute(@Nullable ThreadContext context) {
        run.reached(SchedulingPoint.CLAIM);
        if (!claim() || !run.tryRunWorkerNodes()) {
            throw new AssertionError("graph '" + run.plan.name + "': a thread takes part in a run that is over");
        }
        RunLane[] own = lanesOf(context);
        participant.enter(context, run.isSerial() ? ALL : FOREGROUND, own);
        boolean neverOpen;
        try {
            neverOpen = takePart(context, own);
        } finally {
            // Also if the graph stops meanwhile: the thread gets back what is its own.
            participant.exit();
        }
        holder = null;
        run.endWorkerNodes();
        if (neverOpen) {
            run.complete();
        } else {
            run.leaveGate();
        }
    }

    /** Returns whether the run has ended without any other thread having been let in. */
    private boolean takePart(@Nullable ThreadContext context, RunLane[] own) {
        boolean background = run.has(WorkerLevel.BACKGROUND.ordinal()) && !run.isSerial();
        boolean mayBeSequential = !background && own.length == run.lanes.length;
        if (mayBeSequential) {
            participant.begin(true);
            if (!run.gate.isOpen()) {
                return run.isAlone() && !run.isLookedAfter();
            }
        }
        ThreadParker parker = context == null ? foreignParker() : context.parker;
        boolean consumer = false;
        NamedLane lane = own.length == 0 ? null : own[0].lane;
        boolean nested = lane != null && lane.isConsumer();
        if (lane != null) {
            consumer = nested || lane.tryBecomeConsumer();
        }
        run.setCallerParker(parker);
        for (RunLane served : own) {
            served.beginServing(parker);
        }
        if (!mayBeSequential) {
            participant.begin(false);
        }
        long parkedSince = 0L;
        while (run.gate.isOpen()) {
            participant.workOff();
            if (participant.serveLanes() || !run.gate.isOpen()) {
                continue;
            }
            if (!participant.search(participant.spinNanos()) && !participant.hasLaneWork()) {
                if (!participant.takeBackground()) {
                    parkedSince = park(parker, context, parkedSince);
                }
            }
        }
        run.setCallerParker(null);
        for (RunLane served : own) {
            served.endServing();
        }
        if (consumer && !nested && lane != null) {
            lane.endConsumer();
        }
        return false;
    }

    /** Lets the thread that parks in {@code execute} go on, see {@link FailStop}. */
    void releaseParked() {
        ThreadParker parker = foreignParker;
        if (parker != null) {
            parker.release();
        }
    }

    private ThreadParker foreignParker() {
        ThreadParker known = foreignParker;
        if (known == null) {
            known = new ThreadParker(run.graph.scheduler());
            foreignParker = known;
        }
        return known;
    }

    private long park(ThreadParker parker, @Nullable ThreadContext context, long begun) {
        WorkerThread worker = context == null ? null : context.worker;
        if (worker != null) {
            run.graph.workers().enterBlocked(worker);
        }
        run.graph.requireRunning();
        parker.prepare();
        long since = begun;
        if (!run.gate.isOpen() || run.graph.failStop().isStopped() || participant.hasLaneWork() || run.hasAnyWork()) {
            parker.cancel();
        } else if (context == null) {
            since = run.graph.stalls().park(parker, Deadline.NEVER, run.event, begun);
        } else {
            since = context.parkInRun(run.event, Deadline.NEVER, begun);
        }
        if (worker != null) {
            run.graph.workers().exitBlocked(worker);
        }
        return since;
    }

    /** Takes part in a run that was begun by another thread, for as long as there is something to do. */
    boolean join(@Nullable ThreadContext context) {
        run.reached(SchedulingPoint.CLAIM);
        if (holder != null || !run.gate.tryEnter()) {
            return false;
        }
        run.reached(SchedulingPoint.CLAIM);
        if (!claim()) {
            run.leaveGate();
            return false;
        }
        if (!run.tryRunWorkerNodes()) {
            holder = null;
            run.leaveGate();
            return false;
        }
        participant.enter(context, run.isSerial() ? ALL : FOREGROUND, RunLane.NONE);
        try {
            help();
        } finally {
            participant.exit();
        }
        holder = null;
        run.endWorkerNodes();
        run.leaveGate();
        return true;
    }

    private void help() {
        if (run.takeStart()) {
            boolean background = run.has(WorkerLevel.BACKGROUND.ordinal()) && !run.isSerial();
            participant.begin(!background && run.lanes.length == 0);
        }
        while (run.gate.isOpen()) {
            participant.workOff();
            if (!run.gate.isOpen() || (!participant.search(participant.spinNanos()) && !participant.takeBackground())) {
                break;
            }
        }
    }

    /**
     * Passes the nodes on without running any; for graphs whose nodes are all on named threads. Inside the gate. The
     * caller's part need not be claimed: taking the start only sends nodes to lanes, which needs nothing of that part.
     */
    void onlyStart() {
        if (run.takeStart()) {
            participant.begin(run.plan.nodes == 0);
        }
    }
}
