package io.frameloom.taskgraph.waiting;

import io.frameloom.taskgraph.TaskGraphStoppedException;
import io.frameloom.taskgraph.parts.Wakeable;
import io.frameloom.taskgraph.task.Completer;
import io.frameloom.taskgraph.task.CoreEvent;
import io.frameloom.taskgraph.task.FailStop;
import io.frameloom.taskgraph.task.GraphCore;
import io.frameloom.taskgraph.task.Needs;
import io.frameloom.taskgraph.task.Promise;
import io.frameloom.taskgraph.task.Subsequent;
import io.frameloom.taskgraph.task.WaitReason;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The future of an event, and the event of a {@link CompletionStage}.
 *
 * <p>A future runs its dependents inside of its completion. So it is completed where threads are woken: after
 * everything after the event was published. A wait that only the event can end is a wait for the event: it is explained
 * if it takes long and refused if it could never end. Any thread.
 *
 * @param <T> type of the result
 */
public final class EventFuture<T> extends CompletableFuture<T> implements Subsequent, Wakeable, FailStop.Stoppable {
    private final CoreEvent event;
    private final Supplier<? extends @Nullable T> result;
    /** Whether a time limit may end the future; the wait for the event knows nothing of it. */
    private volatile boolean timed;

    /** What an event that was made from a stage waits for. */
    private record Outside(CompletionStage<?> stage) implements Needs {
        @Override
        public WaitReason waitReason() {
            return WaitReason.of(
                    stage instanceof CompletableFuture<?> future && future.isDone()
                            ? "waits for its future to tell of its completion; whoever completed that runs something "
                                    + "else that depends on it first"
                            : "waits for its future, which is not complete; complete that, or let it fail");
        }

        @Override
        public void run() {
            throw new IllegalStateException("the event of a future has no body to run");
        }
    }

    private EventFuture(CoreEvent event, Supplier<? extends @Nullable T> result) {
        this.event = event;
        this.result = result;
    }

    public static <T> CompletableFuture<T> of(CoreEvent event, Supplier<? extends @Nullable T> result) {
        EventFuture<T> future = new EventFuture<>(event, result);
        GraphCore graph = event.graph();
        try {
            graph.failStop().add(future);
            if (!event.addSubsequent(future)) {
                future.wake();
            }
        } catch (Error e) {
            graph.error = e;
            throw graph.stopped(e);
        }
        return future;
    }

    public static CoreEvent eventOf(GraphCore graph, String name, CompletionStage<?> stage) {
        graph.requireOpen(name);
        Promise promise = new Promise(graph, name, new Outside(stage));
        graph.roots().add(promise);
        stage.whenComplete((value, failure) -> {
            try {
                graph.roots().remove(promise);
                promise.tryComplete(unwrap(failure), graph.completer());
            } catch (Error e) {
                graph.error = e;
                throw graph.stopped(e);
            }
        });
        if (graph.isClosing()) {
            // The closing thread may have looked at the roots before this one was among them.
            promise.failByClose();
        }
        return promise.event();
    }

    /** The exception of a stage that depends on a failed one is only a wrapper. */
    private static @Nullable Throwable unwrap(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
        return cause == null ? failure : cause;
    }

    /** The graph has stopped and will not complete the event. */
    @Override
    public void stopped() {
        TaskGraphStoppedException stopped = event.graph().failStop().failure();
        if (stopped != null) {
            completeExceptionally(stopped);
        }
    }

    @Override
    public void prerequisiteComplete(CoreEvent complete, Completer completer) {
        completer.wakeLater(this);
    }

    @Override
    @SuppressWarnings("NullAway") // a future completes with null where a task has no result
    public void wake() {
        event.graph().failStop().remove(this);
        Throwable failure = event.failure();
        if (failure != null) {
            completeExceptionally(failure);
        } else {
            complete(result.get());
        }
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }

    @Override
    public CompletableFuture<T> orTimeout(long timeout, TimeUnit unit) {
        timed = true;
        return super.orTimeout(timeout, unit);
    }

    @Override
    public CompletableFuture<T> completeOnTimeout(T value, long timeout, TimeUnit unit) {
        timed = true;
        return super.completeOnTimeout(value, timeout, unit);
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        awaitEvent();
        return super.get();
    }

    @Override
    public T join() {
        awaitEvent();
        return super.join();
    }

    private void awaitEvent() {
        if (!timed && !isDone()) {
            event.awaitCompletion();
        }
    }
}
