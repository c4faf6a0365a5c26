package io.frameloom.benchmarks.pool;

import io.frameloom.benchmarks.dag.NodeBody;
import io.frameloom.benchmarks.driver.LatencyProbe;

/**
 * One outside thread waits, spinning, then submits one task and spins until it has begun. A latency is the time
 * from just before the submission to the first line of the task.
 */
public final class SubmitToStart implements LatencyProbe {
    private final Pool pool;
    private final long gapNanos;
    private final NodeBody task = this::begin;
    private long start;
    private volatile boolean started;

    /**
     * Prepares.
     *
     * @param pool takes the tasks; closed with this
     * @param gapNanos time from one task's start to the next submission
     */
    public SubmitToStart(Pool pool, long gapNanos) {
        this.pool = pool;
        this.gapNanos = gapNanos;
    }

    @Override
    public String name() {
        return pool.name();
    }

    @Override
    public void run(long[] nanos) {
        for (int index = 0; index < nanos.length; index++) {
            long until = System.nanoTime() + gapNanos;
            while (System.nanoTime() - until < 0) {
                Thread.onSpinWait();
            }
            started = false;
            long begin = System.nanoTime();
            pool.submit(task);
            while (!started) {
                Thread.onSpinWait();
            }
            nanos[index] = start - begin;
        }
    }

    private void begin() {
        start = System.nanoTime();
        started = true;
    }

    @Override
    public void close() {
        pool.close();
    }
}
