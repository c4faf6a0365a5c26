package io.frameloom.benchmarks.wakeup;

import io.frameloom.benchmarks.driver.Benchmark;
import io.frameloom.benchmarks.driver.Family;
import io.frameloom.benchmarks.driver.LatencyProbe;
import io.frameloom.benchmarks.driver.LatencySampler;
import io.frameloom.benchmarks.driver.Row;
import io.frameloom.benchmarks.driver.Settings;
import io.frameloom.benchmarks.pool.ParkUnparkThread;
import io.frameloom.benchmarks.pool.Pool;
import io.frameloom.benchmarks.pool.SubmitToStart;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * Submission to start after a time without work.
 *
 * @param idleMicros that time, in microseconds
 * @param usualPerRound latencies per round of a thorough measurement
 */
public record WakeUp(int idleMicros, int usualPerRound) implements Benchmark {
    private static final long MICRO = 1_000;

    @Override
    public String name() {
        return "wake-up-" + idleMicros + "us";
    }

    @Override
    public Family family() {
        return Family.bars("wake-up");
    }

    @Override
    public void measure(Settings settings, Consumer<List<Row>> groups) {
        for (int workers : settings.workers()) {
            List<Supplier<LatencyProbe>> probes = new ArrayList<>();
            for (IntFunction<Pool> pool : Pool.ALL) {
                probes.add(() -> new SubmitToStart(pool.apply(workers), idleMicros * MICRO));
            }
            // A single thread whatever the number of workers: this is the floor.
            probes.add(() -> new SubmitToStart(new ParkUnparkThread(), idleMicros * MICRO));
            groups.accept(new LatencySampler(name(), workers, "wake-up", 1, settings.perRound(usualPerRound))
                    .measure(probes));
        }
    }
}
