package io.frameloom.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.benchmarks.buildcost.BuildCost;
import io.frameloom.benchmarks.dag.BodyKind;
import io.frameloom.benchmarks.dag.Caller;
import io.frameloom.benchmarks.dag.Contender;
import io.frameloom.benchmarks.dag.DagBenchmark;
import io.frameloom.benchmarks.driver.Benchmark;
import io.frameloom.benchmarks.driver.Entrant;
import io.frameloom.benchmarks.driver.Family;
import io.frameloom.benchmarks.driver.Row;
import io.frameloom.benchmarks.driver.Session;
import io.frameloom.benchmarks.driver.Settings;
import io.frameloom.benchmarks.driver.StructuredScope;
import io.frameloom.benchmarks.driver.VirtualThreadFactory;
import io.frameloom.benchmarks.fan.FanOutFanIn;
import io.frameloom.benchmarks.fib.Fib;
import io.frameloom.benchmarks.forkjointree.Tree;
import io.frameloom.benchmarks.hop.Hops;
import io.frameloom.benchmarks.idle.IdleCpu;
import io.frameloom.benchmarks.parallelfor.ParallelFor;
import io.frameloom.benchmarks.priority.MixedPriorities;
import io.frameloom.benchmarks.ramp.Ramp;
import io.frameloom.benchmarks.skynet.Skynet;
import io.frameloom.benchmarks.wakeup.WakeUp;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every benchmark measures everybody it should; those with an answer check it in every run. */
@Timeout(value = 110, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BenchmarksTest {
    private static final int WORKERS = 2;
    private static final Settings SETTINGS = new Settings(Settings.Length.TRIAL, List.of(WORKERS), true, false);

    private static List<String> names(String... names) {
        return List.of(names);
    }

    private static List<String> withVirtual(String... names) {
        List<String> all = new ArrayList<>(List.of(names));
        if (VirtualThreadFactory.isThere()) {
            all.add(all.size() - 1, VirtualThreadFactory.CONTENDER);
        }
        return all;
    }

    static Stream<Arguments> benchmarks() {
        List<Contender> contenders = Main.contenders();
        List<String> outside = contenders.stream()
                .filter(contender -> contender.supports(Caller.OUTSIDE))
                .map(Contender::name)
                .toList();
        List<String> tree = names("frameloom-fork", "frameloom-dynamic", "fjp", Row.SEQUENTIAL);
        if (StructuredScope.isThere()) {
            tree = names("frameloom-fork", "frameloom-dynamic", "fjp", StructuredScope.CONTENDER, Row.SEQUENTIAL);
        }
        List<String> twoPhase =
                names("frameloom-once", "frameloom-dynamic", "fjp-handmapped", "fjp-plain", "fixed-pool");
        List<String> pools = names("frameloom-dynamic", "fjp", "fixed-pool");
        return Stream.of(
                Arguments.of(
                        new DagBenchmark(
                                "fan-64", Family.bars("fan"), new FanOutFanIn(64), BodyKind.MEGAMORPHIC, contenders),
                        outside),
                Arguments.of(new Tree(Tree.PUBLISHED), tree),
                Arguments.of(new Fib(Fib.PUBLISHED), withVirtual("frameloom-dynamic", "fjp", Row.SEQUENTIAL)),
                Arguments.of(new Skynet(Skynet.PUBLISHED), withVirtual("frameloom-dynamic", "fjp", Row.SEQUENTIAL)),
                Arguments.of(
                        new ParallelFor(ParallelFor.PUBLISHED),
                        names("frameloom-dynamic", "parallel-stream", "fjp", Row.SEQUENTIAL)),
                Arguments.of(new BuildCost(9, Main.onOwnThreads()), twoPhase),
                Arguments.of(new Hops(false), names("frameloom-dynamic", "locksupport-ping-pong")),
                Arguments.of(new WakeUp(20, 50), names("frameloom-dynamic", "fjp", "fixed-pool", "park-unpark")),
                Arguments.of(new Ramp(), pools),
                Arguments.of(new MixedPriorities(), names("frameloom-dynamic", "priority-queue-pool", "fixed-pool")),
                Arguments.of(new IdleCpu(), names("frameloom-dynamic", "fjp", "fixed-pool", Row.NOTHING)));
    }

    @ParameterizedTest
    @MethodSource("benchmarks")
    void measuresEverybody(Benchmark benchmark, List<String> contenders) {
        List<List<Row>> groups = new ArrayList<>();
        benchmark.measure(SETTINGS, groups::add);
        assertThat(groups).isNotEmpty();
        for (List<Row> group : groups) {
            assertThat(group).extracting(Row::contender).containsExactlyElementsOf(contenders);
            for (Row row : group) {
                assertThat(row.shape()).isEqualTo(benchmark.name());
                assertThat(row.workers()).isEqualTo(WORKERS);
                assertThat(row.nsPerTask()).as("%s", row).isFinite().isNotNegative();
                assertThat(row.bytesPerTask()).as("%s", row).isFinite().isNotNegative();
                assertThat(row.error()).as("%s", row).isFinite().isNotNegative();
                assertThat(row.minNsPerTask()).as("%s", row).isLessThanOrEqualTo(row.nsPerTask());
            }
        }
    }

    @Test
    void namesAreUnique() {
        assertThat(Main.benchmarks(BodyKind.EMPTY)).extracting(Benchmark::name).doesNotHaveDuplicates();
    }

    @Test
    void spawnedTreesGiveTheSameAnswerOnAnyNumberOfWorkers() {
        for (int workers : List.of(1, WORKERS, 4)) {
            List<Entrant> entrants = new ArrayList<>(new Tree(10).entrants(workers));
            entrants.addAll(new Fib(15).entrants(workers));
            entrants.addAll(new Skynet(1_000).entrants(workers));
            // This JVM has one number of carriers.
            entrants.removeIf(
                    entrant -> workers != WORKERS && ContendersTest.ON_VIRTUAL_THREADS.contains(entrant.name()));
            for (Entrant entrant : entrants) {
                try (Session session = entrant.opener().get()) {
                    session.run(5);
                }
            }
        }
    }

    @Test
    void aWrongAnswerIsNoResult() {
        // Not a power of ten: the parts do not cover the whole.
        List<Entrant> entrants = new Skynet(15).entrants(1);
        Entrant sequential = entrants.get(entrants.size() - 1);
        try (Session session = sequential.opener().get()) {
            assertThatThrownBy(() -> session.run(1)).isInstanceOf(IllegalStateException.class);
        }
    }
}
