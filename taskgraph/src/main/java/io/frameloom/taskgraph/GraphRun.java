package io.frameloom.taskgraph;

import io.frameloom.taskgraph.internal.PaddedLong;
import io.frameloom.taskgraph.internal.ParticipantGate;
import io.frameloom.taskgraph.internal.PrerequisiteCounts;
import io.frameloom.taskgraph.internal.RangeDeque;
import io.frameloom.taskgraph.internal.ThreadParker;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * What the participants of the runs of one compiled graph share. There is one run at a time, so one object
 * serves all of them.
 *
 * <p><b>Sequential or shared.</b> A thread that has a run to itself needs no counters: the nodes are
 * numbered topologically, so it runs them in the order of their numbers. It does so when nobody else has a
 * part in the graph, or when the runs before were so short that a helper would cost more than it saves. In
 * a shared run prerequisites are counted by atomic arrivals, from the first node or, when a sequential run
 * turns out to be long, from where it stands: {@link SequentialRun#share} computes the counts of the rest
 * while still alone, and everything it wrote is published by the opening of the gate.
 *
 * <p><b>The gate and the tail of a run.</b> Whoever takes part is inside the gate. Nodes done are counted
 * in batches; who counts the last one closes the gate, and the last participant to leave it completes the
 * run. So when a run is complete nobody reads its counters, deques or outcomes any more, and the next run
 * may reset them (race 31; {@code CompiledRerunStress}, {@code CompiledSoak}). A helper that arrives
 * late finds the gate closed, or enters the next run as good as any other.
 *
 * <p><b>Looking for work.</b> {@code hungry} counts, per level, the participants that look for work.
 * Whoever publishes a range in a deque passes a full fence and then reads it: if nobody looks he wakes the
 * caller of {@code execute}, if parked, or invites a helper. Who gives up looking takes himself off with a
 * volatile read-modify-write and looks once more, helpers once more again after they can be invited again
 * ({@link ReusableTask}). So no published range is left without somebody who will see it.
 */
final class GraphRun {
    static final int NONE = -1;
    static final int LEVELS = 3;

    /** A helper must save this much to pay for its wake-up. */
    private static final long HELP_NANOS = 20_000L;

    /** Below this average sharing costs more than it saves. */
    private static final long SHARE_NANOS = 50L;

    /** What arrivals, deques and cache misses add to a node of a shared run. */
    private static final long SHARED_OVERHEAD_NANOS = 50L;

    /** Above this average every ready node is published before a body is run. */
    static final long EAGER_NANOS = 200L;

    private static final long UNKNOWN = -1L;

    final TaskGraph graph;
    final GraphPlan plan;
    private final @Nullable ThreadScheduler scheduler;
    final PrerequisiteCounts counts;
    final ParticipantGate gate = new ParticipantGate();
    final RunOutcomes outcomes;
    final RunParticipant caller;
    final RunLane[] lanes;

    private final RunEvent event;
    private final RunHelper[][] helpers = new RunHelper[LEVELS][];
    private final RangeDeque[][] deques = new RangeDeque[LEVELS][];
    private final PaddedLong[] hungry = new PaddedLong[LEVELS];
    private final PaddedLong[] present = new PaddedLong[LEVELS];
    private final PaddedLong exclusive = new PaddedLong(0);
    private final PaddedLong start = new PaddedLong(0);
    private final PaddedLong done = new PaddedLong(0);
    private final PaddedLong busy = new PaddedLong(0);
    private final int[] wanted = new int[LEVELS];
    private final TaskBody[] bodies;
    private final int helperLimit;
    private final @Nullable WorkerLevel firstLevel;
    private final RunParticipant[] participants;

    /** Where the caller of execute parks; null when nobody is in execute. */
    private volatile @Nullable ThreadParker callerParker;

    /** Fixed before the run is published. */
    private boolean eager;

    private boolean byExecute;
    private long mask;
    /** Whether bodies need more than a call. Set before what orders it before the nodes that care. */
    private boolean checked;

    /** Who is told of the end of this run. Set before the run is published. */
    private @Nullable RunObserver runObserver;

    private @Nullable RunTimes times;

    private volatile boolean sequential;
    /** Nanoseconds per node of the runs before; between runs owned by whoever begins one. */
    private long averageNanos = UNKNOWN;

    GraphRun(TaskGraph graph, GraphPlan plan, RunEvent event) {
        this.graph = graph;
        this.plan = plan;
        this.scheduler = graph.scheduler();
        this.event = event;
        this.bodies = plan.bodies;
        counts = new PrerequisiteCounts(plan.counts);
        outcomes = new RunOutcomes(plan);
        helperLimit = Math.min(plan.maxHelpers, graph.workerCount());
        int perLevel = Math.max(1, helperLimit);
        int slots = 1 + perLevel * Integer.bitCount(plan.levels) + plan.lanes.length;
        for (int level = 0; level < LEVELS; level++) {
            deques[level] = new RangeDeque[has(level) ? slots : 0];
            for (int slot = 0; slot < deques[level].length; slot++) {
                deques[level][slot] = new RangeDeque(16);
            }
            hungry[level] = new PaddedLong(0);
            present[level] = new PaddedLong(0);
        }
        participants = new RunParticipant[slots];
        int slot = 0;
        WorkerLevel first = null;
        caller = new RunParticipant(this, slot, null);
        participants[slot++] = caller;
        for (WorkerLevel level : WorkerLevel.values()) {
            int size = has(level.rank) ? perLevel : 0;
            first = first == null && size > 0 ? level : first;
            helpers[level.rank] = new RunHelper[size];
            for (int i = 0; i < size; i++) {
                RunParticipant participant = new RunParticipant(this, slot, level);
                participants[slot++] = participant;
                helpers[level.rank][i] = new RunHelper(this, participant, level);
            }
        }
        firstLevel = first;
        lanes = new RunLane[plan.lanes.length];
        for (int i = 0; i < lanes.length; i++) {
            RunParticipant participant = new RunParticipant(this, slot, null);
            participants[slot++] = participant;
            lanes[i] = new RunLane(this, participant, plan.lanes[i]);
        }
    }

    /** Lets a scheduler interleave other threads; nothing without one. */
    void reached(SchedulingPoint point) {
        ThreadScheduler given = scheduler;
        if (given != null) {
            given.reached(point, plan.name);
        }
    }

    /** Whether a scheduler controls the threads, so that nobody may spin. */
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
        return !isSerial() || exclusive.cas(0L, 1L);
    }

    /** Ends {@link #tryRunWorkerNodes}; inside the gate. Whoever was turned away relies on the look at the end. */
    void endWorkerNodes() {
        if (isSerial()) {
            exclusive.setVolatile(0L);
            VarHandle.fullFence();
            reached(SchedulingPoint.RECHECK);
            inviteForWork();
        }
    }

    /** Whether {@link #tryRunWorkerNodes} would succeed now. */
    boolean mayRunWorkerNodes() {
        return !isSerial() || exclusive.valueVolatile() == 0L;
    }

    private void inviteForWork() {
        for (int level = 0; level < LEVELS; level++) {
            if (hasWork(level)) {
                wanted[level] = Math.max(1, wanted[level]);
                invite(level);
            }
        }
    }

    boolean isEager() {
        return eager;
    }

    boolean isSequential() {
        return sequential;
    }

    RangeDeque[] deques(int level) {
        return deques[level];
    }

    /** Resets what the run before left. By the thread that was admitted to begin a run. */
    void prepare(long switchesOn, boolean withCaller) {
        mask = switchesOn;
        byExecute = withCaller;
        outcomes.reset();
        observeRun();
        checked = graph.observer() != null || plan.hasFailureEdges || (plan.usedSwitches & ~switchesOn) != 0L;
        done.setVolatile(0L);
        busy.setVolatile(0L);
        if (!withCaller) {
            // Somebody has to begin; who does decides how many more are wanted.
            java.util.Arrays.fill(wanted, 1);
        }
    }

    private void observeRun() {
        GuardedObserver observer = graph.observer();
        if (observer == null) {
            return;
        }
        RunObserver receiver = observer.runStarted(plan.name, plan.nodes);
        runObserver = receiver;
        if (receiver != null) {
            RunTimes kept = times;
            if (kept == null) {
                kept = new RunTimes(plan);
                times = kept;
            }
            kept.begin(graph.nanoTime());
        }
    }

    /** How this run is to be run, from how long those before took. */
    void decide(boolean mayBeSequential) {
        long average = averageNanos;
        boolean known = average >= 0;
        long helpersPaid = known ? average * plan.nodes / HELP_NANOS : Long.MAX_VALUE;
        eager = !isSerial() && (!known || average > EAGER_NANOS);
        boolean tooShort = plan.nodes <= 1 || (known && (average < SHARE_NANOS || helpersPaid == 0L));
        sequential = mayBeSequential && (isSerial() || tooShort);
        for (int level = 0; level < LEVELS; level++) {
            boolean needed = !byExecute || (level == WorkerLevel.BACKGROUND.rank && !isSerial());
            wanted[level] = (int) Math.max(needed ? 1L : 0L, Math.min(helperLimit, helpersPaid));
        }
    }

    /** Ends the sequential part of a run. */
    void endSequential() {
        sequential = false;
    }

    /** A sequential run has turned out to be long. */
    void expectLongBodies() {
        eager = true;
        for (int level = 0; level < LEVELS; level++) {
            wanted[level] = Math.max(wanted[level], helperLimit);
        }
    }

    /** Lets the first participant that asks begin the run. */
    void offerStart() {
        start.setVolatile(1L);
    }

    boolean takeStart() {
        reached(SchedulingPoint.CLAIM);
        return start.valueVolatile() != 0L && start.cas(1L, 0L);
    }

    boolean startOffered() {
        return start.valueVolatile() != 0L;
    }

    /** The most urgent level with nodes; null if all nodes are on named threads. */
    @Nullable
    WorkerLevel firstLevel() {
        return firstLevel;
    }

    boolean hasOneLevel() {
        return Integer.bitCount(plan.levels) == 1;
    }

    void setDone(int nodes) {
        done.setVolatile(nodes);
    }

    /** Counts nodes as done. Whoever counts the last one closes the gate. */
    void countDone(int nodes) {
        reached(SchedulingPoint.COUNT);
        if (done.getAndAdd(nodes) + nodes == plan.nodes) {
            reached(SchedulingPoint.CLOSE);
            gate.close();
            wakeCaller();
        }
    }

    void countBusy(long nanos) {
        busy.getAndAdd(nanos);
    }

    void leaveGate() {
        reached(SchedulingPoint.COMPLETE);
        if (gate.leave()) {
            complete();
        }
    }

    /** Ends the run. By the last participant; afterwards the next run may begin at any moment. */
    void complete() {
        recordAverage();
        RunFailedException failure = outcomes.failure();
        RunObserver receiver = runObserver;
        if (receiver != null) {
            tell(receiver, failure);
        }
        event.complete(failure);
    }

    private void tell(RunObserver receiver, @Nullable RunFailedException failure) {
        GuardedObserver observer = graph.observer();
        RunTimes taken = times;
        if (observer != null && taken != null) {
            observer.runFinished(receiver, taken.profile(graph.nanoTime(), failure));
        }
    }

    private void recordAverage() {
        if (plan.nodes == 0) {
            return;
        }
        long sample = busy.valueVolatile() / plan.nodes;
        if (!sequential) {
            sample = Math.max(0L, sample - SHARED_OVERHEAD_NANOS);
        }
        averageNanos = averageNanos < 0 ? sample : averageNanos + (sample - averageNanos) / 4;
    }

    void setCallerParker(@Nullable ThreadParker parker) {
        callerParker = parker;
    }

    private boolean wakeCaller() {
        ThreadParker parker = callerParker;
        return parker != null && parker.wake();
    }

    void addHungry(int level, long delta) {
        hungry[level].getAndAdd(delta);
    }

    boolean isHungry(int level) {
        return hungry[level].valueOpaque() > 0;
    }

    /** To be called after a range of the level was published. */
    void published(int level) {
        VarHandle.fullFence();
        reached(SchedulingPoint.RECHECK);
        if (hungry[level].valueVolatile() > 0) {
            return;
        }
        // The caller takes BACKGROUND nodes only when nobody else does.
        if (!wakeCaller() || level == WorkerLevel.BACKGROUND.rank) {
            invite(level);
            // The helpers may be queued already, for workers that all wait, possibly for this run.
            graph.workers().wakeIfAllBlocked();
        }
    }

    /**
     * Queues a helper unless enough are there. A helper that becomes idle looks whether it is needed, and may
     * find itself counted by somebody who fails to queue it just then. Therefore who failed looks again after
     * taking its count back: either it sees the helper idle, or the helper sees the count without it.
     */
    void invite(int level) {
        PaddedLong count = present[level];
        while (count.valueVolatile() < wanted[level]) {
            for (RunHelper helper : helpers[level]) {
                if (helper.tryInvite()) {
                    return;
                }
            }
            if (!anyIdle(helpers[level])) {
                return;
            }
        }
    }

    private static boolean anyIdle(RunHelper[] helpers) {
        for (RunHelper helper : helpers) {
            if (helper.isIdle()) {
                return true;
            }
        }
        return false;
    }

    void addPresent(int level, long delta) {
        present[level].getAndAdd(delta);
    }

    /** Whether somebody at the level could take something. */
    boolean hasWork(int level) {
        if (!has(level) || !gate.isOpen()) {
            return false;
        }
        if (startOffered()) {
            return true;
        }
        for (RangeDeque deque : deques[level]) {
            if (!deque.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    boolean hasAnyWork() {
        for (int level = 0; level < LEVELS; level++) {
            if (hasWork(level)) {
                return true;
            }
        }
        return false;
    }

    /** Takes the oldest range of another participant. */
    long steal(int level, int thief) {
        reached(SchedulingPoint.TAKE);
        RangeDeque[] victims = deques[level];
        for (int i = 1; i < victims.length; i++) {
            int victim = thief + i;
            long range = victims[victim < victims.length ? victim : victim - victims.length].steal();
            if (range != RangeDeque.NOTHING) {
                return range;
            }
        }
        return RangeDeque.NOTHING;
    }

    /** Runs the body of a node whose prerequisites have ended. */
    void runBody(int node, @Nullable ThreadContext context) {
        if (checked) {
            runChecked(node, context);
            return;
        }
        try {
            bodies[node].run();
        } catch (Throwable t) {
            failed(node, t);
        }
    }

    private void failed(int node, Throwable failure) {
        outcomes.failed(node, failure);
        checked = true;
    }

    private void runChecked(int node, @Nullable ThreadContext context) {
        switch (outcomes.verdict(node, mask)) {
            case PASS -> {}
            case SKIP -> outcomes.skipped(node);
            case RUN -> runObserved(node, context);
        }
    }

    private void runObserved(int node, @Nullable ThreadContext context) {
        GuardedObserver observer = graph.observer();
        int ordinal = context == null ? -1 : context.ordinal;
        if (observer != null) {
            observer.taskStarted(plan.names[node], plan.targets[node], ordinal);
        }
        RunTimes taken = runObserver == null ? null : times;
        long begin = taken == null ? 0L : graph.nanoTime();
        Throwable failure = null;
        try {
            bodies[node].run();
        } catch (Throwable t) {
            failure = t;
            failed(node, t);
        }
        if (taken != null) {
            taken.ran(node, graph.nanoTime() - begin);
        }
        if (observer != null) {
            observer.taskFinished(plan.names[node], plan.targets[node], ordinal, failure);
        }
    }

    /** Bodies that have not begun are skipped from now on, and the run fails if there are any. */
    void refuse(TaskGraphClosedException refusal) {
        outcomes.refuse(refusal);
        checked = true;
    }

    void refuseIfClosing() {
        if (graph.isClosing() && !outcomes.isRefusing()) {
            refuse(graph.refusals().closedWhilePending(plan.name));
        }
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
