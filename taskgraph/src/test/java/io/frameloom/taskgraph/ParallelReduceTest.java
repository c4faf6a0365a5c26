package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reductions against a sequential loop. */
@Timeout(60)
final class ParallelReduceTest {
    private static final int[] COUNTS = {0, 1, 2, 99, 100, 101, 1_000, 1_234_567};

    private static long sum(TaskGraph graph, int count, int grain) {
        return graph.parallelReduceToLong(
                "sum",
                count,
                grain,
                0,
                (from, to) -> {
                    long sum = 0;
                    for (int i = from; i < to; i++) {
                        sum += 3L * i + 1;
                    }
                    return sum;
                },
                Long::sum);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void everyIndexCountsOnceFromEveryKindOfThread(int workers) {
        try (TaskGraph graph = TaskGraph.builder().workers(workers).build()) {
            graph.start(NamedThread.RENDER);
            for (int count : COUNTS) {
                for (int grain : new int[] {100, 4_096, Integer.MAX_VALUE}) {
                    long expected = 3L * count * (count - 1L) / 2 + count;
                    Supplier<Long> sum = () -> sum(graph, count, grain);
                    assertThat(sum.get()).isEqualTo(expected);
                    assertThat(graph.fork("worker", sum::get).await()).isEqualTo(expected);
                    assertThat(graph.call("named", sum::get)
                                    .on(NamedThread.RENDER)
                                    .dispatch()
                                    .await())
                            .isEqualTo(expected);
                }
            }
        }
    }

    /** The operator is associative, but not commutative. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void piecesKeepTheirOrder(int workers) {
        try (TaskGraph graph = TaskGraph.builder().workers(workers).build()) {
            StringBuilder expected = new StringBuilder();
            for (int i = 0; i < 1_000; i++) {
                expected.append(i).append(' ');
            }
            String joined = graph.parallelReduce(
                    "join",
                    1_000,
                    7,
                    "",
                    (from, to) -> {
                        StringBuilder text = new StringBuilder();
                        for (int i = from; i < to; i++) {
                            text.append(i).append(' ');
                        }
                        return text.toString();
                    },
                    String::concat);
            assertThat(joined).isEqualTo(expected.toString());
            assertThat(graph.parallelReduce("none", 0, 1, "nothing", (from, to) -> "piece", String::concat))
                    .isEqualTo("nothing");
        }
    }

    @Test
    void sumsOfFloatingPointNumbersDoNotDependOnTheWorkers() {
        double[] values = new Random(1).doubles(300_001, -1e6, 1e6).toArray();
        List<Long> sums = new ArrayList<>();
        for (int workers = 1; workers <= 8; workers++) {
            try (TaskGraph graph = TaskGraph.builder().workers(workers).build()) {
                for (int round = 0; round < 10; round++) {
                    sums.add(Double.doubleToRawLongBits(graph.parallelReduceToDouble(
                            "sum",
                            values.length,
                            1_000,
                            0,
                            (from, to) -> {
                                double sum = 0;
                                for (int i = from; i < to; i++) {
                                    sum += values[i];
                                }
                                return sum;
                            },
                            Double::sum)));
                }
            }
        }
        assertThat(sums).containsOnly(sums.get(0));
    }

    @Test
    void whatABodyOrOperatorThrowsFailsTheCall() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            AtomicInteger pieces = new AtomicInteger();
            assertThatThrownBy(() -> graph.parallelReduceToLong(
                            "broken",
                            1_000_000,
                            1,
                            0,
                            (from, to) -> {
                                if (pieces.incrementAndGet() == 10) {
                                    throw new IllegalStateException("piece");
                                }
                                return 0;
                            },
                            Long::sum))
                    .isInstanceOf(TaskFailedException.class)
                    .hasMessageContaining("parallelReduce 'broken' failed")
                    .hasRootCauseMessage("piece");
            assertThat(pieces.get()).as("pieces that were run").isLessThan(1_000_000);
            List<Runnable> calls = List.of(
                    () -> graph.parallelReduceToLong("long", 9, 2, 0, (from, to) -> 1, (a, b) -> failing()),
                    () -> graph.parallelReduceToDouble("double", 9, 2, 0, (from, to) -> 1, (a, b) -> failing()),
                    () -> graph.parallelReduce("object", 9, 2, 0, (from, to) -> 1, (a, b) -> failing()));
            for (Runnable call : calls) {
                assertThatThrownBy(call::run)
                        .isInstanceOf(TaskFailedException.class)
                        .hasRootCauseMessage("combine");
            }
            assertThat(sum(graph, 10, 2)).isEqualTo(145);
        }
    }

    private static int failing() {
        throw new IllegalStateException("combine");
    }

    @Test
    void wrongArgumentsAreRefusedByName() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            assertThatThrownBy(() -> sum(graph, -1, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("parallelReduce 'sum': count must not be negative, but is -1");
            assertThatThrownBy(() -> sum(graph, 1, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("parallelReduce 'sum': grain must be at least 1, but is 0");
        }
    }

    @Test
    void manyThreadsReduceAtOnce() throws InterruptedException {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            List<Long> sums = Collections.synchronizedList(new ArrayList<>());
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Thread thread = new Thread(() -> {
                    for (int round = 0; round < 50; round++) {
                        sums.add(sum(graph, 10_000, 64));
                    }
                });
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(sums).hasSize(200).containsOnly(3L * 10_000 * 9_999 / 2 + 10_000);
        }
    }

    @Test
    @SuppressWarnings("NullAway") // what it must not be given is the point
    void aValueThatIsMissingIsRefusedByName() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            for (int count : new int[] {1, 10, 1_000}) {
                assertThatThrownBy(
                                () -> graph.parallelReduce("join", count, 10, "", (from, to) -> null, String::concat))
                        .rootCause()
                        .isInstanceOf(NullPointerException.class)
                        .hasMessageContaining("parallelReduce 'join': body returned null");
                assertThatThrownBy(() -> graph.parallelScan(
                                "join", count, 10, "", (from, to, before, write) -> null, String::concat))
                        .rootCause()
                        .isInstanceOf(NullPointerException.class)
                        .hasMessageContaining("parallelScan 'join': body returned null");
            }
            assertThatThrownBy(() -> graph.parallelReduce("join", 20, 10, "", (from, to) -> "x", (a, b) -> null))
                    .rootCause()
                    .hasMessageContaining("parallelReduce 'join': combine returned null");
            assertThatThrownBy(() ->
                            graph.parallelScan("join", 30, 10, "", (from, to, before, write) -> "x", (a, b) -> null))
                    .rootCause()
                    .hasMessageContaining("parallelScan 'join': combine returned null");
        }
    }
}
