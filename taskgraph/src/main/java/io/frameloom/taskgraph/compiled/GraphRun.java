package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.ThreadScheduler;
import io.frameloom.taskgraph.WorkerLevel;
import io.frameloom.taskgraph.graph.GraphParts;
import io.frameloom.taskgraph.parts.PaddedLong;
import io.frameloom.taskgraph.parts.ThreadParker;
import io.frameloom.taskgraph.task.ReusableTask;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The shared state of the participants in the runs of one compiled graph. There is one run at a time, so one object
 * serves all of them.
 *
 * <p><b>Sequential or shared.</b> A thread that has a run to itself needs no counters: the nodes are numbered
 * topologically, so it runs them in the order of their numbers. It does so when no other thread has a part in the
 * graph, or when earlier runs were so short that a helper would cost more than it saves. In a run that is shared from
 * the first node prerequisites are counted by atomic arrivals. A sequential run that turns out to be long is shared from
 * where it stands: by its thread, between two turns, or by a helper while a body runs. Then participants claim nodes and
 * look for their prerequisites ({@link Frontier}). So does the only run of a graph that is not sequential.
 *
 * <p><b>A body that does not end.</b> While a thread has the only run of a graph to itself, the timer thread looks after
 * it ({@link #lookAfter}): if it has claimed nothing between two looks, a helper is invited to share the run. Runs that
 * are repeated need no such look: the first is shared, and how long its bodies were decides about the next.
 *
 * <p><b>The gate and the tail of a run.</b> Each thread that takes part is inside the gate. Nodes done are counted in
 * batches. The thread that counts the last one closes the gate, and the last participant to leave it completes the run.
 * So when a run is complete no thread reads its counters, deques or outcomes any more, and the next run may reset them
 * (race 31; {@code CompiledRerunStress}, {@code CompiledSoak}). A helper that arrives late finds the gate closed, or
 * enters the next run as well as any other.
 *
 * <p><b>Looking for work.</b> {@link PublishedRanges} counts, per level, the participants that look for work. The
 * thread that publishes a range in a deque passes a full fence and then reads it. If no thread looks, it wakes the
 * caller of {@code execute}, if parked, or invites a helper. A thread that gives up looking takes itself off with a
 * volatile read-modify-write and looks once more, helpers once more again after they can be invited again ({@link
 * ReusableTask}). So every published range has a thread that will see it.
 */
public final class GraphRun {
    static final int NONE = -1;
    static final int LEVELS = 3;

    final GraphParts graph;
    final GraphPlan plan;
    final NodeBodies bodies;
    final RunPace pace;
    final ParticipantGate gate = new ParticipantGate();
    final RunParticipant caller;
    final RunLane[] lanes;
    final RunCore event;
    final Frontier frontier;
    /** Those of runs that are shared from the first node. */
    final PrerequisiteCounts counts;

    private final @Nullable ThreadScheduler scheduler;

    /** By level; null where no node has it, as in {@link #crews}. */
    final PublishedRanges[] ranges = new PublishedRanges[LEVELS];

    final HelperCrew[] crews = new HelperCrew[LEVELS];
    private final AtomicBoolean exclusive = new AtomicBoolean();
    private final AtomicBoolean start = new AtomicBoolean();
    private final PaddedLong done = new PaddedLong(0);
    private final int helperLimit;
    /** The most urgent level with nodes; null if all nodes are on named threads. */
    final @Nullable WorkerLevel firstLevel;
    /** The caller's, those of lanes, and those of helpers. Replaced by {@link #setHelpers}. */
    private volatile RunParticipant[] participants;

    /** Where the caller of execute parks; null when no thread is in execute. */
    private volatile @Nullable ThreadParker callerParker;

    /** Fixed before the run is published. */
    private boolean byExecute;

    /** Only in a graph that runs once. */
    private volatile boolean shareWanted;
    /** What {@link #lookAfter} has seen; the timer thread's. */
    private long lastLook;

    GraphRun(GraphParts graph, GraphPlan plan, RunCore event) {
        this.graph = graph;
        this.plan = plan;
        this.scheduler = graph.scheduler();
        this.event = event;
        bodies = new NodeBodies(graph, plan);
        counts = plan.once ? PrerequisiteCounts.NONE : new PrerequisiteCounts(plan.counts);
        frontier = new Frontier(plan.nodes, plan.prerequisiteStarts, plan.prerequisites);
        helperLimit = Math.min(plan.maxHelpers, graph.workerCount());
        pace = new RunPace(graph, plan.nodes, plan.once, helperLimit);
        WorkerLevel first = null;
        for (int rank = 0; rank < LEVELS; rank++) {
            if (has(rank)) {
                ranges[rank] = new PublishedRanges(1 + plan.lanes.length, plan.once);
                crews[rank] = new HelperCrew(this, GraphPlan.LEVELS[rank]);
                first = first == null ? GraphPlan.LEVELS[rank] : first;
            }
        }
        firstLevel = first;
        participants = new RunParticipant[1 + plan.lanes.length];
        caller = new RunParticipant(this, 0, null);
        participants[0] = caller;
        lanes = plan.lanes.length == 0 ? RunLane.NONE : new RunLane[plan.lanes.length];
        for (int i = 0; i < lanes.length; i++) {
            participants[1 + i] = new RunParticipant(this, 1 + i, null);
            lanes[i] = new RunLane(this, participants[1 + i], plan.lanes[i]);
        }
        if (!plan.once && !isSerial()) {
            frontier.reserve();
        }
        if (!plan.once) {
            setHelpers(Math.max(1, helperLimit));
        }
    }

    /** Makes participants for so many helpers at each level, if there are fewer. Other participants may be at work. */
    private synchronized void setHelpers(int perLevel) {
        RunParticipant[] known = participants;
        int slots = known.length;
        for (int rank = 0; rank < LEVELS; rank++) {
            slots += has(rank) ? perLevel - crews[rank].size() : 0;
        }
        if (slots == known.length) {
            return;
        }
        for (int rank = 0; rank < LEVELS; rank++) {
            if (has(rank)) {
                ranges[rank].addDeques(slots - known.length);
            }
        }
        RunParticipant[] all = Arrays.copyOf(known, slots);
        int slot = known.length;
        for (int rank = 0; rank < LEVELS; rank++) {
            int added = has(rank) ? perLevel - crews[rank].size() : 0;
            for (int i = 0; i < added; i++) {
                all[slot + i] = new RunParticipant(this, slot + i, crews[rank].level());
            }
            if (added > 0) {
                crews[rank].add(Arrays.copyOfRange(all, slot, slot + added));
            }
            slot += added;
        }
        participants = all;
    }

    /** Lets a scheduler interleave other threads; nothing without one. */
    void reached(SchedulingPoint point) {
        ThreadScheduler given = scheduler;
        if (given != null) {
            given.reached(point, plan.name);
        }
    }

    /** Whether a scheduler controls the threads, so that none may spin. */
    boolean isScheduled() {
        return scheduler != null;
    }

    long nanoTime() {
        ThreadScheduler given = scheduler;
        return given == null ? System.nanoTime() : given.nanoTime();
    }

    boolean has(int level) {
        return (plan.levels & 1 << level) != 0;
    }

    /** Whether only one thread at a time may run nodes of workers. */
    boolean isSerial() {
        return helperLimit == 0;
    }

    /** In a serial graph: takes the right to run nodes of workers, which one thread has at a time. */
    boolean tryRunWorkerNodes() {
        return !isSerial() || exclusive.compareAndSet(false, true);
    }

    /**
     * Ends {@link #tryRunWorkerNodes}; inside the gate. A thread that was turned away relies on the look at the end.
     */
    void endWorkerNodes() {
        if (isSerial()) {
            reached(SchedulingPoint.RECHECK);
            exclusive.set(false);
            VarHandle.fullFence();
            reached(SchedulingPoint.RECHECK);
            inviteForWork();
        }
    }

    /** Whether {@link #tryRunWorkerNodes} would succeed now. */
    boolean mayRunWorkerNodes() {
        return !isSerial() || !exclusive.get();
    }

    private void inviteForWork() {
        for (int level = 0; level < LEVELS; level++) {
            if (hasWork(level)) {
                crews[level].invite();
            }
        }
    }

    /** Resets what the run before left. By the thread that was admitted to begin a run. */
    public void prepare(long switchesOn, boolean withCaller) {
        byExecute = withCaller;
        bodies.prepare(switchesOn);
        pace.begin();
        done.setVolatile(0L);
        frontier.reset();
        if (!withCaller) {
            // One must begin; the thread that does decides how many more are wanted.
            if (plan.once) {
                setHelpers(1);
            }
            for (int rank = 0; rank < LEVELS; rank++) {
                if (has(rank)) {
                    crews[rank].want(1);
                }
            }
        }
    }

    /** Lets others take part in a run that one thread has begun. By any participant. */
    void share() {
        if (frontier.share()) {
            setHelpers(Math.max(1, helperLimit));
            inviteAll();
        }
    }

    void inviteAll() {
        for (int rank = 0; rank < LEVELS; rank++) {
            if (has(rank)) {
                crews[rank].invite();
            }
        }
    }

    /** Whether one thread has the run in progress to itself. */
    boolean isAlone() {
        return pace.isSequential() && !frontier.isShared();
    }

    /** Whether other threads may {@link #share} the run: the only one of a graph that is not serial. */
    boolean isLookedAfter() {
        return plan.once && plan.nodes > 1 && !isSerial();
    }

    /** Whether a body takes so long that another thread should {@link #share} the run. */
    boolean isShareWanted() {
        return shareWanted;
    }

    /**
     * Looks whether the thread that has the only run to itself has claimed nodes since the last look. If not, a helper
     * is to share the run. By the timer thread. Returns whether it has to look again.
     */
    boolean lookAfter() {
        if (!isLookedAfter() || !isAlone() || shareWanted) {
            return false;
        }
        long now = frontier.position();
        if (now == 0L || now != lastLook) {
            lastLook = now;
            return true;
        }
        // There may be none so far, or only the one that has the run to itself.
        setHelpers(helperLimit);
        shareWanted = true;
        VarHandle.fullFence();
        reached(SchedulingPoint.WAKE);
        inviteForWork();
        graph.workers().wakeIfAllBlocked();
        return false;
    }

    /** How this run is to be run. By the thread that begins it. */
    void decide(boolean mayBeSequential) {
        pace.decide(mayBeSequential);
        for (int rank = 0; rank < LEVELS; rank++) {
            boolean needed = !byExecute || (rank == WorkerLevel.BACKGROUND.ordinal() && !isSerial());
            if (has(rank)) {
                crews[rank].want(Math.max(needed ? 1 : 0, pace.helpers()));
            }
        }
    }

    /** A sequential run has turned out to be worth any helper. */
    void wantAllHelpers() {
        for (int rank = 0; rank < LEVELS; rank++) {
            if (has(rank)) {
                crews[rank].wantAtLeast(helperLimit);
            }
        }
    }

    /** Lets the first participant that asks begin the run. */
    void offerStart() {
        start.set(true);
    }

    boolean takeStart() {
        reached(SchedulingPoint.CLAIM);
        return start.get() && start.compareAndSet(true, false);
    }

    boolean startOffered() {
        return start.get();
    }

    boolean hasOneLevel() {
        return Integer.bitCount(plan.levels) == 1;
    }

    /** Counts nodes as done. The thread that counts the last one closes the gate. */
    void countDone(int nodes) {
        reached(SchedulingPoint.COUNT);
        if (done.getAndAdd(nodes) + nodes == plan.nodes) {
            reached(SchedulingPoint.CLOSE);
            gate.close();
            wakeCaller();
        }
    }

    void leaveGate() {
        reached(SchedulingPoint.COMPLETE);
        if (gate.leave()) {
            complete();
        }
    }

    /** Ends the run. By the last participant; afterwards the next run may begin at any moment. */
    void complete() {
        pace.end();
        event.complete(bodies.end());
    }

    void setCallerParker(@Nullable ThreadParker parker) {
        callerParker = parker;
    }

    /** The thread that is parked in execute, or null. */
    @Nullable
    Thread parkedCaller() {
        ThreadParker parker = callerParker;
        return parker == null ? null : parker.parkedThread();
    }

    RunParticipant[] participants() {
        return participants;
    }

    private boolean wakeCaller() {
        ThreadParker parker = callerParker;
        return parker != null && parker.wake();
    }

    /** To be called after a range of the level was published. */
    void published(int level) {
        VarHandle.fullFence();
        reached(SchedulingPoint.RECHECK);
        if (ranges[level].isHungryVolatile()) {
            return;
        }
        // The caller takes BACKGROUND nodes only when no other thread does.
        if (!wakeCaller() || level == WorkerLevel.BACKGROUND.ordinal()) {
            crews[level].invite();
            // The helpers may be queued already, for workers that all wait, possibly for this run.
            graph.workers().wakeIfAllBlocked();
        }
    }

    boolean hasWork(int level) {
        return has(level)
                && gate.isOpen()
                && (startOffered() || !ranges[level].isEmpty() || frontier.hasUnclaimed() || mustBeShared());
    }

    private boolean mustBeShared() {
        return shareWanted && isAlone();
    }

    boolean hasAnyWork() {
        for (int level = 0; level < LEVELS; level++) {
            if (hasWork(level)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the calling thread is inside a node of this run. */
    boolean isInside() {
        Thread self = Thread.currentThread();
        for (RunParticipant participant : participants) {
            if (participant.isRunningOn(self)) {
                return true;
            }
        }
        return false;
    }
}
