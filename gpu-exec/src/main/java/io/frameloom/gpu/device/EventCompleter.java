package io.frameloom.gpu.device;

import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskGraphStoppedException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A thread on which events of a device complete, in the order in which they are handed over. It holds no lock and is in
 * no gate, so the application's code at the end of an event may take its own locks, wait for other threads, and close
 * the device. The thread that finds completions may hold anything. This thread starts with the first event.
 */
public final class EventCompleter implements AutoCloseable {
    private final ExecutorService thread;
    private volatile @Nullable Thread made;

    /** A completer without a thread so far. */
    public EventCompleter(String name) {
        thread = Executors.newSingleThreadExecutor(body -> {
            Thread completer = new Thread(body, name);
            completer.setDaemon(true);
            made = completer;
            return completer;
        });
    }

    /** Completes events; any thread. The calling thread does it once closed, and where no thread can be started. */
    public void complete(List<GraphEvent> events, Consumer<GraphEvent> completion) {
        if (events.isEmpty()) {
            return;
        }
        try {
            thread.execute(() -> completeAll(events, completion));
        } catch (RejectedExecutionException | OutOfMemoryError unable) {
            completeAll(events, completion);
        }
    }

    private static void completeAll(List<GraphEvent> events, Consumer<GraphEvent> completion) {
        Uncaught.forEach(events, event -> {
            try {
                completion.accept(event);
            } catch (TaskGraphStoppedException stopped) {
                // Whatever waits for the event fails with this already.
            }
        });
    }

    /**
     * Returns when all events are complete and the thread has ended. On that thread it returns at once, and the thread
     * ends when it has completed what is left.
     */
    @Override
    public void close() {
        thread.shutdown();
        if (Thread.currentThread() == made) {
            return;
        }
        boolean interrupted = false;
        while (!thread.isTerminated()) {
            try {
                thread.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
