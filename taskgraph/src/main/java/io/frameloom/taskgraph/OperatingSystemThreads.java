package io.frameloom.taskgraph;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The operating system's threads as they are, like those of a graph without a scheduler. Base class for schedulers that
 * change one thing, such as tests in which no thread can be started or a wake-up fails. Any thread.
 */
public class OperatingSystemThreads implements ThreadScheduler {
    /** A scheduler that changes nothing. */
    public OperatingSystemThreads() {}

    @Override
    public void start(Thread thread) {
        thread.start();
    }

    @Override
    public void begin() {}

    @Override
    public void end() {}

    @Override
    public void reached(SchedulingPoint point, @Nullable String subject) {}

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
