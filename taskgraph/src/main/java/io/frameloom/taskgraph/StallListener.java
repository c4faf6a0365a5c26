package io.frameloom.taskgraph;

import java.time.Duration;

/** Is told of waits that take too long. */
@FunctionalInterface
public interface StallListener {
    /**
     * A thread has waited longer than the limit. Called once per wait, on the watchdog's thread; what it throws
     * goes to the uncaught handler.
     *
     * @param waiting the thread that waits
     * @param waited for how long at least
     * @param explanation what it waits for and what holds that up
     */
    void stalled(Thread waiting, Duration waited, StallExplanation explanation);
}
