package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.WorkerLevel;
import io.frameloom.taskgraph.task.InheritedBindings;
import io.frameloom.taskgraph.task.TaskThread;
import io.frameloom.taskgraph.worker.IdleSpin;
import io.frameloom.taskgraph.worker.ThreadContext;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One thread's part in a run: it runs ready nodes, keeps one successor as its next node, and keeps the
 * other ready ones as ranges.
 *
 * <p><b>Ranges</b> are kept on private stacks and given away one at a time, when another participant is hungry (Acar,
 * Chargueraud, Rainey, "Scheduling parallel programs by work stealing with private deques"), or published all together.
 * Of a range always the upper half goes first, so that thieves get large pieces.
 *
 * <p><b>Arrivals.</b> When a node has ended, an arrival is taken off each successor. Arrivals at a join with many
 * prerequisites are collected, as all participants would write the word of its count. In a run without counts the nodes
 * that wait for this one are looked at ({@link Frontier}).
 *
 * <p>In an <em>eager</em> run, whose bodies are long, everything is published before a body begins, so that
 * nothing ready waits for a body to return. What this participant may not run itself (other levels, named
 * threads) is passed on at once.
 *
 * <p>Used by one thread at a time, inside the gate; a helper's by the thread that runs its task, a lane's by the
 * consumer of the lane, the caller's by the thread that claimed it. Any thread may call {@link #isRunningOn}.
 */
final class RunParticipant {
    static final int NONE = GraphRun.NONE;
    /** Nodes between two looks at the clock and at what else is urgent. */
    static final int TURN = 64;

    private static final int LOOKS_PER_TIME = 16;
    /** Nodes that are claimed at a time: few, so that none of them waits long; enough, so that claims do not meet. */
    private static final int CLAIM = 8;
    /** First capacity of a stack: runs of one graph are not to allocate, not even when a helper has its first part. */
    private static final int STACK = 64;

    final GraphRun run;
    final GraphPlan plan;
    /** Per level, what all participants have published. */
    final PublishedRanges[] published;

    final RangeStack[] stacks = new RangeStack[GraphRun.LEVELS];
    /** Bit per level whose nodes this participant runs. */
    int serves;
    /** The level of the node that was taken last. */
    int current;

    private final int slot;
    private final RangeDeque[] own = new RangeDeque[GraphRun.LEVELS];

    private final NodeBodies bodies;
    /** The level of a helper; null for the caller and for lanes. */
    private final @Nullable WorkerLevel level;

    private int executed;
    private boolean yielded;
    private RunLane[] ownLanes = RunLane.NONE;
    private @Nullable ThreadContext context;
    private volatile @Nullable Thread thread;
    /**
     * The node whose body was begun last, or none; for reports, which may see an earlier one. A plain field, as
     * anything stronger makes the loop over small bodies several times slower.
     */
    private int running = NONE;

    /** Whether the thread was interrupted before its part, or a body left it interrupted. */
    private boolean interrupted;

    /** What the thread inherited before. */
    private @Nullable InheritedBindings outerBindings;

    private int heldJoin = NONE;
    private int heldArrivals;

    RunParticipant(GraphRun run, int slot, @Nullable WorkerLevel level) {
        this.run = run;
        this.plan = run.plan;
        this.slot = slot;
        this.published = run.ranges;
        for (int rank = 0; rank < GraphRun.LEVELS; rank++) {
            stacks[rank] = new RangeStack(plan.once ? 0 : STACK);
            if (run.has(rank)) {
                own[rank] = published[rank].deque(slot);
            }
        }
        this.level = level;
        this.bodies = run.bodies;
        this.serves = level == null ? 0 : 1 << level.ordinal();
    }

    /** Begins a part of the calling thread. */
    void enter(@Nullable ThreadContext executing, int servedLevels, RunLane[] servedLanes) {
        context = executing;
        serves = servedLevels & plan.levels;
        ownLanes = servedLanes;
        thread = Thread.currentThread();
        interrupted = Thread.interrupted();
        outerBindings = TaskThread.inherited();
        TaskThread.inherit(bodies.bindings());
    }

    /** Keeps an interrupt until the part is over: it is addressed to the thread, or to the body before. */
    void keepInterrupt() {
        interrupted |= Thread.interrupted();
    }

    private void passInterruptOn() {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    void exit() {
        passInterruptOn();
        TaskThread.inherit(outerBindings);
        outerBindings = null;
        setRunning(NONE);
        thread = null;
        context = null;
        ownLanes = RunLane.NONE;
    }

    boolean isRunningOn(Thread asking) {
        return thread == asking;
    }

    /** The thread whose part this is at the moment, or null. Any thread may ask. */
    @Nullable
    Thread thread() {
        return thread;
    }

    /** The node that the thread runs, or none. Any thread may ask, for reports. */
    int running() {
        return running;
    }

    /** Says which node is run from now on, or that none is. */
    void setRunning(int node) {
        running = node;
    }

    /** A helper's whole part, inside the gate. */
    void help(@Nullable ThreadContext executing) {
        enter(executing, serves, RunLane.NONE);
        if (run.takeStart()) {
            begin(run.hasOneLevel() && plan.lanes.length == 0);
        }
        while (run.gate.isOpen()) {
            workOff();
            if (yielded || !search(spinNanos())) {
                break;
            }
        }
        yielded = false;
        exit();
    }

    /**
     * Starts the run: to its end if it is a sequential one, else up to where others can take part. Opens the gate if
     * others may enter.
     */
    void begin(boolean mayBeSequential) {
        run.decide(mayBeSequential);
        if (!run.pace.isSequential() && !plan.once) {
            run.counts.arm();
        }
        if (!run.pace.isSequential() || run.isLookedAfter()) {
            open();
        }
        if (run.pace.isSequential()) {
            if (SequentialRun.run(this, context) && run.gate.isOpen()) {
                run.countDone(plan.nodes);
            }
            return;
        }
        if (plan.once) {
            run.share();
            claimLanes();
        } else {
            for (int i = plan.roots.length - 2; i >= 0; i -= 2) {
                release(plan.roots[i], plan.roots[i + 1]);
            }
        }
        run.inviteAll();
    }

    /** Opens the gate with this participant inside, unless it is open. */
    void open() {
        if (!run.gate.isOpen()) {
            run.gate.open(1);
        }
    }

    /** Where no participant claims, since all nodes are on named threads. */
    private void claimLanes() {
        while (plan.levels == 0 && claim()) {
            run.reached(SchedulingPoint.ENQUEUE);
        }
    }

    /** Runs everything that can be had without waiting. */
    void workOff() {
        long begin = 0L;
        while (true) {
            int node = takeOwn();
            if (node == NONE && releaseHeld()) {
                continue;
            }
            if (node == NONE) {
                setRunning(NONE);
                countDone();
                if (claim()) {
                    continue;
                }
                node = steal();
            }
            if (node == NONE) {
                break;
            }
            begin = begin == 0L ? run.nanoTime() : begin;
            runFrom(node);
            if (yielded) {
                break;
            }
        }
        if (begin != 0L) {
            run.pace.countBusy(run.nanoTime() - begin);
        }
        countDone();
    }

    /** Adds nodes that were run while the run belonged to this thread. */
    void countDone(int nodes) {
        executed += nodes;
        countDone();
    }

    private void countDone() {
        if (executed > 0) {
            int nodes = executed;
            executed = 0;
            run.countDone(nodes);
        }
    }

    /** The loop: runs a node and whatever it makes ready, until nothing is left that is this thread's own. */
    private void runFrom(int first) {
        boolean eager = run.pace.isEager();
        // A run does not change once this thread has a node of it.
        boolean claimed = run.frontier.isShared();
        int turn = TURN;
        int node = first;
        while (node != NONE) {
            if (eager || --turn == 0) {
                turn = TURN;
                if (!keepsGoing(node, eager)) {
                    return;
                }
            } else if (published[current].isHungryOpaque()) {
                feed();
            }
            setRunning(node);
            bodies.run(node, context);
            executed++;
            node = claimed ? unlessUrgent(ended(node)) : arrived(node);
            if (node == NONE) {
                node = takeOwn();
            }
        }
    }

    /** Between two nodes, at every one or at every turn. Returns false if this participant has to leave. */
    private boolean keepsGoing(int node, boolean eager) {
        run.reached(SchedulingPoint.COUNT);
        keepInterrupt();
        bodies.refuseIfClosing();
        serveLanes();
        if (mustYield()) {
            stacks[current].push(node, node + 1);
            releaseHeld();
            publishAll();
            yielded = true;
            return false;
        }
        if (eager) {
            releaseHeldBefore(node);
            publishAll();
        }
        return true;
    }

    /** Whether something more urgent than what this helper does waits for a worker. */
    boolean mustYield() {
        WorkerLevel self = level;
        return self != null && self != WorkerLevel.HIGH && run.graph.workers().moreUrgent(self);
    }

    /**
     * Looks for something to steal, announced as hungry. What was found is on the private stack.
     *
     * @return false if nothing was found within the time, or the run is over
     */
    boolean search(long nanos) {
        announceHunger(1L);
        boolean found = spin(nanos);
        run.reached(SchedulingPoint.RECHECK);
        announceHunger(-1L);
        run.reached(SchedulingPoint.RECHECK);
        // A thread that published after the last look may have relied on this one: look once more.
        return found || stealToStack();
    }

    /** Runs one BACKGROUND node that was not taken; before the caller parks. */
    boolean takeBackground() {
        int rank = WorkerLevel.BACKGROUND.ordinal();
        if ((serves & 1 << rank) != 0 || !run.has(rank)) {
            return false;
        }
        int node = takePublished(rank);
        if (node == NONE) {
            return false;
        }
        int next = runForeign(node);
        if (next != NONE) {
            stacks[rank].push(next, next + 1);
        }
        publishAll();
        return true;
    }

    private boolean spin(long nanos) {
        int looks = run.isScheduled() ? 1 : LOOKS_PER_TIME;
        long begin = run.nanoTime();
        do {
            for (int i = 0; i < looks; i++) {
                if (stealToStack()) {
                    return true;
                }
                if (!run.gate.isOpen() || run.isAlone()) {
                    return false;
                }
                if (hasLaneWork()) {
                    return false;
                }
                Thread.onSpinWait();
            }
        } while (run.nanoTime() - begin < nanos && !mustYield());
        return false;
    }

    /** How long to look for work: a run's pauses are short, so at least as long as a wake-up takes. */
    long spinNanos() {
        return IdleSpin.nanosInRun(run.graph, context);
    }

    /** Whether a node for a named thread that this participant serves is ready. */
    boolean hasLaneWork() {
        return RunLane.anyReady(ownLanes);
    }

    /** Runs the ready nodes of the named thread that this participant serves. Returns whether there were any. */
    boolean serveLanes() {
        boolean any = false;
        for (RunLane lane : ownLanes) {
            any |= runLane(lane);
        }
        return any;
    }

    /** Runs the ready nodes of a lane. By the thread of the lane. */
    boolean runLane(RunLane lane) {
        int node = lane.takeAll();
        boolean any = node != NONE;
        while (node != NONE) {
            int following = lane.next(node);
            runForeign(node);
            node = following;
        }
        return any;
    }

    /** Runs a node of a kind that this participant does not serve. Returns what {@link #completed} does. */
    private int runForeign(int node) {
        keepInterrupt();
        bodies.refuseIfClosing();
        int outer = running;
        setRunning(node);
        long begin = run.nanoTime();
        bodies.run(node, context);
        run.pace.countBusy(run.nanoTime() - begin);
        setRunning(outer);
        executed++;
        int next = completed(node);
        releaseHeld();
        return next;
    }

    /** A lane's whole part: runs what is ready there, inside the gate. */
    void runAsLane(RunLane lane, @Nullable ThreadContext executing) {
        Thread outer = thread;
        InheritedBindings before = outerBindings;
        boolean outerInterrupted = interrupted;
        enter(executing, 0, RunLane.NONE);
        try {
            while (runLane(lane)) {
                countDone();
            }
        } finally {
            passInterruptOn();
            interrupted = outerInterrupted;
            TaskThread.inherit(outerBindings);
            outerBindings = before;
            thread = outer;
        }
    }

    /** Reports held arrivals before a node begins that does not add to them. */
    void releaseHeldBefore(int node) {
        if (heldJoin != NONE && !arrivesAtHeld(node)) {
            releaseHeld();
        }
    }

    /** Claims nodes, and keeps or passes on those that are ready. Returns whether there were any to claim. */
    private boolean claim() {
        run.reached(SchedulingPoint.TAKE);
        if (run.isShareWanted() && run.isAlone()) {
            run.share();
        }
        long range = run.frontier.claim(CLAIM);
        if (range == RangeDeque.NOTHING) {
            return false;
        }
        if (run.frontier.hasUnclaimed()) {
            run.inviteAll();
        }
        admit(RangeDeque.first(range), RangeDeque.end(range));
        return true;
    }

    /** Keeps or passes on those of some claimed nodes that are ready. */
    void admit(int first, int end) {
        int readyFirst = NONE;
        int readyEnd = NONE;
        for (int node = end - 1; node >= first; node--) {
            run.reached(SchedulingPoint.REGISTER);
            if (run.frontier.admit(node)) {
                if (readyFirst != node + 1 || plan.kind(readyFirst) != plan.kind(node)) {
                    release(readyFirst, readyEnd);
                    readyEnd = node + 1;
                }
                readyFirst = node;
            }
        }
        release(readyFirst, readyEnd);
    }

    /** Reports the end of a node that was run while the run belonged to this thread. */
    void report(int node) {
        int next = ended(node);
        release(next, next + 1);
    }

    /** Reports the end of a node of a run that began with one thread or is the only one, as {@link #completed}. */
    private int ended(int node) {
        int kind = plan.kind(node);
        int next = NONE;
        int first = NONE;
        int end = NONE;
        run.reached(SchedulingPoint.COUNT);
        int waiting = run.frontier.end(node);
        while (waiting != NONE) {
            int following = run.frontier.following(waiting);
            run.reached(SchedulingPoint.REGISTER);
            if (run.frontier.admit(waiting)) {
                if (next == NONE && kind < GraphPlan.FIRST_LANE && plan.kind(waiting) == kind) {
                    next = waiting;
                } else if (waiting == end && plan.kind(waiting) == plan.kind(first)) {
                    end++;
                } else {
                    release(first, end);
                    first = waiting;
                    end = waiting + 1;
                }
            }
            waiting = following;
        }
        release(first, end);
        return next;
    }

    /** Reports the end of a node to its successors. Returns one that is ready, to be run next, or none. */
    int completed(int node) {
        return run.frontier.isShared() ? unlessUrgent(ended(node)) : arrived(node);
    }

    private int arrived(int node) {
        int[] rows = plan.rows;
        int row = node << GraphPlan.ROW_SHIFT;
        int after = row + (1 << GraphPlan.ROW_SHIFT);
        int next = rows[row + GraphPlan.FREE_FIRST];
        int end = rows[row + GraphPlan.FREE_END];
        if (next == end) {
            next = NONE;
        } else if (next + 1 < end) {
            stacks[current].push(next + 1, end);
        }
        int[] successors = plan.successors;
        for (int at = rows[row + GraphPlan.EDGES], last = rows[after + GraphPlan.EDGES]; at < last; at++) {
            int successor = successors[at];
            if (run.counts.arrive(successor)) {
                if (next != NONE) {
                    stacks[current].push(next, next + 1);
                }
                next = successor;
            }
        }
        int special = rows[row + GraphPlan.SPECIAL];
        int specialEnd = rows[after + GraphPlan.SPECIAL];
        return special == specialEnd ? next : completedSpecial(special, specialEnd, next);
    }

    private int completedSpecial(int from, int to, int next) {
        for (int at = from; at < to; at++) {
            int successor = plan.specials[at];
            if (plan.isWide(successor)) {
                hold(successor);
            } else if (run.counts.arrive(successor)) {
                release(successor, successor + 1);
            }
        }
        return unlessUrgent(next);
    }

    /** Returns a node that can be run next, unless something more urgent is kept: then it is kept, too. */
    private int unlessUrgent(int next) {
        if (next != NONE) {
            for (int rank = 0; rank < current; rank++) {
                if (!stacks[rank].isEmpty()) {
                    stacks[current].push(next, next + 1);
                    return NONE;
                }
            }
        }
        return next;
    }

    /** Collects arrivals at a wide join: all participants would write its word otherwise. */
    private void hold(int join) {
        if (heldJoin != join) {
            releaseHeld();
            heldJoin = join;
        }
        heldArrivals++;
    }

    private boolean arrivesAtHeld(int node) {
        int special = plan.rows[(node << GraphPlan.ROW_SHIFT) + GraphPlan.SPECIAL];
        return special < plan.specials.length && plan.specials[special] == heldJoin;
    }

    /** Reports held arrivals. Returns true if a node became ready by that. */
    boolean releaseHeld() {
        int join = heldJoin;
        if (join == NONE) {
            return false;
        }
        int arrivals = heldArrivals;
        heldJoin = NONE;
        heldArrivals = 0;
        if (!run.counts.arrive(join, arrivals)) {
            return false;
        }
        release(join, join + 1);
        return true;
    }

    /** Passes on ready nodes of one kind. */
    void release(int first, int end) {
        if (first == NONE) {
            return;
        }
        int kind = plan.kind(first);
        if (kind >= GraphPlan.FIRST_LANE) {
            for (int node = first; node < end; node++) {
                run.lanes[kind - GraphPlan.FIRST_LANE].send(node);
            }
        } else if ((serves & 1 << kind) != 0) {
            stacks[kind].push(first, end);
        } else {
            publish(kind, RangeDeque.range(first, end));
        }
    }

    /** Announces ready nodes of a level to all participants that run that level. */
    void publish(int rank, long range) {
        int first = RangeDeque.first(range);
        int end = RangeDeque.end(range);
        run.reached(SchedulingPoint.ENQUEUE);
        while (end - first > 1) {
            int middle = (first + end) >>> 1;
            own[rank].push(RangeDeque.range(middle, end));
            end = middle;
        }
        own[rank].push(RangeDeque.range(first, end));
        run.published(rank);
    }

    /** Publishes whatever is on the private stacks, the oldest first. */
    void publishAll() {
        for (int rank = 0; rank < GraphRun.LEVELS; rank++) {
            RangeStack stack = stacks[rank];
            if (!stack.isEmpty()) {
                run.reached(SchedulingPoint.ENQUEUE);
                for (long range = stack.takeOldestHalf(); range != RangeDeque.NOTHING; range = stack.takeOldestHalf()) {
                    own[rank].push(range);
                }
                run.published(rank);
            }
        }
    }

    /** Gives something to a participant that is hungry, unless what was given before is still there. */
    void feed() {
        RangeDeque deque = own[current];
        if (deque.isEmpty()) {
            long range = stacks[current].takeOldestHalf();
            if (range != RangeDeque.NOTHING) {
                deque.push(range);
            }
        }
    }

    /** The node that this participant made ready last, of the most urgent level, or none. */
    int takeOwn() {
        for (int rank = 0; rank < GraphRun.LEVELS; rank++) {
            if ((serves & 1 << rank) != 0) {
                int node = stacks[rank].pop();
                if (node == NONE) {
                    node = unpack(rank, own[rank].pop());
                }
                if (node != NONE) {
                    current = rank;
                    return node;
                }
            }
        }
        return NONE;
    }

    /** A node of another participant, or none. */
    int steal() {
        for (int rank = 0; rank < GraphRun.LEVELS; rank++) {
            if ((serves & 1 << rank) != 0) {
                int node = unpack(rank, stealRange(rank));
                if (node != NONE) {
                    current = rank;
                    run.crews[rank].invite();
                    return node;
                }
            }
        }
        return NONE;
    }

    private long stealRange(int rank) {
        run.reached(SchedulingPoint.TAKE);
        return published[rank].steal(slot);
    }

    private int unpack(int rank, long range) {
        if (range == RangeDeque.NOTHING) {
            return NONE;
        }
        int first = RangeDeque.first(range);
        int end = RangeDeque.end(range);
        if (first + 1 < end) {
            stacks[rank].push(first + 1, end);
        }
        return first;
    }

    /** Claims or steals, for the private stack. Returns whether there was something. */
    boolean stealToStack() {
        if (claim()) {
            return true;
        }
        int node = steal();
        if (node != NONE) {
            stacks[current].push(node, node + 1);
        }
        return node != NONE;
    }

    /** A node that was published at a level, by this participant or another, or none. */
    int takePublished(int rank) {
        long range = own[rank].pop();
        int node = unpack(rank, range != RangeDeque.NOTHING ? range : stealRange(rank));
        if (node != NONE) {
            current = rank;
        }
        return node;
    }

    /** What is kept at some moment; for reports by other threads. */
    long[] keptRanges() {
        return Arrays.stream(stacks)
                .flatMapToLong(stack -> Arrays.stream(stack.ranges()))
                .toArray();
    }

    /** Adds to the number of participants that look for work, at every level that this one serves. */
    void announceHunger(long delta) {
        for (int rank = 0; rank < GraphRun.LEVELS; rank++) {
            if ((serves & 1 << rank) != 0) {
                published[rank].addHungry(delta);
            }
        }
    }
}
