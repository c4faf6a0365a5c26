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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Completes a {@link CompletableFuture} with an event, and an event with a {@link CompletionStage}.
 *
 * <p>A future runs its dependents inside of its completion. So it is completed where threads are woken: after
 * everything after the event was published.
 *
 * @param <T> type of the result
 */
public final class FutureAdapter<T> implements Subsequent, Wakeable, FailStop.Stoppable {
    private final CoreEvent event;
    private final Supplier<? extends @Nullable T> result;
    private final CompletableFuture<T> future;

    /** What an event that was made from a stage waits for. */
    private record Outside(CompletionStage<?> stage) implements Needs {
        @Override
        public WaitReason waitReason() {
            return WaitReason.of(
                    stage instanceof CompletableFuture<?> future && future.isDone()
                            ? "waits for its future to report its completion; the thread that completed it runs "
                                    + "something else that depends on it first"
                            : "waits for its future, which is not complete; complete that, or let it fail");
        }
    }

    private FutureAdapter(CoreEvent event, Supplier<? extends @Nullable T> result) {
        this.event = event;
        this.result = result;
        this.future = new EventFuture<>(() -> event);
    }

    public static <T> CompletableFuture<T> toFuture(CoreEvent event, Supplier<? extends @Nullable T> result) {
        FutureAdapter<T> adapter = new FutureAdapter<>(event, result);
        GraphCore graph = event.graph();
        try {
            graph.failStop().add(adapter);
            if (!event.addSubsequent(adapter)) {
                adapter.wake();
            }
        } catch (Error e) {
            graph.error = e;
            throw graph.stopped(e);
        }
        return adapter.future;
    }

    public static CoreEvent toEvent(GraphCore graph, String name, CompletionStage<?> stage) {
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

    /** The graph has stopped and will not complete the event, if it has not. */
    @Override
    public void stopped() {
        if (event.isComplete()) {
            wake();
            return;
        }
        TaskGraphStoppedException stopped = event.graph().failStop().failure();
        if (stopped != null) {
            future.completeExceptionally(stopped);
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
            future.completeExceptionally(failure);
        } else {
            future.complete(result.get());
        }
    }
}
