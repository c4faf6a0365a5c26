package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.WorkerLevel;
import io.frameloom.taskgraph.task.InheritedBindings;
import io.frameloom.taskgraph.task.InheritedContext;
import io.frameloom.taskgraph.worker.IdleSpin;
import io.frameloom.taskgraph.worker.ThreadContext;
import org.jspecify.annotations.Nullable;

/**
 * One thread's part in a run: it runs ready nodes, keeps one successor as its next node, and keeps the
 * other ready ones as {@linkplain ReadyRanges ranges}.
 *
 * <p>In an <em>eager</em> run, whose bodies are long, everything is published before a body begins, so that
 * nothing ready waits for a body to return. What this participant may not run itself (other levels, named
 * threads) is passed on at once.
 *
 * <p>Used by one thread at a time, inside the gate; a helper's by whoever runs its task, a lane's by the
 * consumer of the lane, the caller's by whoever claimed it. {@link #isRunningOn} may be called by any.
 */
final class RunParticipant extends NodeArrivals {
    /** Nodes between two looks at the clock and at what else is urgent. */
    static final int TURN = 64;

    private static final int LOOKS_PER_TIME = 16;

    private final NodeBodies bodies;
    private final SequentialRun sequential;
    /** The level of a helper; null for the caller and for lanes. */
    private final @Nullable WorkerLevel level;

    private int executed;
    private boolean yielded;
    private RunLane[] ownLanes = RunLane.NONE;
    private @Nullable ThreadContext context;
    private volatile @Nullable Thread thread;
    /**
     * The node whose body was begun last, or none; for reports, which may see an earlier one. A plain field, as anything
     * stronger makes the loop over small bodies several times slower.
     */
    private int running = NONE;

    /** Where the thread keeps its inherited values, and those that were in force there before. */
    private InheritedContext inherited = InheritedContext.current();

    private @Nullable InheritedBindings outerBindings;

    RunParticipant(GraphRun run, int slot, @Nullable WorkerLevel level) {
        super(run, slot);
        this.level = level;
        this.bodies = run.bodies;
        this.serves = level == null ? 0 : 1 << level.ordinal();
        this.sequential = new SequentialRun(run, this);
    }

    /** Begins a part of the calling thread. */
    void enter(@Nullable ThreadContext executing, int servedLevels, RunLane[] servedLanes) {
        context = executing;
        serves = servedLevels & plan.levels;
        ownLanes = servedLanes;
        thread = Thread.currentThread();
        inherited = InheritedContext.current();
        outerBindings = inherited.bindings();
        inherited.set(bodies.bindings());
    }

    void exit() {
        inherited.set(outerBindings);
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

    /** Starts the run: to its end if it is a sequential one, else up to where others can take part. */
    void begin(boolean mayBeSequential) {
        run.decide(mayBeSequential);
        if (!run.pace.isSequential()) {
            run.counts.arm();
            open();
            for (int i = plan.roots.length - 2; i >= 0; i -= 2) {
                release(plan.roots[i], plan.roots[i + 1]);
            }
            inviteFirst();
            return;
        }
        int stop = sequential.run(context);
        if (stop < plan.nodes) {
            sequential.share(stop);
            inviteFirst();
        } else if (run.gate.isOpen()) {
            run.countDone(plan.nodes);
        }
    }

    /** Opens the gate with this participant inside, unless it is open. */
    void open() {
        if (!run.gate.isOpen()) {
            run.gate.open(1);
        }
    }

    private void inviteFirst() {
        for (int rank = 0; rank < GraphRun.LEVELS; rank++) {
            if (run.has(rank)) {
                run.crew(rank).invite();
            }
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
            node = completed(node);
            if (node == NONE) {
                node = takeOwn();
            }
        }
    }

    /** Between two nodes, at every one or at every turn. Returns false if this participant has to leave. */
    private boolean keepsGoing(int node, boolean eager) {
        run.reached(SchedulingPoint.COUNT);
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
        // Who published after the last look may have relied on this thread: look once more.
        return found || stealToStack();
    }

    /** Runs one BACKGROUND node that nobody has taken; before the caller parks. */
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
                if (!run.gate.isOpen() || run.pace.isSequential()) {
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
        for (RunLane lane : ownLanes) {
            if (!lane.isEmpty()) {
                return true;
            }
        }
        return false;
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
        enter(executing, 0, RunLane.NONE);
        while (runLane(lane)) {
            countDone();
        }
        inherited.set(outerBindings);
        outerBindings = before;
        thread = outer;
    }
}
