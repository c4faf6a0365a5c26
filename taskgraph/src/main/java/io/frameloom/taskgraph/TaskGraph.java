package io.frameloom.taskgraph;

import io.frameloom.taskgraph.graph.GraphParts;
import io.frameloom.taskgraph.named.NamedLane;
import io.frameloom.taskgraph.parts.Arguments;
import io.frameloom.taskgraph.parts.TaskGraphOptions;
import io.frameloom.taskgraph.stall.StallGraph;
import io.frameloom.taskgraph.stall.WaitReport;
import io.frameloom.taskgraph.task.AnyRace;
import io.frameloom.taskgraph.task.CoreEvent;
import io.frameloom.taskgraph.task.InheritedBindings;
import io.frameloom.taskgraph.task.ManualEvent;
import io.frameloom.taskgraph.task.Task;
import io.frameloom.taskgraph.task.TaskThread;
import io.frameloom.taskgraph.waiting.Awaiting;
import io.frameloom.taskgraph.waiting.DelayTimer;
import io.frameloom.taskgraph.waiting.FutureAdapter;
import io.frameloom.taskgraph.worker.BlockingRegion;
import io.frameloom.taskgraph.worker.Broadcast;
import io.frameloom.taskgraph.worker.ParallelForJob;
import io.frameloom.taskgraph.worker.RangeReductions;
import io.frameloom.taskgraph.worker.ThreadContext;
import io.frameloom.taskgraph.worker.WorkerThread;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BinaryOperator;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A task graph: workers at three levels, named threads with a main and a local queue each, and the
 * events that order tasks among them. One instance per engine.
 *
 * <pre>{@code
 * try (TaskGraph graph = TaskGraph.builder().build()) {
 *     GraphEvent load = graph.task("load", this::load).dispatch();
 *     GraphEvent build = graph.task("build", this::build).after(load).on(NamedThread.RENDER).dispatch();
 *     graph.start(NamedThread.RENDER);
 *     build.await();
 * }
 * }</pre>
 *
 * <p>All methods may be called from any thread unless they say otherwise. The vocabulary is that of
 * Unreal Engine's public task graph documentation.
 */
public final class TaskGraph implements AutoCloseable {
    private static final int PIECES_PER_SLOT = 8;

    final GraphParts parts;

    TaskGraph(TaskGraphOptions options) {
        parts = new GraphParts(options, StallGraph::explain);
    }

    /** A builder with default options. */
    public static TaskGraphBuilder builder() {
        return new TaskGraphBuilder();
    }

    /**
     * Begins a task.
     *
     * @param name non-blank name, shown in errors and traces
     * @param body the work
     * @return a builder for the rest
     * @throws IllegalArgumentException if the name is blank
     */
    public TaskBuilder task(String name, TaskBody body) {
        return new TaskBuilder(newTask(parts, name, body));
    }

    /**
     * Begins a graph that is compiled once and run again and again.
     *
     * @param name non-blank name, shown in errors
     * @return a builder for its nodes
     * @throws IllegalArgumentException if the name is blank
     * @throws TaskGraphClosedException if the graph was closed
     */
    public GraphBuilder graphBuilder(String name) {
        Arguments.requiredName(name, "a graph");
        parts.requireOpen("graph", name);
        return new GraphBuilder(parts, name);
    }

    /**
     * Creates a manual event, completed by {@link GraphEvent#trigger()} or {@link GraphEvent#fail}. Tasks that run
     * while the graph closes may create one, too; it fails if a thread waits for it before it is triggered.
     *
     * @param name non-blank name
     * @throws IllegalArgumentException if the name is blank
     * @throws TaskGraphClosedException if the graph was closed and its last task has ended
     */
    public GraphEvent event(String name) {
        return manualEvent(name, null);
    }

    /**
     * Creates a manual event that something outside of the graph completes, such as a device. The report of a long wait
     * says what the event waits for.
     *
     * @param name non-blank name
     * @param reason answers why the event is not complete, as the rest of a sentence that begins with its name. Each
     *     thread that asks for an explanation calls it, at any time; it must not wait. If it throws, the explanation
     *     says so
     * @throws IllegalArgumentException if the name is blank
     * @throws TaskGraphClosedException if the graph was closed and its last task has ended
     */
    public GraphEvent event(String name, Supplier<String> reason) {
        return manualEvent(name, Arguments.required(reason, "reason", "event", name));
    }

    private GraphEvent manualEvent(String name, @Nullable Supplier<String> reason) {
        Arguments.requiredName(name, "an event");
        parts.requireRunning();
        if (parts.isTerminated()) {
            throw parts.closedToNew("event", name);
        }
        return new ManualEvent(parts, name, reason);
    }

    /**
     * Waits for something outside of the graph, such as a device. The calling thread does nothing else meanwhile. A
     * long wait is reported as {@link TaskGraphBuilder#stallWatchdog} says. The graph takes no other part in it. The
     * wait goes on, and another can begin, after the graph was closed or has {@linkplain TaskGraphStoppedException
     * stopped}.
     *
     * @param reason answers why the wait is not over, as the rest of a sentence that begins with the name. If it
     *     throws, the report says so
     * @param nanos the longest wait, in nanoseconds
     * @param over waits for at most so many nanoseconds, and answers whether the wait is over
     * @return the last answer of {@code over}
     */
    public boolean awaitOutside(String name, Supplier<String> reason, long nanos, LongPredicate over) {
        Arguments.requiredName(name, "what is waited for");
        Arguments.required(reason, "reason", "wait for", name);
        Arguments.required(over, "over", "wait for", name);
        return parts.stalls().await(name, reason, nanos, over);
    }

    /**
     * An event that completes when all the given ones are complete, and fails if any of them failed.
     *
     * @param name non-blank name
     * @param events the events; null entries are ignored
     * @return the event; already complete if there is nothing to wait for
     * @throws TaskGraphClosedException if the graph was closed
     */
    public GraphEvent whenAll(String name, @Nullable GraphEvent... events) {
        return new TaskBuilder(new Task(parts, Arguments.requiredName(name, "an event"), null))
                .after(events)
                .dispatch();
    }

    /** As {@link #whenAll(String, GraphEvent...)}. */
    public GraphEvent whenAll(String name, Collection<? extends @Nullable GraphEvent> events) {
        return new TaskBuilder(new Task(parts, Arguments.requiredName(name, "an event"), null))
                .after(events)
                .dispatch();
    }

    /**
     * An event that completes with the first of the given ones that succeeds; it fails if all of them fail.
     *
     * @param name non-blank name
     * @param events the events; null entries are ignored, but count for {@link AnyEvent#winnerIndex()}
     * @return the event and its winner; already complete if one of them is
     * @throws IllegalArgumentException if there are no events, or one belongs to another graph
     * @throws TaskGraphClosedException if the graph was closed
     */
    public AnyEvent whenAny(String name, @Nullable GraphEvent... events) {
        return AnyRace.start(parts, Arguments.requiredName(name, "an event"), events);
    }

    /**
     * Begins a task that computes a value.
     *
     * @param <T> type of the value
     * @param name non-blank name
     * @param callable the work; what it throws becomes the failure of the task
     * @return a builder for the rest
     * @throws IllegalArgumentException if the name is blank
     */
    public <T extends @Nullable Object> CallBuilder<T> call(String name, Callable<? extends T> callable) {
        return new CallBuilder<>(newCall(parts, name, callable));
    }

    /**
     * Launches a task for workers at once: a part of what the calling thread does, to be waited for by it. This is
     * {@link #task} without prerequisites and options, for recursion: it makes the task and nothing else.
     *
     * <pre>{@code
     * GraphEvent left = graph.fork("left", () -> sort(from, middle));
     * sort(middle, to);
     * left.await();
     * }</pre>
     *
     * <p>The part runs at the level of the worker task that forks it, as urgent as that has become, or else at {@link
     * WorkerLevel#NORMAL}. It sees the {@link InheritedValue}s of the call. A worker that waits for its newest fork runs
     * that itself, unless another worker has taken it. So wait in the opposite order of the forks, or use a {@link
     * #group}. Any thread may call.
     *
     * @param name non-blank name, shown in errors and traces
     * @return the completion of the task
     * @throws IllegalArgumentException if the name is blank
     * @throws TaskGraphClosedException if the graph was closed
     */
    public GraphEvent fork(String name, TaskBody body) {
        return launch(newTask(parts, name, body), null);
    }

    /**
     * As {@link #fork(String, TaskBody)}, for a part that computes a value, which {@link ResultEvent#await()} returns. A
     * lambda that has a value picks this form, and so does one that only throws, as with {@link
     * java.util.concurrent.ExecutorService#submit}.
     */
    public <T extends @Nullable Object> ResultEvent<T> fork(String name, Callable<? extends T> callable) {
        ResultEvent.Call<T> call = newCall(parts, name, callable);
        launch(call.task(), null);
        return call;
    }

    /**
     * Opens a scope for tasks that all end with it, see {@link TaskGroup}. Any thread may call; it owns the group and must
     * close it.
     *
     * @param name non-blank name, shown in errors and reports
     * @throws IllegalArgumentException if the name is blank
     */
    public TaskGroup group(String name) {
        Arguments.requiredName(name, "a group");
        parts.requireRunning();
        return new TaskGroup(parts, name);
    }

    static Task newTask(GraphParts graph, String name, TaskBody body) {
        return new Task(graph, Arguments.requiredName(name, "a task"), Arguments.required(body, "body", "task", name));
    }

    static <T extends @Nullable Object> ResultEvent.Call<T> newCall(
            GraphParts graph, String name, Callable<? extends T> callable) {
        return new ResultEvent.Call<>(
                graph, Arguments.requiredName(name, "a task"), Arguments.required(callable, "callable", "task", name));
    }

    /** Launches a fork, a child of the event of its group if it has one. */
    static Task launch(Task task, @Nullable ManualEvent group) {
        GraphParts graph = GraphParts.of(task);
        graph.requireOpen(task.name());
        try {
            graph.callBegins(SchedulingPoint.DISPATCH, task.name());
            WorkerThread worker = WorkerThread.current(graph);
            WorkerLevel level = ThreadContext.levelOfParts(worker == null ? graph.currentContext() : worker.context);
            if (level != WorkerLevel.NORMAL) {
                task.setPlace(level, null, false);
            }
            InheritedBindings bindings = TaskThread.inherited();
            if (bindings != null) {
                task.inherit(bindings);
            }
            if (group != null && !group.tryAddChild(task)) {
                throw new IllegalStateException("task '" + task.name() + "' was refused: group '" + group.name()
                        + "' has ended; fork into it before its owner joins or closes it, or from inside its tasks");
            }
            task.setOutstanding(0);
            if (worker == null || worker.context.isCompleting()) {
                graph.launch(task);
            } else {
                worker.pool.fork(task, worker);
            }
        } catch (Error e) {
            graph.error = e;
            throw graph.stopped(e);
        }
        return task;
    }

    /**
     * An event that completes when the given time has passed from now, never before. It fails if the graph
     * is closed first. A timer thread of the graph completes it, which is started at the first delay.
     *
     * @param name non-blank name
     * @param delay the time, not negative; beyond seventy years it is shortened
     * @throws IllegalArgumentException if the delay is negative or the name blank
     * @throws TaskGraphClosedException if the graph was closed
     */
    public GraphEvent delay(String name, Duration delay) {
        return parts.timer()
                .after(Arguments.requiredName(name, "a delay"), DelayTimer.nanosOf(delay, "event", name), null);
    }

    /**
     * Runs a body once on every thread of the graph: on every worker, spare ones included, and on every thread that is
     * attached to a named thread when the broadcast begins. Use it for thread-local set-up, for attaching to a native
     * interface, for memory of each thread.
     *
     * <p>A worker runs its share before it takes another task. It interrupts neither a task nor a wait, unless the wait
     * needs the broadcast: a worker that waits for a broadcast runs its own share of it, and of earlier ones. A task
     * must not wait for a broadcast while a worker waits for that task: neither would end, and {@link
     * GraphEvent#explain()} says so. A part of a compiled graph's run or of a {@code parallelFor} is a task in this
     * sense.
     *
     * <p>A named thread runs its share as a task of high priority in its local queue, at the latest in {@link #detach}.
     * Threads that attach later do not run it. Workers see broadcasts in one order, that of their beginning.
     *
     * <p>A broadcast starts all spare workers. When the graph closes, workers run the broadcasts that have begun; a
     * named thread that no longer processes its queue fails the event.
     *
     * @param name non-blank name, shown in errors and traces
     * @param body what every thread does; it may be running on all of them at once
     * @param after prerequisites; null entries are ignored. The broadcast begins when all are complete. If one fails,
     *     no body runs and the event fails
     * @return an event that completes when all have run the body; it fails with the first failure, further ones are
     *     suppressed exceptions
     * @throws IllegalArgumentException if the name is blank or a prerequisite belongs to another graph
     * @throws TaskGraphClosedException if the graph was closed
     */
    public GraphEvent broadcast(String name, TaskBody body, @Nullable GraphEvent... after) {
        Broadcast broadcast = new Broadcast(
                parts.workers(),
                Arguments.requiredName(name, "a broadcast"),
                Arguments.required(body, "body", "broadcast", name));
        broadcast.requireOwn(Arguments.required(after, "after", "broadcast", name));
        broadcast.launch((CoreEvent)
                new TaskBuilder(new Task(parts, name, null)).after(after).dispatch());
        return broadcast.event();
    }

    /**
     * Declares that the calling worker may block outside of the graph until the scope is closed: in input or output, at
     * a lock, in another library. Meanwhile a spare worker takes its place, within the limit of {@link
     * TaskGraphBuilder#spareWorkers}, so that as many tasks run as there are workers. After the scope is closed the
     * spare worker finishes its task and goes. Do not use it for {@link GraphEvent#await}: make the rest of the task a
     * task after the event.
     *
     * <p>On any other thread, and inside another region, nothing happens. Beginning costs a lock and a wake-up; the
     * first regions start threads. A {@link WorkerLevel#BACKGROUND} task counts as one while it blocks. {@link
     * #close()} waits for open regions, as for running tasks.
     *
     * <p>A region that is left open ends with its task and is reported to the {@link TaskGraphBuilder#uncaughtHandler
     * uncaught handler}, see {@link BlockingScope}.
     *
     * @param name non-blank name, shown in reports and traces
     * @throws IllegalArgumentException if the name is blank
     */
    public BlockingScope beginBlocking(String name) {
        Arguments.requiredName(name, "a blocking region");
        parts.requireRunning();
        boolean own = Thread.currentThread() instanceof WorkerThread worker && worker.graph == parts;
        return new BlockingScope(own ? new BlockingRegion(name, (WorkerThread) Thread.currentThread()) : null);
    }

    /**
     * Calls something that may block, inside {@link #beginBlocking}.
     *
     * @param <T> type of the result
     * @param name non-blank name, shown in reports and traces
     * @throws Exception what it threw
     * @throws IllegalArgumentException if the name is blank
     */
    public <T extends @Nullable Object> T blocking(String name, Callable<? extends T> callable) throws Exception {
        Arguments.required(callable, "callable", "blocking region", name);
        BlockingScope scope = beginBlocking(name);
        try {
            return callable.call();
        } finally {
            scope.close();
        }
    }

    /**
     * Makes a serial lane: its tasks run one after another, in the order of their launch, on any thread.
     *
     * @param name non-blank name
     * @throws IllegalArgumentException if the name is blank
     * @throws TaskGraphClosedException if the graph was closed
     */
    public Pipe pipe(String name) {
        Arguments.requiredName(name, "a pipe");
        parts.requireOpen("pipe", name);
        return new Pipe(parts, name);
    }

    /**
     * Makes a limiter: at most {@code limit} of its tasks run at a time.
     *
     * @param name non-blank name
     * @param limit from 1 to {@link ConcurrencyLimiter#MOST_SLOTS}
     * @throws IllegalArgumentException if the limit is outside of that range or the name blank
     * @throws TaskGraphClosedException if the graph was closed
     */
    public ConcurrencyLimiter limiter(String name, int limit) {
        return new ConcurrencyLimiter(parts, name, limit);
    }

    /**
     * An event that completes with the given stage: fails with its exception, or with
     * {@link java.util.concurrent.CancellationException}. It fails if the graph is closed first.
     *
     * @param name non-blank name
     * @throws TaskGraphClosedException if the graph was closed
     */
    public GraphEvent fromFuture(String name, CompletionStage<?> stage) {
        Arguments.requiredName(name, "an event");
        return FutureAdapter.toEvent(parts, name, Arguments.required(stage, "stage", "event", name));
    }

    /**
     * An executor that runs each command as a task on the given target. What a command throws goes to the
     * {@link TaskGraphBuilder#uncaughtHandler uncaught handler}. Once the graph is closed it throws
     * {@link java.util.concurrent.RejectedExecutionException}.
     *
     * @param target a worker level, a named thread or its local queue
     */
    public Executor asExecutor(ExecutionTarget target) {
        return new TargetExecutor(this, required(target, "target"), "command on " + target);
    }

    /** Runs commands as fire-and-forget tasks on one target. Any thread may call it. */
    private record TargetExecutor(TaskGraph graph, ExecutionTarget target, String taskName) implements Executor {
        @Override
        public void execute(Runnable command) {
            Arguments.required(command, "command", "executor", target.toString());
            try {
                graph.task(taskName, command::run).on(target).fireAndForget();
            } catch (TaskGraphClosedException e) {
                throw new RejectedExecutionException(e.getMessage(), e);
            }
        }

        @Override
        public String toString() {
            return "Executor[" + target + " of task graph '" + graph.name() + "']";
        }
    }

    /**
     * Waits for all the given events, in the way of {@link GraphEvent#await()}, whether or not some fail.
     *
     * @param events the events; null entries are ignored
     * @throws TaskFailedException if any failed: names the first in argument order, further ones are
     *     suppressed exceptions
     */
    public void awaitAll(@Nullable GraphEvent... events) {
        Awaiting.awaitAll(parts, required(events, "events"));
    }

    /**
     * Makes the calling thread the given named thread. It must then pump: see {@link #processUntilIdle}
     * and {@link #processUntilReturnRequested}.
     *
     * @throws IllegalStateException if another thread is attached to it, or the calling thread is a worker
     *     or attached to another named thread of this graph
     * @throws TaskGraphClosedException if the graph was closed
     */
    public void attach(NamedThread thread) {
        guarded(() -> parts.lanes().attach(required(thread, "thread")));
    }

    /**
     * Returns the thread that has become the given named thread by {@link #attach} or {@link #start}. It can change at
     * any time, unless only the calling thread attaches. Any thread may ask.
     *
     * @return the attached thread, or null if there is none: tasks for the named thread then wait
     */
    public @Nullable Thread attachedThread(NamedThread thread) {
        ThreadContext context = parts.lanes().of(required(thread, "thread")).attached();
        return context == null ? null : context.thread;
    }

    /**
     * Ends {@link #attach}. Tasks that are still queued stay queued for the next thread that attaches. A
     * thread that outlives a closed graph should detach too, or it keeps the graph reachable.
     *
     * @throws IllegalStateException if the calling thread is not attached to it, or is inside one of its tasks
     */
    public void detach(NamedThread thread) {
        guarded(() -> parts.lanes().detach(required(thread, "thread")));
    }

    /**
     * Starts a platform thread of this graph. It attaches to the named thread and pumps until a return is requested or
     * the graph is closed.
     *
     * @param thread the named thread; not {@link NamedThread#GAME}, which the application owns
     * @throws IllegalArgumentException for {@link NamedThread#GAME}
     * @throws IllegalStateException if a thread is attached to it
     * @throws TaskGraphClosedException if the graph was closed
     */
    public Thread start(NamedThread thread) {
        parts.requireRunning();
        try {
            return parts.lanes().start(required(thread, "thread"));
        } catch (Error e) {
            parts.error = e;
            throw parts.stopped(e);
        }
    }

    /**
     * Runs queued tasks of the named thread (both queues) until none is left. Only by the attached thread;
     * may be called from inside a task.
     *
     * @return the number of tasks executed
     * @throws IllegalStateException if the calling thread is not attached to it
     */
    public int processUntilIdle(NamedThread thread) {
        NamedLane lane = parts.lanes().requireAttached(required(thread, "thread"), "processUntilIdle");
        parts.requireRunning();
        try {
            return lane.processUntilIdle();
        } catch (Error e) {
            parts.error = e;
            throw parts.stopped(e);
        }
    }

    /**
     * Runs tasks of the named thread (both queues), parking when there are none, until a return is
     * requested or the graph is closed. Only by the attached thread; may be called from inside a task.
     *
     * @throws IllegalStateException if the calling thread is not attached to it
     */
    public void processUntilReturnRequested(NamedThread thread) {
        NamedLane lane = parts.lanes().requireAttached(required(thread, "thread"), "processUntilReturnRequested");
        guarded(lane::processUntilReturnRequested);
    }

    /**
     * Makes one {@link #processUntilReturnRequested} of the named thread return. Main-queue tasks that the
     * caller dispatched before run first. Each request ends one call: the innermost one that was active
     * when the request was made, or, if none was, the next.
     */
    public void requestReturn(NamedThread thread) {
        guarded(() -> parts.lanes().of(required(thread, "thread")).requestReturn());
    }

    /**
     * Calls the body for disjoint pieces of {@code [0, count)} on the calling thread and on idle workers, and returns
     * when all are done. A piece is one call: {@code grain} indices from a multiple of {@code grain} on; the last piece
     * may be shorter. Each participant begins with neighbouring pieces, from the lowest up, then helps the others.
     * Nothing is allocated per piece. May be nested. A named thread runs no queued tasks meanwhile, so a body must not
     * wait for a task of the calling thread.
     *
     * @param name non-blank name, shown in errors and traces
     * @param count number of indices, 0 or more
     * @param grain indices per call of the body, 1 or more; only the last piece has fewer
     * @throws TaskFailedException if a body threw: the cause is the first failure, further ones are
     *     suppressed exceptions; pieces not begun by then are not run
     * @throws IllegalArgumentException if the count is negative, the grain below 1 or the name blank
     * @throws TaskGraphClosedException if the graph was closed and the caller is not one of its tasks
     */
    public void parallelFor(String name, int count, int grain, RangeBody body) {
        ParallelForJob.run(parts, name, count, grain, body);
    }

    /**
     * As {@link #parallelFor(String, int, int, RangeBody)}, with a grain that gives every participant several pieces,
     * so that the others make up for a slow or late one. Give the grain yourself if an index takes much less than a
     * microsecond or much longer than the others.
     *
     * @param name non-blank name
     * @param count number of indices, 0 or more
     */
    public void parallelFor(String name, int count, RangeBody body) {
        parallelFor(name, count, Math.max(1, count / (PIECES_PER_SLOT * (workerCount() + 1))), body);
    }

    /**
     * Launches a task that does a {@link #parallelFor(String, int, int, RangeBody)} on a worker, with the help of idle
     * ones, so that the caller does not wait.
     *
     * @param name non-blank name, shown in errors and traces
     * @param count number of indices, 0 or more
     * @param grain indices per call of the body, 1 or more; only the last piece has fewer
     * @param events the loop begins after all of them are complete; null entries are ignored
     * @return the completion of the whole loop. What a body throws fails it with the {@link TaskFailedException} of the
     *     loop, so a wait throws one of the task around that of the loop
     * @throws IllegalArgumentException if the count is negative, the grain below 1, the name blank, or an event belongs to
     *     another graph
     * @throws TaskGraphClosedException if the graph was closed
     */
    public GraphEvent parallelForAsync(
            String name, int count, int grain, RangeBody body, @Nullable GraphEvent... events) {
        ParallelForJob.requireSound(name, count, grain, body);
        return task(name, () -> ParallelForJob.run(parts, name, count, grain, body))
                .after(events)
                .dispatch();
    }

    /**
     * Computes one value of {@code [0, count)} on the calling thread and on idle workers: the body makes one of each
     * piece, as in {@link #parallelFor(String, int, int, RangeBody)}, and the operator combines those.
     *
     * <pre>{@code
     * Box bounds = graph.parallelReduce("bounds", points.length, 4_096, Box.EMPTY,
     *         (from, to) -> Box.around(points, from, to), Box::union);
     * }</pre>
     *
     * <p>Pieces are combined from the first to the last. So the operator need not be commutative, and the result depends
     * on the count and the grain, but never on the number of workers. Sums of floating-point numbers are the same, bit
     * for bit, on any machine that computes the pieces alike. The call keeps one value per piece. A piece
     * should take some microseconds or more.
     *
     * @param <T> type of the value
     * @param name non-blank name, shown in errors and traces
     * @param count number of indices, 0 or more
     * @param grain indices per call of the body, 1 or more; only the last piece has fewer
     * @param identity the value if the count is 0
     * @param combine combines the values of two neighbouring ranges, the lower one first; must be associative
     * @throws TaskFailedException if body or operator threw: the cause is the first failure, further ones are suppressed
     *     exceptions; pieces not begun by then are not run
     * @throws IllegalArgumentException if the count is negative, the grain below 1 or the name blank
     * @throws TaskGraphClosedException if the graph was closed and the caller is not one of its tasks
     */
    public <T> T parallelReduce(
            String name, int count, int grain, T identity, RangeReducer<? extends T> body, BinaryOperator<T> combine) {
        return RangeReductions.reduce(parts, name, count, grain, identity, body, combine);
    }

    /** As {@link #parallelReduce}, of integers, without an object per piece: it keeps one value per piece. */
    public long parallelReduceToLong(
            String name, int count, int grain, long identity, RangeReducer.ToLong body, LongBinaryOperator combine) {
        return RangeReductions.reduceToLong(parts, name, count, grain, identity, body, combine);
    }

    /**
     * As {@link #parallelReduce}, of floating-point numbers, without an object per piece: it keeps one value per piece.
     */
    public double parallelReduceToDouble(
            String name,
            int count,
            int grain,
            double identity,
            RangeReducer.ToDouble body,
            DoubleBinaryOperator combine) {
        return RangeReductions.reduceToDouble(parts, name, count, grain, identity, body, combine);
    }

    /**
     * Goes through {@code [0, count)} with the value of everything before each piece, on the calling thread and on idle
     * workers. This is a running sum, the places of what is kept of a list, the offsets of counts:
     *
     * <pre>{@code
     * int total = (int) graph.parallelScanToLong("offsets", counts.length, 16_384, 0, (from, to, before, write) -> {
     *     for (int i = from; i < to; i++) {
     *         if (write) {
     *             offsets[i] = (int) before;
     *         }
     *         before += counts[i];
     *     }
     *     return before;
     * }, Long::sum);
     * }</pre>
     *
     * <p>The body goes through pieces once to compute their values, and through all once more to write. If the body
     * writes before it adds the index's value, as here, the scan is exclusive; after, inclusive. The body may write to
     * the place that it has just read. The call keeps one value per piece. Pieces are combined as in {@link
     * #parallelReduce}, so the result is the same with any number of workers. Of floating-point numbers it differs from
     * that of a sequential loop by rounding.
     *
     * @param <T> type of the value; not changed once it is made
     * @param name non-blank name, shown in errors and traces
     * @param count number of indices, 0 or more
     * @param grain indices per call of the body, 1 or more; only the last piece has fewer
     * @param identity what the first index has before it; combined with any value it gives that value
     * @param combine combines the values of two neighbouring ranges, the lower one first; must be associative
     * @return the value of all indices; the identity if there are none
     * @throws TaskFailedException if body or operator threw: the cause is the first failure, further ones are suppressed
     *     exceptions; pieces not begun by then are not run
     * @throws IllegalArgumentException if the count is negative, the grain below 1 or the name blank
     * @throws TaskGraphClosedException if the graph was closed and the caller is not one of its tasks
     */
    public <T> T parallelScan(
            String name, int count, int grain, T identity, RangeReducer.Scanner<T> body, BinaryOperator<T> combine) {
        return RangeReductions.scan(parts, name, count, grain, identity, body, combine);
    }

    /**
     * As {@link #parallelScan}, of integers, without an object per piece: it keeps one value per piece. Each piece that
     * the calling thread takes in the first turn is gone through only once.
     */
    public long parallelScanToLong(
            String name,
            int count,
            int grain,
            long identity,
            RangeReducer.ScannerToLong body,
            LongBinaryOperator combine) {
        return RangeReductions.scanToLong(parts, name, count, grain, identity, body, combine);
    }

    /**
     * The number of workers, without spare ones.
     *
     * @return at least 1
     */
    public int workerCount() {
        return parts.workerCount();
    }

    /**
     * The number of slots that {@link RangeBody} can see: the workers, the {@linkplain TaskGraphBuilder#spareWorkers
     * spare workers}, and one more for the caller.
     *
     * @return {@code workerCount() + 1} in a graph without spare workers
     */
    public int slotCount() {
        return parts.slotCount();
    }

    /**
     * The slot of the calling thread in {@link #parallelFor}. In a {@link #broadcast}, a worker prepares its own values
     * under this number.
     *
     * @return a number of its own for every worker, the last slot for all other threads
     */
    public int currentSlot() {
        return WorkerThread.currentSlot(parts);
    }

    /**
     * Begins a frame: until it ends, threads that run out of work spin longer before they park, as the
     * {@linkplain TaskGraphBuilder#idlePolicy idle policy} decides. A run of a compiled graph is a frame by itself;
     * begin one around work of the dynamic engine, or around several runs. Frames may nest and overlap.
     *
     * @return the frame, to be closed when it ends
     */
    public FrameScope beginFrame() {
        parts.requireRunning();
        return new FrameScope(parts.frames());
    }

    /** The name of this graph. */
    public String name() {
        return parts.name();
    }

    /**
     * Describes all waits: every blocked thread with its chain of unmet events, what every worker and named thread
     * runs, and how much is queued. For watchdogs; a snapshot that is not atomic.
     *
     * @return several lines of text
     */
    public String describeWaits() {
        return new WaitReport().of(parts);
    }

    /**
     * Closes the graph. New work is refused. Queued worker tasks and queued tasks of pumped named threads still run.
     * Tasks that wait for a prerequisite, for release, for a trigger or for a named thread that no thread pumps fail
     * with {@link TaskGraphClosedException}. The calling thread drains its own attached queues. Runs of compiled graphs and
     * batches begin no further body. They end, and what waits for them gets a {@link RunFailedException} that is caused by
     * a {@link TaskGraphClosedException}, unless all bodies had begun.
     *
     * <p>Then reports the failures that no thread has {@linkplain GraphEvent#failure() seen}, and joins the workers and
     * the started named threads. A task of this graph that calls it cannot be waited for: then the call begins the
     * closing and returns, and the graph is closed when the running tasks have returned. Idempotent; a second call
     * waits likewise. An interrupt does not cut the wait short and is kept.
     *
     * <p>From the beginning of the closing on, a call that launches, starts or attaches something, or makes a pipe,
     * limiter or compiled graph, throws {@link TaskGraphClosedException}. Events can be made until the last task has
     * ended. A {@link TaskBuilder} can be filled at any time and is refused at its launch. Calls that look at, wait for
     * or complete an existing event always work: an event that is complete stays so, and one that is not fails when a
     * thread waits for it. So do {@link #detach}, pumping a queue, {@link #requestReturn}, {@link #beginFrame} and
     * reports, and, in tasks that still run, {@link #parallelFor}, reductions, scans and {@link #beginBlocking}.
     *
     * @throws TaskGraphStoppedException if an error in the code of the graph has stopped it; when this is thrown, no
     *     thread of the graph runs anything, unless a task made the call
     */
    @Override
    public void close() {
        parts.lifecycle().close();
    }

    /** An error of the engine's own code stops the graph, see {@code FailStop}. */
    private void guarded(Runnable call) {
        parts.requireRunning();
        try {
            call.run();
        } catch (Error e) {
            parts.error = e;
            throw parts.stopped(e);
        }
    }

    private <T> T required(@Nullable T value, String parameter) {
        return Arguments.required(value, parameter, "task graph", name());
    }
}
