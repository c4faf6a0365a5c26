package io.frameloom.rdg.execute;

import io.frameloom.taskgraph.GraphEvent;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The future of what a frame reads back. Once the frame is launched, a wait that only the frame can end is a wait for
 * its event. So a long one is explained, and one that could never end is refused. Any thread.
 *
 * @param <T> type of what is read back
 */
public final class FrameFuture<T> extends CompletableFuture<T> {
    private final AtomicReference<@Nullable GraphEvent> frame;
    /** Whether a time ends the future, for which no wait for the event looks. */
    private volatile boolean timed;

    /**
     * A future.
     *
     * @param frame the completion of the frame, which fulfils this; null until the frame is launched
     */
    public FrameFuture(AtomicReference<@Nullable GraphEvent> frame) {
        this.frame = frame;
    }

    /** Lets the failure of a frame count as seen, for a future that was handed out shows it. */
    public static void see(GraphEvent completed) {
        CompletableFuture<?> unused = completed.toCompletableFuture();
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
        awaitFrame();
        return super.get();
    }

    @Override
    public T join() {
        awaitFrame();
        return super.join();
    }

    private void awaitFrame() {
        GraphEvent event = frame.get();
        if (event != null && !timed && !isDone()) {
            event.awaitCompletion();
        }
    }
}
