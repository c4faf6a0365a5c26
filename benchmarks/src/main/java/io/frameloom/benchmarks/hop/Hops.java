package io.frameloom.benchmarks.hop;

import io.frameloom.benchmarks.Allocation;
import io.frameloom.benchmarks.ProcessorTime;
import io.frameloom.benchmarks.Row;
import io.frameloom.taskgraph.IdlePolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Measures hops. A row's nanoseconds are half the median round trip over all rounds; each round trip
 * includes one reading of the clock (about 20 ns). The contenders take turns round by round, and only
 * the one being timed has threads, for a spinning one would disturb the other.
 */
public final class Hops {
    /** The names of the two measurements. */
    public static final List<String> SHAPES = List.of("hop-spinning", "hop-parked");

    private static final Duration SPIN = Duration.ofMillis(10);
    private static final int ROUNDS = 6;

    private Hops() {}

    /**
     * Measures one kind of hop.
     *
     * @param shape one of {@link #SHAPES}
     * @param quick fewer round trips
     * @return one row per contender, ours first
     */
    public static List<Row> measure(String shape, boolean quick) {
        boolean spinning = shape.equals(SHAPES.get(0));
        int trips = (quick ? 5_000 : 20_000) * (spinning ? 4 : 1);
        List<Supplier<HopPair>> pairs = spinning
                ? List.of(() -> new NamedThreadHop(IdlePolicy.spinning(SPIN)), SpscBusySpin::new)
                : List.of(() -> new NamedThreadHop(IdlePolicy.parking()), ParkUnpark::new);
        List<Series> all = new ArrayList<>();
        for (int pair = 0; pair < pairs.size(); pair++) {
            all.add(new Series(trips));
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (int pair = 0; pair < pairs.size(); pair++) {
                all.get(pair).round(round, pairs.get(pair));
            }
        }
        return all.stream().map(series -> series.row(shape)).toList();
    }

    private static final class Series {
        private final Allocation allocation = new Allocation();
        private final int trips;
        private final long[] roundTrips;
        private final double[] bytes = new double[ROUNDS];
        private final double[] cpu = new double[ROUNDS];
        private String name = "";

        Series(int trips) {
            this.trips = trips;
            roundTrips = new long[trips * ROUNDS];
        }

        void round(int round, Supplier<HopPair> supplier) {
            long[] batch = new long[trips];
            try (HopPair pair = supplier.get()) {
                name = pair.name();
                pair.run(batch);
                long before = allocation.bytes();
                long cpuBefore = ProcessorTime.nanos();
                pair.run(batch);
                cpu[round] = (ProcessorTime.nanos() - cpuBefore) / (2.0 * trips);
                bytes[round] = (allocation.bytes() - before) / (2.0 * trips);
            }
            System.arraycopy(batch, 0, roundTrips, round * trips, trips);
        }

        Row row(String shape) {
            Arrays.sort(roundTrips);
            Arrays.sort(bytes);
            Arrays.sort(cpu);
            double half = 0.5;
            int count = roundTrips.length;
            double median = roundTrips[count / 2] * half;
            double spread = (roundTrips[count / 4 * 3] - roundTrips[count / 4]) * half * half;
            return new Row(
                    shape,
                    "empty",
                    2,
                    name,
                    false,
                    median,
                    bytes[ROUNDS / 2],
                    spread,
                    roundTrips[0] * half,
                    cpu[ROUNDS / 2]);
        }
    }
}
