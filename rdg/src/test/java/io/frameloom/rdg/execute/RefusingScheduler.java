package io.frameloom.rdg.execute;

import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.ThreadScheduler;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The operating system's threads; the next task of a name that is asked for finds no memory when it is dispatched. */
final class RefusingScheduler implements ThreadScheduler {
    private final AtomicReference<@Nullable String> refused = new AtomicReference<>();

    void refuse(String task) {
        refused.set(task);
    }

    @Override
    public void start(Thread thread) {
        thread.start();
    }

    @Override
    public void begin() {}

    @Override
    public void end() {}

    @Override
    public void reached(SchedulingPoint point, @Nullable String subject) {
        String name = refused.get();
        if (point == SchedulingPoint.DISPATCH && name != null && name.equals(subject)) {
            refused.set(null);
            throw new OutOfMemoryError("no memory for '" + name + "'");
        }
    }

    @Override
    public void park(Object blocker) {
        LockSupport.park(blocker);
    }

    @Override
    public void parkUntil(Object blocker, long deadlineNanos) {
        LockSupport.parkNanos(blocker, deadlineNanos - System.nanoTime());
    }

    @Override
    public void unpark(Thread thread) {
        LockSupport.unpark(thread);
    }

    @Override
    public void join(Thread thread) throws InterruptedException {
        thread.join();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }
}
