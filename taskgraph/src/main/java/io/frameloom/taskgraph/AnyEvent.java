package io.frameloom.taskgraph;

import io.frameloom.taskgraph.task.AnyRace;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Completes with the first of several events that succeeds; made by {@link TaskGraph#whenAny}. Any thread
 * may call any method.
 *
 * <p>An event that fails is out of the race. If all fail, this one fails with a {@link PrerequisiteFailedException}:
 * its cause is the failure of the first in argument order, its suppressed exceptions are the others. To let a failure
 * win, too, enter {@code graph.task(...).after(event).onPrerequisiteFailure(RUN_ANYWAY)} instead of the event.
 *
 * <p><b>Memory.</b> A losing event that is not complete keeps one small object, but neither this event nor the winner
 * nor what waits for them. The next race or wait reuses it, so an event keeps at most one for each simultaneous race
 * and wait.
 */
public sealed interface AnyEvent permits AnyRace {
    /** The event to use as a prerequisite. */
    GraphEvent event();

    /**
     * Which event won.
     *
     * @return its index among the arguments of {@link TaskGraph#whenAny}; -1 while this is not complete,
     *     and if all failed
     */
    int winnerIndex();

    /**
     * The event that won.
     *
     * @return the event; null while this is not complete, and if all failed
     */
    @Nullable
    GraphEvent winner();

    /**
     * Waits as {@link GraphEvent#await()} until one has succeeded or all have failed.
     *
     * @return the index of the winner
     * @throws TaskFailedException if all failed
     */
    default int await() {
        event().await();
        return winnerIndex();
    }

    /**
     * Waits at most the given time, as {@link #await()}.
     *
     * @return false if it passed first
     * @throws TaskFailedException if all failed
     */
    default boolean await(Duration timeout) {
        return event().await(timeout);
    }
}
