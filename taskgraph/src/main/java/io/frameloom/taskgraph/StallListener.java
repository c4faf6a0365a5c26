package io.frameloom.taskgraph;

import java.time.Duration;

/** Receives reports of waits that take too long, see {@link TaskGraphBuilder#stallWatchdog}. */
@FunctionalInterface
public interface StallListener {
    /**
     * The calling thread has waited longer than the limit, and waits on when this returns. Called again after gaps that
     * double, for as long as the wait lasts. It must neither block nor wait for an event; what it throws goes to the
     * uncaught handler.
     *
     * @param waited for how long at least
     * @param explanation what it waits for and what holds that up
     */
    void stalled(Thread waiting, Duration waited, StallExplanation explanation);
}
