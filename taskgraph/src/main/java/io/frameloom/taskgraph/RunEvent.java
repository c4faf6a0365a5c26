package io.frameloom.taskgraph;

import io.frameloom.taskgraph.internal.Arguments;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The completion of the runs of one {@link CompiledGraph}: one object for all of them. What it says is
 * about the run in progress, or else about the last one.
 *
 * <p>All methods may be called from any thread. What the bodies of a run did is visible to whoever saw
 * that run complete.
 *
 * <p><b>Protocol.</b> {@code generation} is odd during a run. A run is admitted by the compare-and-set
 * from even to odd (a second one finds it odd and is refused, race 32, {@code SecondRunStress}) and
 * completed by the store of the next even number, the last thing that reads or writes the run's state. A
 * waiter registers, announces its park, and then looks at the generation once more; completion stores the
 * generation, passes a full fence and then wakes all that are registered: no waiter sleeps through it.
 * One-shot events are queued and then the generation is looked at again; completion empties the queue
 * after the store: whoever removes an event from the queue triggers it, once.
 */
public final class RunEvent {
    private static final VarHandle GENERATION;

    static {
        try {
            GENERATION = MethodHandles.lookup().findVarHandle(RunEvent.class, "generation", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * How a run ended that failed.
     *
     * @param unseen what {@link UnseenFailures} wants to be held
     */
    private record Failed(long generation, RunFailedException failure, Object unseen) {}

    /** An event of the dynamic engine that stands for one run. */
    private static final class OneShot {
        final long generation;
        final GraphEvent event;

        OneShot(long generation, GraphEvent event) {
            this.generation = generation;
            this.event = event;
        }
    }

    private final TaskGraph graph;
    private final GraphRun run;
    private final RunCaller caller;
    private final RunAwaiting awaiting;
    private final ConcurrentLinkedQueue<OneShot> oneShots = new ConcurrentLinkedQueue<>();
    private volatile long generation;
    private volatile @Nullable Failed lastFailed;

    RunEvent(TaskGraph graph, GraphPlan plan, RunTuning tuning) {
        this.graph = graph;
        this.run = new GraphRun(graph, plan, tuning, this);
        this.caller = new RunCaller(run);
        this.awaiting = new RunAwaiting(this, run, caller);
    }

    /**
     * The name of the compiled graph.
     *
     * @return the name
     */
    public String name() {
        return run.plan.name;
    }

    /**
     * Whether no run is in progress.
     *
     * @return true before the first run and after each
     */
    public boolean isComplete() {
        return (generation & 1L) == 0L;
    }

    /**
     * How the last run ended.
     *
     * @return the failure; null during a run, before the first, and if the last one succeeded
     */
    public @Nullable RunFailedException failure() {
        RunFailedException failure = outcome();
        if (failure != null) {
            graph.failures().see(failure);
        }
        return failure;
    }

    private @Nullable RunFailedException outcome() {
        long seen = generation;
        return (seen & 1L) == 0L ? failureOf(seen) : null;
    }

    /**
     * Waits until the run in progress is complete; returns at once if there is none. A named thread runs
     * its own nodes of the run meanwhile, and tasks of its local queue. Any other thread (of several: the
     * first) takes part in the run like the caller of {@link CompiledGraph#execute()}, then blocks. Not
     * interruptible; an interrupt is kept in the thread's status.
     *
     * <p>Only the last failure is kept. A waiter that does not get to run again before a later run has failed
     * too returns as if its own run had succeeded; who must not miss a failure calls
     * {@link CompiledGraph#execute()} and begins the next run afterwards, or takes {@link #asEvent()} before
     * the run ends.
     *
     * @throws RunFailedException if the run failed (or, without a run in progress, the last one)
     * @throws IllegalStateException if called from inside a node of the run
     */
    public void await() {
        await(Deadline.NEVER);
    }

    /**
     * Waits at most the given time, as {@link #await()}. Bodies that the waiting thread runs meanwhile are
     * not cut short, so the call can return later.
     *
     * @param timeout the longest wait
     * @return true if the run is complete, false if the time ran out first
     * @throws RunFailedException if the run failed
     * @throws IllegalStateException if called from inside a node of the run
     */
    public boolean await(Duration timeout) {
        Arguments.required(timeout, "timeout", "graph", name());
        return await(Deadline.in(timeout, run.graph.scheduler()));
    }

    private boolean await(Deadline deadline) {
        try {
            return block(deadline);
        } catch (Error e) {
            graph.error = e;
            throw graph.stopped(e);
        }
    }

    private boolean block(Deadline deadline) {
        run.reached(SchedulingPoint.AWAIT);
        long seen = generation;
        if ((seen & 1L) != 0L) {
            if (run.isInside()) {
                throw new IllegalStateException("a node of graph '" + name()
                        + "' waits for the run that it belongs to; put a node behind it instead of waiting");
            }
            if (!awaiting.block(seen, graph.currentContext(), deadline)) {
                return false;
            }
            seen++;
        }
        throwIfFailed(seen);
        return true;
    }

    /**
     * An event of the dynamic engine that completes, or fails, with the run in progress, so that tasks can
     * stand behind it.
     *
     * @return the event; complete already if no run is in progress
     */
    public GraphEvent asEvent() {
        long seen = generation;
        GraphEvent made = new ManualEvent(graph, name(), null);
        if ((seen & 1L) == 0L) {
            trigger(made, failureOf(seen));
            return made;
        }
        try {
            addOneShot(new OneShot(seen, made));
        } catch (Error e) {
            graph.error = e;
            throw graph.stopped(e);
        }
        return made;
    }

    private void addOneShot(OneShot oneShot) {
        run.reached(SchedulingPoint.REGISTER);
        oneShots.add(oneShot);
        run.reached(SchedulingPoint.RECHECK);
        if (generation != oneShot.generation && oneShots.remove(oneShot)) {
            trigger(oneShot.event, failureOf(oneShot.generation + 1));
        }
    }

    /**
     * Says why the run in progress is not complete: the node that holds it up, its thread with its stack and what that
     * waits for, and whether that is a cycle. For debugging; it takes the stacks of threads.
     *
     * @return the explanation, a snapshot that is not atomic; without steps if no run is in progress
     */
    public StallExplanation explain() {
        return StallGraph.explain(graph, this, null);
    }

    /** Whether the end of the run in progress triggers the event; for reports. */
    boolean triggers(GraphEvent asked) {
        for (OneShot oneShot : oneShots) {
            if (oneShot.event == asked) {
                return true;
            }
        }
        return false;
    }

    /** The threads that wait for the run in progress; for reports. */
    List<Thread> waitingThreads() {
        return awaiting.waitingThreads();
    }

    /** Lets the threads that wait for the run go on, see {@link FailStop}. */
    void releaseAll() {
        awaiting.releaseAll();
    }

    private static void trigger(GraphEvent made, @Nullable Throwable failure) {
        if (failure == null) {
            made.trigger();
        } else {
            made.fail(failure);
        }
    }

    GraphRun run() {
        return run;
    }

    RunCaller caller() {
        return caller;
    }

    /** Admits a run. Returns its generation. */
    long begin() {
        run.reached(SchedulingPoint.DISPATCH);
        graph.requireOpen(name());
        long seen = generation;
        run.reached(SchedulingPoint.CLAIM);
        if ((seen & 1L) != 0L || !GENERATION.compareAndSet(this, seen, seen + 1)) {
            throw new IllegalStateException("graph '" + name()
                    + "' is running; await the previous run before the next, or build a second graph");
        }
        graph.frames().begin();
        return seen + 1;
    }

    /** Lets others begin the admitted and prepared run. */
    void launch() {
        run.offerStart();
        run.reached(SchedulingPoint.DISPATCH);
        run.gate.open(0);
        WorkerLevel first = run.firstLevel();
        if (first != null) {
            run.crew(first.rank).invite();
        } else if (run.gate.tryEnter()) {
            caller.onlyStart();
            run.leaveGate();
        }
    }

    /** Ends the run. By its last participant. */
    void complete(@Nullable RunFailedException failure) {
        long ended = generation + 1;
        if (failure != null) {
            Object unseen = graph.failures().failed(RunStalls.name(this), failure, null);
            lastFailed = new Failed(ended, failure, unseen);
        }
        graph.frames().end();
        run.reached(SchedulingPoint.COMPLETE);
        generation = ended;
        VarHandle.fullFence();
        run.reached(SchedulingPoint.WAKE);
        awaiting.wakeAll();
        if (!oneShots.isEmpty()) {
            triggerOneShots(ended, failure);
        }
    }

    private void triggerOneShots(long ended, @Nullable RunFailedException failure) {
        for (OneShot oneShot : oneShots) {
            if (oneShot.generation < ended && oneShots.remove(oneShot)) {
                trigger(oneShot.event, oneShot.generation == ended - 1 ? failure : failureOf(oneShot.generation + 1));
            }
        }
    }

    private @Nullable RunFailedException failureOf(long ended) {
        Failed failed = lastFailed;
        return failed != null && failed.generation == ended ? failed.failure : null;
    }

    private void throwIfFailed(long ended) {
        RunFailedException failure = failureOf(ended);
        if (failure != null) {
            graph.failures().see(failure);
            throw failure;
        }
    }

    /** Whether the run of the given generation is in progress. */
    boolean isIn(long running) {
        return generation == running;
    }

    /** Waits for the rest of a run in which the calling thread took part. */
    void awaitGeneration(long running, @Nullable ThreadContext context) {
        if (generation == running) {
            awaiting.block(running, context, Deadline.NEVER);
        }
        throwIfFailed(running + 1);
    }

    @Override
    public String toString() {
        return "RunEvent[" + name() + (isComplete() ? (outcome() == null ? ", complete]" : ", failed]") : ", running]");
    }
}
