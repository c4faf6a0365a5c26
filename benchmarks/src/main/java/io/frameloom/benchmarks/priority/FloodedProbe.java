package io.frameloom.benchmarks.priority;

import io.frameloom.benchmarks.dag.BodyKind;
import io.frameloom.benchmarks.dag.NodeBody;
import io.frameloom.benchmarks.driver.LatencyProbe;
import io.frameloom.benchmarks.pool.SubmitToStart;
import java.util.concurrent.CountDownLatch;

/**
 * Urgent tasks under a flood: a number of background tasks of about a microsecond are always queued, since each
 * submits itself again when it ends.
 */
final class FloodedProbe implements LatencyProbe {
    private static final int QUEUED = 500;
    private static final long GAP_NANOS = 20_000;

    private final PriorityPool pool;
    private final SubmitToStart urgent;
    private final CountDownLatch drained = new CountDownLatch(QUEUED);
    private volatile boolean flooding = true;

    FloodedProbe(PriorityPool pool) {
        this.pool = pool;
        urgent = new SubmitToStart(pool, GAP_NANOS);
        for (int task = 0; task < QUEUED; task++) {
            pool.submitBackground(new Again(task));
        }
    }

    @Override
    public String name() {
        return pool.name();
    }

    @Override
    public void run(long[] nanos) {
        urgent.run(nanos);
    }

    @Override
    public void close() {
        flooding = false;
        try {
            drained.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the flood drained", stopped);
        } finally {
            urgent.close();
        }
    }

    private final class Again implements NodeBody {
        private final NodeBody work;

        Again(int number) {
            work = BodyKind.WORK1US.of(number);
        }

        @Override
        public void run() {
            work.run();
            if (flooding) {
                pool.submitBackground(this);
            } else {
                drained.countDown();
            }
        }
    }
}
