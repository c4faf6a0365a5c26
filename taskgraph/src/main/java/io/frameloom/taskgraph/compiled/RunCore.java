package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.RunEvent;
import io.frameloom.taskgraph.RunFailedException;
import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.WorkerLevel;
import io.frameloom.taskgraph.graph.CompiledRuns;
import io.frameloom.taskgraph.graph.GraphParts;
import io.frameloom.taskgraph.parts.Arguments;
import io.frameloom.taskgraph.parts.Deadline;
import io.frameloom.taskgraph.parts.Fields;
import io.frameloom.taskgraph.task.CoreEvent;
import io.frameloom.taskgraph.task.FailStop;
import io.frameloom.taskgraph.task.ManualEvent;
import io.frameloom.taskgraph.task.UnseenFailures;
import io.frameloom.taskgraph.worker.ThreadContext;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The state of a {@link RunEvent}: the runs of one compiled graph, and the threads that wait for them. Any thread may
 * call any method.
 *
 * <p><b>Protocol.</b> {@code generation} is odd during a run. A run is admitted by the compare-and-set from even to odd
 * (a second one finds it odd and is refused, race 32, {@code SecondRunStress}). It is completed by the store of the
 * next even number, the last access to the run's state. A waiter registers, announces its park, and then looks at the
 * generation once more; completion stores the generation, passes a full fence and then wakes all that are registered:
 * no waiter sleeps through it. One-shot events are queued and then the generation is looked at again; completion
 * empties the queue after the store: the thread that removes an event from the queue triggers it, once.
 */
public final class RunCore implements RunEvent, CompiledRuns.Run {
    private static final VarHandle GENERATION =
            Fields.handle(MethodHandles.lookup(), RunCore.class, "generation", long.class);
    private static final VarHandle ONE_SHOTS =
            Fields.handle(MethodHandles.lookup(), RunCore.class, "oneShots", ConcurrentLinkedQueue.class);

    /**
     * How a run ended that failed.
     *
     * @param unseen what {@link UnseenFailures} wants to be held
     */
    private record Failed(long generation, RunFailedException failure, Object unseen) {}

    /** An event of the dynamic engine that stands for one run. */
    private static final class OneShot {
        final long generation;
        final ManualEvent event;

        OneShot(long generation, ManualEvent event) {
            this.generation = generation;
            this.event = event;
        }
    }

    private final GraphParts graph;
    private final GraphRun run;
    private final RunCaller caller;
    private final RunAwaiting awaiting;
    /** Made for the first. */
    @SuppressWarnings("unused") // accessed through ONE_SHOTS, too
    private volatile @Nullable ConcurrentLinkedQueue<OneShot> oneShots;

    private volatile long generation;
    private volatile @Nullable Failed lastFailed;
    /** Whether code has seen why the only run failed. */
    private volatile boolean failureSeen;

    public RunCore(GraphParts graph, GraphPlan plan) {
        this.graph = graph;
        this.run = new GraphRun(graph, plan, this);
        this.caller = new RunCaller(run);
        this.awaiting = new RunAwaiting(this, run, caller);
    }

    @Override
    public String name() {
        return run.plan.name;
    }

    @Override
    public boolean isComplete() {
        return (generation & 1L) == 0L;
    }

    @Override
    public boolean isOver() {
        return run.plan.once && generation == 2L;
    }

    /** What reports call the run in progress. */
    public String title() {
        return "run of graph '" + name() + "'";
    }

    @Override
    public @Nullable RunFailedException failure() {
        RunFailedException failure = outcome();
        if (failure != null) {
            see(failure);
        }
        return failure;
    }

    /** With the failure of a run that of its nodes is seen. */
    private void see(RunFailedException failure) {
        if (run.plan.events != null) {
            failureSeen = true;
            run.plan.nodeEvents().forEach(NodeEvent::seeWithRun);
        }
        graph.failures().see(failure);
    }

    /** Whether code has seen why the only run of the graph failed. */
    boolean isFailureSeen() {
        return failureSeen;
    }

    private @Nullable RunFailedException outcome() {
        long seen = generation;
        return (seen & 1L) == 0L ? failureOf(seen) : null;
    }

    @Override
    public void await() {
        await(Deadline.NEVER);
    }

    @Override
    public boolean await(Duration timeout) {
        Arguments.required(timeout, "timeout", "graph", name());
        return await(graph.deadlineIn(timeout));
    }

    private boolean await(Deadline deadline) {
        return await(deadline, null);
    }

    /** Waits for the run in progress or, sooner, for a node of it. Does not throw why the node failed. */
    boolean await(Deadline deadline, @Nullable NodeEvent node) {
        try {
            return block(deadline, node);
        } catch (Error e) {
            graph.error = e;
            throw graph.stopped(e);
        }
    }

    private boolean block(Deadline deadline, @Nullable NodeEvent node) {
        run.reached(SchedulingPoint.AWAIT);
        long seen = generation;
        if ((seen & 1L) != 0L && isPending(seen, node)) {
            if (run.isInside()) {
                throw new IllegalStateException("thread "
                        + Thread.currentThread().getName() + " runs a node of graph '" + name()
                        + "', so it cannot wait for the end of that run; put a node after it instead of waiting");
            }
            if (!awaiting.block(seen, node, graph.currentContext(), deadline)) {
                return false;
            }
            seen++;
        }
        if (node == null) {
            throwIfFailed(seen);
        }
        return true;
    }

    @Override
    public CoreEvent asEvent() {
        graph.requireRunning();
        long seen = generation;
        ManualEvent made = new ManualEvent(graph, name(), null);
        if ((seen & 1L) == 0L) {
            made.tryComplete(failureOf(seen));
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
        ConcurrentLinkedQueue<OneShot> queue = oneShots;
        if (queue == null) {
            ONE_SHOTS.compareAndSet(this, (ConcurrentLinkedQueue<OneShot>) null, new ConcurrentLinkedQueue<OneShot>());
            queue = Objects.requireNonNull(oneShots);
        }
        queue.add(oneShot);
        run.reached(SchedulingPoint.RECHECK);
        if (generation != oneShot.generation && queue.remove(oneShot)) {
            oneShot.event.tryComplete(failureOf(oneShot.generation + 1));
        }
    }

    /** Whether the end of the run in progress triggers the event; for reports. */
    @Override
    public boolean triggers(CoreEvent asked) {
        ConcurrentLinkedQueue<OneShot> queue = oneShots;
        if (queue != null && queue.stream().anyMatch(oneShot -> oneShot.event == asked)) {
            return true;
        }
        return run.plan.nodeEvents().anyMatch(node -> node.triggers(asked));
    }

    @Override
    public boolean lookAfter() {
        return run.lookAfter();
    }

    /** The threads that wait for the run in progress; for reports. */
    public List<Thread> waitingThreads() {
        return awaiting.waitingThreads();
    }

    /** Lets the threads that wait for the run go on, see {@link FailStop}. */
    @Override
    public void releaseAll() {
        awaiting.releaseAll();
    }

    public GraphParts graph() {
        return graph;
    }

    public GraphRun run() {
        return run;
    }

    /**
     * Begins a run, by workers and named threads.
     *
     * @param switchesOn a bit for every switch that is on
     */
    public void start(long switchesOn) {
        try {
            begin();
            run.prepare(switchesOn, false);
            launch();
        } catch (Error e) {
            graph.error = e;
            throw graph.stopped(e);
        }
    }

    /**
     * Runs all nodes with the calling thread taking part.
     *
     * @param switchesOn a bit for every switch that is on
     */
    public void execute(long switchesOn) {
        try {
            long running = begin();
            run.prepare(switchesOn, true);
            @Nullable ThreadContext context = graph.currentContext();
            caller.execute(context);
            awaitGeneration(running, context);
        } catch (Error e) {
            graph.error = e;
            throw graph.stopped(e);
        }
    }

    /** Admits a run. Returns its generation. */
    private long begin() {
        run.reached(SchedulingPoint.DISPATCH);
        graph.requireOpen(name());
        long seen = generation;
        run.reached(SchedulingPoint.CLAIM);
        if ((seen & 1L) != 0L || !GENERATION.compareAndSet(this, seen, seen + 1)) {
            throw new IllegalStateException("graph '" + name()
                    + "' is running; await the previous run before the next, or build a second graph");
        }
        graph.frames().getAndAdd(1L);
        if (run.plan.events != null) {
            run.plan.nodeEvents().forEach(node -> node.launched(this));
        }
        return seen + 1;
    }

    /** Lets others begin the admitted and prepared run. */
    private void launch() {
        run.offerStart();
        run.reached(SchedulingPoint.DISPATCH);
        run.gate.open(0);
        WorkerLevel first = run.firstLevel;
        if (first != null) {
            run.crews[first.ordinal()].invite();
        } else if (run.gate.tryEnter()) {
            caller.onlyStart();
            run.leaveGate();
        }
    }

    /** Ends the run. By its last participant. */
    void complete(@Nullable RunFailedException failure) {
        long ended = generation + 1;
        if (failure != null) {
            Object unseen = graph.failures().failed(title(), failure, null);
            lastFailed = new Failed(ended, failure, unseen);
        }
        graph.frames().getAndAdd(-1L);
        run.reached(SchedulingPoint.COMPLETE);
        generation = ended;
        VarHandle.fullFence();
        run.reached(SchedulingPoint.WAKE);
        awaiting.wakeAll();
        ConcurrentLinkedQueue<OneShot> queue = oneShots;
        if (queue != null && !queue.isEmpty()) {
            triggerOneShots(queue, ended, failure);
        }
        if (failure != null) {
            run.plan.nodeEvents().filter(NodeEvent::isFailureSeen).forEach(this::seeFailureOf);
        }
    }

    private void triggerOneShots(
            ConcurrentLinkedQueue<OneShot> queue, long ended, @Nullable RunFailedException failure) {
        for (OneShot oneShot : queue) {
            if (oneShot.generation < ended && queue.remove(oneShot)) {
                oneShot.event.tryComplete(
                        oneShot.generation == ended - 1 ? failure : failureOf(oneShot.generation + 1));
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
            see(failure);
            throw failure;
        }
    }

    /** Whether the run of the given generation is in progress, and the node of it has not ended. */
    boolean isPending(long running, @Nullable NodeEvent node) {
        return generation == running && (node == null || !node.isComplete());
    }

    /** Wakes what waits for a node, which is complete by now. */
    void nodeCompleted() {
        run.reached(SchedulingPoint.COMPLETE);
        VarHandle.fullFence();
        run.reached(SchedulingPoint.WAKE);
        awaiting.wakeAll();
    }

    /** Code has seen why a node failed. If nothing else did, it knows why the run failed. */
    void seeFailureOf(NodeEvent node) {
        RunFailedException whole = outcome();
        RunFailedException own = node.failureSoFar();
        if (whole != null && own != null && whole.getCause() == own.getCause() && whole.getSuppressed().length == 0) {
            graph.failures().see(whole);
        }
    }

    /** Waits for the rest of a run in which the calling thread took part. */
    private void awaitGeneration(long running, @Nullable ThreadContext context) {
        if (generation == running) {
            awaiting.block(running, null, context, Deadline.NEVER);
        }
        throwIfFailed(running + 1);
    }

    @Override
    public String toString() {
        return "RunEvent[" + name() + (isComplete() ? (outcome() == null ? ", complete]" : ", failed]") : ", running]");
    }
}
