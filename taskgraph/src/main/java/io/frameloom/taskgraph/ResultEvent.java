package io.frameloom.taskgraph;

import io.frameloom.taskgraph.task.CoreEvent;
import io.frameloom.taskgraph.waiting.FutureAdapter;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A launched task that computes a value; made by {@link TaskGraph#call}. Any thread may call any method.
 *
 * @param <T> type of the value
 */
public final class ResultEvent<T extends @Nullable Object> {
    private final GraphEvent event;
    private final Call<T> call;

    /** The body: keeps the value, and lets go of what computed it. The completion of the task publishes both. */
    static final class Call<T extends @Nullable Object> implements TaskBody {
        private @Nullable Callable<? extends T> callable;
        private @Nullable T value;

        Call(Callable<? extends T> callable) {
            this.callable = callable;
        }

        @Override
        public void run() throws Exception {
            Callable<? extends T> work = callable;
            if (work != null) {
                callable = null;
                value = work.call();
            }
        }
    }

    ResultEvent(GraphEvent event, Call<T> call) {
        this.event = event;
        this.call = call;
    }

    /**
     * The completion of the task, to be used as a prerequisite.
     *
     * @return the event
     */
    public GraphEvent event() {
        return event;
    }

    /**
     * The value of the completed task.
     *
     * @return what the callable returned
     * @throws IllegalStateException if the task is not complete
     * @throws TaskFailedException if the task failed
     */
    @SuppressWarnings("NullAway") // null only if the callable returned it, and then T admits it
    public T result() {
        if (!event.isComplete()) {
            throw new IllegalStateException("task '" + event.name()
                    + "' has no result yet; make the task that needs it depend on event(), or await() it");
        }
        ((CoreEvent) event).throwIfFailed();
        return call.value;
    }

    /**
     * Waits for the value, in the way of {@link GraphEvent#await()}.
     *
     * @return what the callable returned
     * @throws TaskFailedException if the task failed
     */
    public T await() {
        event.await();
        return result();
    }

    /**
     * Waits at most the given time, as {@link #await()}.
     *
     * @param timeout the time
     * @return false if it passed first
     * @throws TaskFailedException if the task failed
     */
    public boolean await(Duration timeout) {
        return event.await(timeout);
    }

    /**
     * The value as a future, as {@link GraphEvent#toCompletableFuture()}.
     *
     * @return a new future
     */
    public CompletableFuture<T> toCompletableFuture() {
        return FutureAdapter.toFuture((CoreEvent) event, this::result);
    }

    @Override
    public String toString() {
        return "ResultEvent[" + event + "]";
    }
}
