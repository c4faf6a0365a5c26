package io.frameloom.benchmarks.idle;

import io.frameloom.benchmarks.driver.Benchmark;
import io.frameloom.benchmarks.driver.Family;
import io.frameloom.benchmarks.driver.Row;
import io.frameloom.benchmarks.driver.Samples;
import io.frameloom.benchmarks.driver.Settings;
import io.frameloom.benchmarks.driver.ThreadUsage;
import io.frameloom.benchmarks.pool.Pool;
import io.frameloom.benchmarks.ramp.RampProbe;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * The processor time that all Java threads together use while a pool that has worked has nothing to do. Its
 * rows are in nanoseconds per second: 10,000,000 are one percent of a core. The row {@code nothing} is without any pool.
 * JMH times calls; here nothing is called.
 */
public final class IdleCpu implements Benchmark {
    private static final double SECOND = 1e9;
    private static final long SETTLE_NANOS = 100_000_000;
    private static final int REPETITIONS = 3;
    private static final int WARM_UP_RUNS = 100;

    @Override
    public String name() {
        return "idle-cpu";
    }

    @Override
    public Family family() {
        return Family.bars("idle-cpu");
    }

    @Override
    public void measure(Settings settings, Consumer<List<Row>> groups) {
        long windowNanos = settings.idleNanos();
        for (int workers : settings.workers()) {
            List<Row> rows = new ArrayList<>();
            for (IntFunction<Pool> pool : Pool.ALL) {
                try (RampProbe warm = new RampProbe(pool.apply(workers), workers)) {
                    warm.run(new long[WARM_UP_RUNS]);
                    rows.add(row(warm.name(), workers, windowNanos));
                }
            }
            rows.add(row(Row.NOTHING, workers, windowNanos));
            groups.accept(rows);
        }
    }

    private Row row(String contender, int workers, long windowNanos) {
        pause(SETTLE_NANOS);
        Samples perSecond = new Samples(REPETITIONS);
        long bytes = 0;
        double seconds = 0;
        for (int repetition = 0; repetition < REPETITIONS; repetition++) {
            ThreadUsage before = ThreadUsage.now();
            long begin = System.nanoTime();
            pause(windowNanos);
            double elapsed = (System.nanoTime() - begin) / SECOND;
            // Read per thread, because the clock of the whole process ticks too coarsely for this.
            ThreadUsage after = ThreadUsage.now();
            perSecond.add(after.cpuNanosSince(before) / elapsed);
            bytes += after.bytesSince(before);
            seconds += elapsed;
        }
        return new Row(
                name(),
                workers,
                contender,
                perSecond.median(),
                bytes / seconds,
                perSecond.halfInterquartileRange(),
                perSecond.min(),
                null,
                perSecond.median(),
                "empty",
                false,
                "idle second",
                null);
    }

    private static void pause(long nanos) {
        long until = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
