package io.frameloom.benchmarks.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the sampler of latencies makes of what it times. JMH times the rest. */
@Timeout(60)
class SamplersTest {
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
        assumeTrue(VirtualThreadFactory.isThere());
        List<Boolean> daemon = new ArrayList<>();
        Thread thread = VirtualThreadFactory.of(2)
                .newThread(() -> daemon.add(Thread.currentThread().isDaemon()));
        thread.start();
        thread.join();
        assertThat(daemon).containsExactly(true);
        assertThatThrownBy(() -> VirtualThreadFactory.of(3))
                .hasMessage("virtual threads have 2 carriers in this JVM, and shall have 3");
    }
}
