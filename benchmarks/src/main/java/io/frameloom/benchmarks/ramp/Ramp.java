package io.frameloom.benchmarks.ramp;

import io.frameloom.benchmarks.driver.Benchmark;
import io.frameloom.benchmarks.driver.Family;
import io.frameloom.benchmarks.driver.LatencyProbe;
import io.frameloom.benchmarks.driver.LatencySampler;
import io.frameloom.benchmarks.driver.Row;
import io.frameloom.benchmarks.driver.Settings;
import io.frameloom.benchmarks.pool.Pool;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The time from the first submission until all workers of a parked pool run, over the number of workers. */
public final class Ramp implements Benchmark {
    private static final int USUAL_PER_ROUND = 250;

    @Override
    public String name() {
        return "ramp";
    }

    @Override
    public Family family() {
        return new Family("ramp", Family.Axis.WORKERS);
    }

    @Override
    public void measure(Settings settings, Consumer<List<Row>> groups) {
        for (int workers : settings.workerSweep()) {
            List<Supplier<LatencyProbe>> probes = Pool.ALL.stream()
                    .map(pool -> (Supplier<LatencyProbe>) () -> new RampProbe(pool.apply(workers), workers))
                    .toList();
            groups.accept(
                    new LatencySampler(name(), workers, "ramp", 1, settings.perRound(USUAL_PER_ROUND)).measure(probes));
        }
    }
}
