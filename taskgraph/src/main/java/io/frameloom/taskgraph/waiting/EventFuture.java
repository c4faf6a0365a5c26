package io.frameloom.taskgraph.waiting;

import io.frameloom.taskgraph.task.CoreEvent;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * The future of an event. A wait that only the event can end is a wait for the event: it is explained if it takes long
 * and refused if it could never end. Any thread.
 *
 * @param <T> type of the result
 */
final class EventFuture<T> extends CompletableFuture<T> {
    private final CoreEvent event;
    /** Whether a time limit may end the future; the wait for the event knows nothing of it. */
    private volatile boolean timed;

    EventFuture(CoreEvent event) {
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
        if (!timed && !isDone()) {
            event.awaitCompletion();
        }
    }
}
