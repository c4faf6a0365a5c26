package io.frameloom.benchmarks.driver;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Measures latencies, which JMH cannot: it times whole calls that its own threads make. A latency begins on one thread
 * and ends in a task on another. The pause before it, or the run of a graph that was built, is no part of it. A row
 * holds the median and the 99th percentile over all rounds. The probes take turns round by round, and only the one
 * being timed has threads, for a spinning one would disturb the other.
 *
 * @param shape the name in results
 * @param workers number of threads that execute tasks
 * @param unit what one latency divided by {@code divisor} is the time of
 * @param divisor how many of them one latency holds
 * @param perRound latencies per round
 */
public record LatencySampler(String shape, int workers, String unit, int divisor, int perRound) {
    private static final int ROUNDS = 6;

    /**
     * Measures.
     *
     * @param probes start one of the contenders each
     * @return one row per probe, in the same order
     */
    public List<Row> measure(List<? extends Supplier<? extends LatencyProbe>> probes) {
        List<Series> all = new ArrayList<>();
        for (int probe = 0; probe < probes.size(); probe++) {
            all.add(new Series());
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (int probe = 0; probe < probes.size(); probe++) {
                all.get(probe).round(probes.get(probe));
            }
        }
        return all.stream().map(Series::row).toList();
    }

    private final class Series {
        private final Allocation allocation = new Allocation();
        private final Samples nanos = new Samples(perRound * ROUNDS);
        private final Samples bytes = new Samples(ROUNDS);
        private final Samples cpu = new Samples(ROUNDS);
        private String name = "";

        void round(Supplier<? extends LatencyProbe> supplier) {
            long[] batch = new long[perRound];
            double units = (double) perRound * divisor;
            try (LatencyProbe probe = supplier.get()) {
                name = probe.name();
                probe.run(batch);
                long before = allocation.bytes();
                long cpuBefore = ProcessorTime.nanos();
                probe.run(batch);
                cpu.add((ProcessorTime.nanos() - cpuBefore) / units);
                bytes.add((allocation.bytes() - before) / units);
            }
            for (long latency : batch) {
                nanos.add((double) latency / divisor);
            }
        }

        Row row() {
            return new Row(
                    shape,
                    workers,
                    name,
                    nanos.median(),
                    bytes.median(),
                    nanos.halfInterquartileRange(),
                    nanos.min(),
                    nanos.quantile(0.99),
                    cpu.median(),
                    "empty",
                    false,
                    unit,
                    null);
        }
    }
}
