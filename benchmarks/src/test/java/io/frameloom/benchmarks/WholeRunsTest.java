package io.frameloom.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.benchmarks.dag.BodyKind;
import io.frameloom.benchmarks.dag.DagBenchmark;
import io.frameloom.benchmarks.driver.Family;
import io.frameloom.benchmarks.driver.Measurement;
import io.frameloom.benchmarks.driver.Row;
import io.frameloom.benchmarks.driver.RunBenchmark;
import io.frameloom.benchmarks.driver.Sampler;
import io.frameloom.benchmarks.driver.VirtualThreadFactory;
import io.frameloom.benchmarks.fan.FanOutFanIn;
import io.frameloom.benchmarks.parallelfor.ParallelFor;
import io.frameloom.benchmarks.placement.BoundWorkers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a JVM that JMH starts finds again, and what comes back from it. The other tests time in their own JVM. */
@Timeout(60)
class WholeRunsTest {
    /** Measures in another JVM, and returns the row with all figures but the workers 0. */
    private static Row withoutFigures(RunBenchmark benchmark, int workers, boolean pinned, String contender) {
        Measurement measurement = benchmark.measurements(workers).get(0);
        Row row = new Sampler(1, 2, 2, 1, pinned)
                .measure(
                        measurement,
                        benchmark.entrants(measurement).stream()
                                .filter(entrant -> entrant.name().equals(contender))
                                .toList())
                .get(0);
        assertThat(row.nsPerTask()).isPositive();
        assertThat(row.bytesPerTask()).isNotNegative();
        assertThat(row.minNsPerTask()).isPositive();
        assertThat(row.cpuNsPerTask()).isPositive();
        return new Row(
                row.shape(),
                row.workers(),
                row.contender(),
                0,
                0.0,
                row.error(),
                0,
                row.p99(),
                0,
                row.body(),
                row.reruns(),
                row.unit(),
                row.parameter());
    }

    @Test
    void aLoopIsMeasuredInAnotherJvm() {
        boolean pinned = BoundWorkers.possible();
        assertThat(withoutFigures(new ParallelFor(ParallelFor.PUBLISHED), 2, pinned, "frameloom-dynamic"))
                .isEqualTo(new Row(
                        "parallel-for",
                        2,
                        pinned ? "frameloom-dynamic-pinned" : "frameloom-dynamic",
                        0,
                        0.0,
                        0,
                        0,
                        null,
                        0,
                        "sum",
                        false,
                        "loop",
                        1_000));
    }

    /** However many carriers this JVM has. */
    @Test
    void anotherJvmHasCarriersOfItsOwn() {
        assumeTrue(VirtualThreadFactory.isThere());
        RunBenchmark fan = new DagBenchmark(
                "fan-64", Family.bars("fan"), new FanOutFanIn(64), BodyKind.MEGAMORPHIC, Main.contenders());
        for (int workers : new int[] {1, 2}) {
            assertThat(withoutFigures(fan, workers, true, VirtualThreadFactory.CONTENDER))
                    .isEqualTo(new Row(
                            "fan-64",
                            workers,
                            VirtualThreadFactory.CONTENDER,
                            0,
                            0.0,
                            0,
                            0,
                            null,
                            0,
                            "megamorphic",
                            false,
                            "task",
                            null));
        }
    }

    @Test
    void anUnknownBodyIsRefused() {
        WholeRuns runs = new WholeRuns();
        runs.shape = "fan-64";
        runs.body = "work2us";
        runs.workers = 1;
        runs.contender = "sequential";
        assertThatIllegalArgumentException()
                .isThrownBy(runs::open)
                .withMessage("there is no body work2us; known bodies: empty, megamorphic, work1us, sum");
    }
}
