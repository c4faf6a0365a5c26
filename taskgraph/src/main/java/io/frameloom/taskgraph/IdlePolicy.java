package io.frameloom.taskgraph;

import io.frameloom.taskgraph.parts.Arguments;
import io.frameloom.taskgraph.parts.FixedIdlePolicy;
import java.time.Duration;

/**
 * Decides how long a thread that ran out of work looks for more before it parks.
 *
 * <p>Spinning hides the wake-up latency of the operating system (microseconds to a tenth of a millisecond). It also
 * burns power. When more threads are runnable than processors exist, it takes the processor from the thread that would
 * produce the work.
 *
 * <p>Workers and pumped named threads ask each time they find no work, and before they park in a wait. While a frame is
 * in progress, so do threads outside of the graph that wait for one of its events. They ask concurrently. An
 * implementation must be cheap, must not block and must not throw.
 */
@FunctionalInterface
public interface IdlePolicy {
    /**
     * The time to look for work before parking.
     *
     * @param wakeLatencyNanos running estimate of the time from the wake-up of a parked worker until it runs, measured
     *     by the graph itself: when it is built, and at every wake-up; 0 before the first measurement
     * @param runnableThreads threads of this graph (workers and attached named threads) that are not
     *     parked, the asking thread included
     * @param processors available processors
     * @param framesInProgress frames that have begun and not ended, see {@link TaskGraph#beginFrame()};
     *     runs of compiled graphs count
     * @return nanoseconds; 0 or less parks at once
     */
    long spinNanos(long wakeLatencyNanos, int runnableThreads, int processors, int framesInProgress);

    /**
     * The default. Spins for 50 microseconds after work. While a frame is in progress it spins for twice the measured
     * wake-up latency, at least 50 and at most 200 microseconds. Does not spin when the runnable threads of the graph
     * fill the processors.
     *
     * <p>Within a frame the next work is close, and a wake-up on the way to it delays the whole frame. So it pays to
     * spin for longer than {@link #adaptive()} does. With a budget below the latency both sides of a hand-over would
     * park every time. Between frames the short spin keeps the threads awake for work that comes in quick succession;
     * when nothing comes they park and use nothing.
     */
    static IdlePolicy framePhase() {
        return (wakeLatencyNanos, runnableThreads, processors, framesInProgress) -> {
            if (runnableThreads >= processors) {
                return 0L;
            }
            return framesInProgress <= 0 ? 50_000L : Math.max(50_000L, Math.min(2 * wakeLatencyNanos, 200_000L));
        };
    }

    /**
     * Spins for the measured wake-up latency, at least 50 and at most 100 microseconds, inside and outside of frames.
     * Does not spin when the runnable threads of the graph fill the processors. For graphs that work without frames.
     *
     * <p>Spinning for the cost of blocking is the classical 2-competitive strategy (Karlin, Li, Manasse, Owicki:
     * "Empirical studies of competitive spinning for a shared-memory multiprocessor"). Where the latency is low it is
     * only part of that cost: the waker pays for its call, and the processor comes back from sleep with cold caches.
     * Hence the lower bound.
     */
    static IdlePolicy adaptive() {
        return (wakeLatencyNanos, runnableThreads, processors, framesInProgress) ->
                runnableThreads >= processors ? 0L : Math.max(50_000L, Math.min(wakeLatencyNanos, 100_000L));
    }

    /** Parks at once. */
    static IdlePolicy parking() {
        return new FixedIdlePolicy(0L);
    }

    /**
     * Always spins for the given time before parking.
     *
     * @param budget the time to spin; parks at once if it is not positive
     */
    static IdlePolicy spinning(Duration budget) {
        Arguments.required(budget, "budget", "IdlePolicy.spinning");
        boolean endless = budget.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0;
        return new FixedIdlePolicy(budget.isNegative() ? 0L : endless ? Long.MAX_VALUE : budget.toNanos());
    }
}
