package io.frameloom.benchmarks.ramp;

import io.frameloom.benchmarks.dag.NodeBody;
import io.frameloom.benchmarks.driver.LatencyProbe;
import io.frameloom.benchmarks.pool.Pool;
import java.util.concurrent.atomic.AtomicInteger;

/** As many tasks as workers, none of which ends before all have begun: so each needs a worker of its own. */
public final class RampProbe implements LatencyProbe {
    private static final long PARKED_AFTER_NANOS = 1_000_000;
    private static final int SPINS_BEFORE_YIELD = 1_000;

    private final Pool pool;
    private final int workers;
    private final NodeBody task = this::arrive;
    private final AtomicInteger arrived = new AtomicInteger();
    private final AtomicInteger finished = new AtomicInteger();
    private volatile long last;

    /**
     * Prepares.
     *
     * @param pool takes the tasks; closed with this
     * @param workers its number of threads
     */
    public RampProbe(Pool pool, int workers) {
        this.pool = pool;
        this.workers = workers;
    }

    @Override
    public String name() {
        return pool.name();
    }

    @Override
    public void run(long[] nanos) {
        for (int index = 0; index < nanos.length; index++) {
            long until = System.nanoTime() + PARKED_AFTER_NANOS;
            while (System.nanoTime() - until < 0) {
                Thread.onSpinWait();
            }
            arrived.set(0);
            finished.set(0);
            long begin = System.nanoTime();
            for (int worker = 0; worker < workers; worker++) {
                pool.submit(task);
            }
            spinUntilAll(finished);
            nanos[index] = last - begin;
        }
    }

    private void arrive() {
        if (arrived.incrementAndGet() == workers) {
            last = System.nanoTime();
        } else {
            spinUntilAll(arrived);
        }
        finished.incrementAndGet();
    }

    /** Yields in the end: there may be fewer processors than threads. */
    private void spinUntilAll(AtomicInteger counter) {
        for (int spins = 0; counter.get() < workers; spins++) {
            if (spins < SPINS_BEFORE_YIELD) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
