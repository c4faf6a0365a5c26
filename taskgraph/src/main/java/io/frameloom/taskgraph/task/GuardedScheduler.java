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
        try {
            scheduler.start(thread);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    @Override
    public void begin() {
        try {
            scheduler.begin();
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    @Override
    public void end() {
        try {
            scheduler.end();
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    @Override
    public void reached(SchedulingPoint point, @Nullable String subject) {
        try {
            scheduler.reached(point, subject);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    @Override
    public void park(Object blocker) {
        try {
            scheduler.park(blocker);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    @Override
    public void parkUntil(Object blocker, long deadlineNanos) {
        try {
            scheduler.parkUntil(blocker, deadlineNanos);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    @Override
    public void unpark(Thread thread) {
        try {
            scheduler.unpark(thread);
        } catch (Throwable e) {
            throw failed(e);
        }
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
        try {
            scheduler.explainWith(graph, waits);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    @Override
    public void closing(String graph) {
        try {
            scheduler.closing(graph);
        } catch (Throwable e) {
            throw failed(e);
        }
    }
}
