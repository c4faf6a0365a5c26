package io.frameloom.taskgraph;

import org.jspecify.annotations.Nullable;

/**
 * Controls the threads of a graph: how they block, what time it is, and where they may be interleaved.
 *
 * <p>A graph without one uses the operating system's threads as they are. The deterministic scheduler
 * for tests is the other implementation. All methods are called by the threads of the graph and by those that use
 * it; an implementation must not call back into the graph.
 */
public interface ThreadScheduler {
    /**
     * A thread is about to be started by the calling thread.
     *
     * @param thread the thread, not yet started
     */
    void beforeStart(Thread thread);

    /** The first thing that a started thread does. */
    void begin();

    /** The last thing that a started thread does. */
    void end();

    /**
     * Another thread may run before the calling one goes on.
     *
     * @param point what the calling thread is about to do
     * @param subject name of the task or event, or null
     */
    void reached(SchedulingPoint point, @Nullable String subject);

    /**
     * Blocks the calling thread like {@link java.util.concurrent.locks.LockSupport#park(Object)}: until its
     * permit is given, or for no reason.
     *
     * @param blocker what the thread blocks on
     */
    void park(Object blocker);

    /**
     * Blocks the calling thread like {@link #park}, but not beyond a deadline.
     *
     * @param blocker what the thread blocks on
     * @param deadlineNanos the deadline on the clock of {@link #nanoTime}
     */
    void parkUntil(Object blocker, long deadlineNanos);

    /**
     * Gives a thread its permit, like {@link java.util.concurrent.locks.LockSupport#unpark}.
     *
     * @param thread the thread
     */
    void unpark(Thread thread);

    /**
     * Waits until a started thread has ended.
     *
     * @param thread the thread
     * @throws InterruptedException if the calling thread is interrupted
     */
    void join(Thread thread) throws InterruptedException;

    /**
     * The time.
     *
     * @return nanoseconds from an arbitrary origin
     */
    long nanoTime();
}
