package io.frameloom.taskgraph.waiting;

import io.frameloom.taskgraph.GraphEvent;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A future that an event fulfils. A wait that only the event can end is a wait for the event: it is explained if it
 * takes long and refused if it could never end. Any thread.
 *
 * @param <T> type of the result
 */
public final class EventFuture<T> extends CompletableFuture<T> {
    private final Supplier<? extends @Nullable GraphEvent> event;
    /** Whether a time limit may end the future; the wait for the event knows nothing of it. */
    private volatile boolean timed;

    /**
     * A future.
     *
     * @param event gives the event that fulfils this; null as long as there is none
     */
    public EventFuture(Supplier<? extends @Nullable GraphEvent> event) {
        this.event = event;
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
        GraphEvent known = event.get();
        if (known != null && !timed && !isDone()) {
            known.awaitCompletion();
            // What fulfils this may never run: the graph was closed or has stopped, and the event was failed for that.
            Throwable failure = isDone() ? null : known.failure();
            if (failure != null) {
                completeExceptionally(failure);
            }
        }
    }
}
