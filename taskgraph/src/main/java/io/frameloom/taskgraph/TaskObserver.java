package io.frameloom.taskgraph;

import org.jspecify.annotations.Nullable;

/**
 * Sees tasks start and finish, threads park and resume, and runs of compiled graphs begin and end.
 *
 * <p>Every method is called on the executing thread, from many threads at once, and must neither block nor throw. Calls
 * nest: a task that waits may run another task in between. Without an observer the cost is one branch per task.
 *
 * <p>{@code threadOrdinal} is in {@code [0, workerCount)} for workers, from there to {@code slotCount - 2} for spare
 * workers, from {@code slotCount - 1} upwards (without spare workers: from {@code workerCount}) for named threads in
 * the order of their first use, and -1 for any other thread (it can only take part in {@link TaskGraph#parallelFor}).
 */
public interface TaskObserver {
    /**
     * A launched task is about to run. Unless overridden, {@link #taskStarted(String, ExecutionTarget, int)} with its
     * name, which is called for all else that runs.
     *
     * @param task what stands for the task, to compare and for its name; it must not be waited for
     * @param target where the task was sent
     * @param threadOrdinal the executing thread
     */
    default void taskStarted(GraphEvent task, ExecutionTarget target, int threadOrdinal) {
        taskStarted(task.name(), target, threadOrdinal);
    }

    /**
     * The body of a task, or of a node of a compiled graph, is about to run, or a thread begins its part of a {@link
     * TaskGraph#parallelFor}. A thread's part of a run is not reported beside its nodes.
     */
    default void taskStarted(String task, ExecutionTarget target, int threadOrdinal) {}

    /**
     * A task body has returned or thrown. Tasks that are skipped report neither start nor end.
     *
     * @param target where the task was sent
     * @param threadOrdinal the executing thread
     * @param failure what the body threw, or null
     */
    default void taskFinished(String task, ExecutionTarget target, int threadOrdinal, @Nullable Throwable failure) {}

    /**
     * An event without a body is about to complete: one that this thread triggers, or one of {@link
     * TaskGraph#whenAll} whose last event is complete.
     */
    default void eventCompletes(GraphEvent event) {}

    /**
     * A worker or named thread is about to block in a wait for an event. Unless overridden, {@link #threadParked(int,
     * String)} with its name.
     *
     * @param awaited what stands for the event
     */
    default void threadWaits(int threadOrdinal, GraphEvent awaited) {
        threadParked(threadOrdinal, awaited.name());
    }

    /**
     * A worker or named thread is about to block.
     *
     * @param waitingFor name of the awaited event or of the {@linkplain TaskGraph#beginBlocking blocking region}, or
     *     null if the thread is out of work
     */
    default void threadParked(int threadOrdinal, @Nullable String waitingFor) {}

    /** A worker or named thread runs again after {@link #threadWaits} or {@link #threadParked}. */
    default void threadUnparked(int threadOrdinal) {}

    /**
     * A run of a compiled graph begins. Called by the thread that begins it, before any of its nodes. If it returns a
     * receiver every node of this run is timed, which costs two readings of the clock per node.
     *
     * @param graph name of the compiled graph
     * @param nodes number of its nodes
     * @return the receiver of the end of this run, or null
     */
    default @Nullable RunObserver runStarted(String graph, int nodes) {
        return null;
    }
}
