package io.frameloom.taskgraph;

import java.time.Duration;

/**
 * Decides how long a thread that ran out of work looks for more before it parks.
 *
 * <p>Spinning hides the wake-up latency of the operating system (microseconds to a tenth of a
 * millisecond); it also burns power and, when more threads are runnable than processors exist, takes
 * the processor away from the thread that would have produced the work.
 *
 * <p>Asked by workers and pumped named threads, each time they find no work, concurrently. An
 * implementation must be cheap, must not block and must not throw.
 */
@FunctionalInterface
public interface IdlePolicy {
    /**
     * The time to look for work before parking.
     *
     * @param wakeLatencyNanos running estimate of the time from the wake-up of a parked worker until it
     *     runs, measured by the graph itself; 0 before the first measurement
     * @param runnableThreads threads of this graph (workers and attached named threads) that are not
     *     parked, the asking thread included
     * @param processors available processors
     * @return nanoseconds; 0 or less parks at once
     */
    long spinNanos(long wakeLatencyNanos, int runnableThreads, int processors);

    /**
     * The default: spins as long as a wake-up was measured to take, at most 50 microseconds, and not at
     * all when the runnable threads of the graph already fill the processors.
     *
     * <p>Spinning for the cost of blocking is the classical 2-competitive strategy (Karlin, Li, Manasse,
     * Owicki: "Empirical studies of competitive spinning for a shared-memory multiprocessor").
     *
     * @return the policy
     */
    static IdlePolicy adaptive() {
        return (wakeLatencyNanos, runnableThreads, processors) ->
                runnableThreads >= processors ? 0L : Math.min(wakeLatencyNanos, 50_000L);
    }

    /**
     * Parks at once.
     *
     * @return the policy
     */
    static IdlePolicy parking() {
        return (wakeLatencyNanos, runnableThreads, processors) -> 0L;
    }

    /**
     * Always spins for the given time before parking.
     *
     * @param budget the time to spin
     * @return the policy
     */
    static IdlePolicy spinning(Duration budget) {
        long nanos = budget.toNanos();
        return (wakeLatencyNanos, runnableThreads, processors) -> nanos;
    }
}
