package io.frameloom.benchmarks.hop;

import io.frameloom.benchmarks.driver.Benchmark;
import io.frameloom.benchmarks.driver.Family;
import io.frameloom.benchmarks.driver.LatencyProbe;
import io.frameloom.benchmarks.driver.LatencySampler;
import io.frameloom.benchmarks.driver.Row;
import io.frameloom.benchmarks.driver.Settings;
import io.frameloom.taskgraph.IdlePolicy;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Hops between two threads. A latency is a round trip, which is two hops and one reading of the clock
 * (about 20 ns).
 *
 * @param spinning true when nobody parks
 */
public record Hops(boolean spinning) implements Benchmark {
    private static final Duration SPIN = Duration.ofMillis(10);

    @Override
    public String name() {
        return spinning ? "hop-spinning" : "hop-parked";
    }

    @Override
    public Family family() {
        return Family.bars("hop");
    }

    @Override
    public void measure(Settings settings, Consumer<List<Row>> groups) {
        List<Supplier<LatencyProbe>> probes = spinning
                ? List.of(() -> new NamedThreadHop(IdlePolicy.spinning(SPIN)), SpscBusySpin::new)
                : List.of(() -> new NamedThreadHop(IdlePolicy.parking()), ParkUnpark::new);
        int perRound = settings.perRound(spinning ? 100_000 : 25_000);
        groups.accept(new LatencySampler(name(), 2, "hop", 2, perRound).measure(probes));
    }
}
