package io.frameloom.taskgraph;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Controls the threads of a graph: how they start, how they block, what time it is, and where they may be interleaved.
 *
 * <p>A graph without one uses the operating system's threads as they are, as with one that is {@link
 * OperatingSystemThreads}. The other implementation is the deterministic scheduler for tests ({@link
 * io.frameloom.taskgraph.deterministic.DeterministicScheduler}). All methods are called by the threads of the graph and
 * by those that use it. An implementation must not call back into the graph, except for the reports of {@link
 * #explainWith}.
 *
 * <p><b>Errors.</b> Whatever a method throws is an error of the graph's own code: it stops the graph, whose waits and
 * later calls fail with a {@link TaskGraphStoppedException}. Three cases differ. What {@link #reached} throws right
 * before a body fails that task. A {@code RuntimeException} that it throws where a call begins, such as a dispatch or a
 * wait, refuses that call alone. What is thrown while a graph is built ends the building.
 */
public interface ThreadScheduler {
    /**
     * Starts a thread that will call {@link #begin} first and {@link #end} last.
     *
     * @param thread the thread, not yet started
     */
    void start(Thread thread);

    /** The first thing that a started thread does. If it throws, the thread ends without {@link #end}. */
    void begin();

    /** The last thing that a started thread does, also when it fails. */
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
     * permit is given, until it is interrupted, or for no reason. The interrupt status is left as it is.
     */
    void park(Object blocker);

    /**
     * Blocks the calling thread like {@link #park}, but not beyond a deadline.
     *
     * @param deadlineNanos the deadline on the clock of {@link #nanoTime}
     */
    void parkUntil(Object blocker, long deadlineNanos);

    /** Gives a thread its permit, like {@link java.util.concurrent.locks.LockSupport#unpark}. */
    void unpark(Thread thread);

    /**
     * Waits until a started thread has ended.
     *
     * @throws InterruptedException if the calling thread is interrupted
     */
    void join(Thread thread) throws InterruptedException;

    /**
     * The time.
     *
     * @return nanoseconds from an arbitrary origin
     */
    long nanoTime();

    /**
     * Offers an explanation of the waits, for the report of a deadlock. Called once per graph, before its first thread
     * starts.
     *
     * @param waits writes the report; passes no scheduling point
     */
    default void explainWith(String graph, Supplier<String> waits) {}

    /**
     * A graph begins to close. Called once per graph, after {@link #explainWith}.
     *
     * @param graph name of the graph
     */
    default void closing(String graph) {}
}
