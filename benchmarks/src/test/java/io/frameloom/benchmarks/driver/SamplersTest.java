package io.frameloom.benchmarks.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the two samplers make of what they time. */
@Timeout(60)
class SamplersTest {
    private static final class Counting implements Session {
        private final List<Integer> calls;
        private boolean closed;

        Counting(List<Integer> calls) {
            this.calls = calls;
        }

        @Override
        public void run(int times) {
            assertThat(closed).isFalse();
            calls.add(times);
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @Test
    void quantilesInterpolateBetweenTheValuesOfEachSample() {
        Samples samples = new Samples(5);
        for (double value : new double[] {4, 1, 3, 2, 5}) {
            samples.add(value);
        }
        assertThat(samples.median()).isEqualTo(3);
        assertThat(samples.min()).isEqualTo(1);
        assertThat(samples.quantile(1)).isEqualTo(5);
        assertThat(samples.quantile(0.125)).isEqualTo(1.5);
        assertThat(samples.halfInterquartileRange()).isEqualTo(1);
    }

    @Test
    void entrantsRunAtLeastAsOftenAsASampleAsksAndKeepTheirNames() {
        List<Integer> first = new ArrayList<>();
        List<Integer> second = new ArrayList<>();
        Measurement measurement = new Measurement("shape", "sum", 3, "loop", 10, 7, 1_000);
        List<Row> rows = new Sampler(1_000, 1_000, 4)
                .measure(
                        measurement,
                        List.of(
                                new Entrant("frameloom-x", true, () -> new Counting(first)),
                                new Entrant("rival", false, () -> new Counting(second))));
        assertThat(rows).extracting(Row::contender).containsExactly("frameloom-x", "rival");
        assertThat(rows).extracting(Row::reruns).containsExactly(true, false);
        Row row = rows.get(0);
        assertThat(List.of(row.shape(), row.body(), row.workers(), row.unit()))
                .isEqualTo(List.of("shape", "sum", 3, "loop"));
        assertThat(row.parameter()).isEqualTo(1_000);
        assertThat(first).allMatch(times -> times >= 7 || times == 5);
        assertThat(first.size()).isGreaterThanOrEqualTo(1 + 4 + 1);
    }

    private record Fixed(String name, long[] values) implements LatencyProbe {
        @Override
        public void run(long[] nanos) {
            System.arraycopy(values, 0, nanos, 0, nanos.length);
        }

        @Override
        public void close() {}
    }

    @Test
    void latenciesAreDividedAndTheirTailIsKept() {
        long[] values = new long[100];
        for (int index = 0; index < values.length; index++) {
            values[index] = 200 - 2 * index;
        }
        List<Supplier<LatencyProbe>> probes = List.of(() -> new Fixed("probe", values));
        Row row = new LatencySampler("shape", 2, "hop", 2, values.length)
                .measure(probes)
                .get(0);
        assertThat(row.contender()).isEqualTo("probe");
        assertThat(row.nsPerTask()).isEqualTo(50.5);
        assertThat(row.minNsPerTask()).isEqualTo(1);
        assertThat(row.p99()).isBetween(98.9, 99.1);
        assertThat(row.unit()).isEqualTo("hop");
    }

    @Test
    void virtualThreadsAreFoundWhereTheJdkHasThem() throws InterruptedException {
        boolean expected = Runtime.version().feature() >= VirtualThreadFactory.SINCE;
        assertThat(VirtualThreadFactory.find(2).isPresent()).isEqualTo(expected);
        if (expected) {
            List<Boolean> daemon = new ArrayList<>();
            Thread thread = VirtualThreadFactory.find(2)
                    .orElseThrow()
                    .threads()
                    .newThread(() -> daemon.add(Thread.currentThread().isDaemon()));
            thread.start();
            thread.join();
            assertThat(daemon).containsExactly(true);
        }
    }
}
