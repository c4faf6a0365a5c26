package io.frameloom.taskgraph.worker;

import io.frameloom.taskgraph.parts.WakeLatency;

/**
 * Measures how long the wake-up of a worker takes before there is any work, so that the first frame knows it. Wakes one
 * sleeping worker after the other; each looks for work, finds none, and reports how long it took to wake.
 */
public final class WakeCalibration {
    /** Handshakes; the first ones are slower, as the code is cold. */
    private static final int HANDSHAKES = 8;

    /** The longest time that the creation of a graph spends on this. */
    public static final long LIMIT_NANOS = 1_000_000L;

    private WakeCalibration() {}

    /**
     * Calibrates. Ends early, with fewer handshakes or none, when the time is up: the processors are busy then, and the
     * result would mean little.
     */
    public static void run(WorkerPool pool, long limitNanos) {
        WakeLatency latency = pool.graph.wakeLatency();
        long begin = System.nanoTime();
        for (int i = 0; i < HANDSHAKES; i++) {
            int seen = latency.samples();
            while (latency.samples() == seen) {
                if (System.nanoTime() - begin >= limitNanos) {
                    return;
                }
                pool.wakeSearcher();
                Thread.onSpinWait();
            }
        }
    }
}
