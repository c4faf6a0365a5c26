package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.ThreadScheduler;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The user's scheduler. An exception out of it is an error of the graph's own code, which it may leave half done: it
 * becomes an {@link Error}, and so stops the graph ({@link FailStop}).
 */
final class GuardedScheduler implements ThreadScheduler {
    private final ThreadScheduler scheduler;

    GuardedScheduler(ThreadScheduler scheduler) {
        this.scheduler = scheduler;
    }

    private static void guarded(Runnable call) {
        try {
            call.run();
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    private static Error failed(Throwable thrown) {
        return thrown instanceof Error error
                ? error
                : new Error("the thread scheduler has thrown an exception: " + thrown.getMessage(), thrown);
    }

    /** As {@link #reached}, where an exception does no harm: it goes to the caller. */
    void callBegins(SchedulingPoint point, String subject) {
        scheduler.reached(point, subject);
    }

    @Override
    public void start(Thread thread) {
        guarded(() -> scheduler.start(thread));
    }

    @Override
    public void begin() {
        guarded(scheduler::begin);
    }

    @Override
    public void end() {
        guarded(scheduler::end);
    }

    @Override
    public void reached(SchedulingPoint point, @Nullable String subject) {
        guarded(() -> scheduler.reached(point, subject));
    }

    @Override
    public void park(Object blocker) {
        guarded(() -> scheduler.park(blocker));
    }

    @Override
    public void parkUntil(Object blocker, long deadlineNanos) {
        guarded(() -> scheduler.parkUntil(blocker, deadlineNanos));
    }

    @Override
    public void unpark(Thread thread) {
        guarded(() -> scheduler.unpark(thread));
    }

    @Override
    public void join(Thread thread) throws InterruptedException {
        try {
            scheduler.join(thread);
        } catch (InterruptedException e) {
            throw e;
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    @Override
    public long nanoTime() {
        try {
            return scheduler.nanoTime();
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    @Override
    public void explainWith(String graph, Supplier<String> waits) {
        guarded(() -> scheduler.explainWith(graph, waits));
    }

    @Override
    public void closing(String graph) {
        guarded(() -> scheduler.closing(graph));
    }
}
