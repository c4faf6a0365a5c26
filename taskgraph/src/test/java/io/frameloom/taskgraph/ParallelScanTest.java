package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntBinaryOperator;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scans against a sequential loop. */
@Timeout(60)
final class ParallelScanTest {
    private static final int BLOCK = 4096;

    private static final int[] COUNTS = {
        0, 1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK - 1, 2 * BLOCK, 2 * BLOCK + 1, 5 * BLOCK + 17, 3_000_000
    };

    /** Associative, but not commutative: composition of the functions x -> (x * a + b) of two 16-bit numbers each. */
    private static final IntBinaryOperator COMPOSE = (first, second) -> {
        int a = (first >>> 16) * (second >>> 16);
        int b = (first & 0xFFFF) * (second >>> 16) + (second & 0xFFFF);
        return a << 16 | b & 0xFFFF;
    };

    private static final int IDENTITY = 1 << 16;

    private static int[] random(int count) {
        return new Random(count).ints(count).toArray();
    }

    private static void check(TaskGraph graph, int count) {
        int[] values = random(count + 3);
        int[] kept = values.clone();
        int[] inclusive = new int[count];
        int[] exclusive = new int[count + 1];
        graph.parallelInclusiveScan("inclusive", values, inclusive, count, COMPOSE);
        int total = graph.parallelExclusiveScan("exclusive", values, exclusive, count, IDENTITY, COMPOSE);
        assertThat(Arrays.equals(values, kept)).as("values as before").isTrue();
        int expected = IDENTITY;
        for (int i = 0; i < count; i++) {
            if (exclusive[i] != expected) {
                assertThat(exclusive[i]).as("exclusive %d of %d", i, count).isEqualTo(expected);
            }
            expected = COMPOSE.applyAsInt(expected, kept[i]);
            if (inclusive[i] != expected) {
                assertThat(inclusive[i]).as("inclusive %d of %d", i, count).isEqualTo(expected);
            }
        }
        assertThat(total).isEqualTo(expected);
        assertThat(exclusive[count]).isZero();
        int[] inPlace = kept.clone();
        graph.parallelInclusiveScan("in place", inPlace, inPlace, count, COMPOSE);
        assertThat(Arrays.equals(inPlace, 0, count, inclusive, 0, count)).isTrue();
        assertThat(Arrays.equals(inPlace, count, count + 3, kept, count, count + 3))
                .as("what follows the scanned values")
                .isTrue();
        inPlace = kept.clone();
        total = graph.parallelExclusiveScan("in place", inPlace, inPlace, count, IDENTITY, COMPOSE);
        assertThat(Arrays.equals(inPlace, 0, count, exclusive, 0, count)).isTrue();
        assertThat(total).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void everyPlaceGetsWhatComesBefore(int workers) {
        try (TaskGraph graph = TaskGraph.builder().workers(workers).build()) {
            for (int count : COUNTS) {
                check(graph, count);
            }
        }
    }

    @Test
    void scansRunFromEveryKindOfThread() throws Exception {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            int count = 3 * BLOCK;
            graph.fork("worker", () -> check(graph, count)).await();
            graph.start(NamedThread.RENDER);
            graph.task("named", () -> check(graph, count))
                    .on(NamedThread.RENDER)
                    .dispatch()
                    .await();
            graph.parallelFor("in a loop", 4, 1, (from, to, slot) -> check(graph, count));
        }
    }

    @Test
    void scansRunFromVirtualThreads() throws Exception {
        Assumptions.assumeTrue(Runtime.version().feature() >= 21, "virtual threads exist from JDK 21 on");
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            List<Thread> threads = new ArrayList<>();
            AtomicInteger done = new AtomicInteger();
            for (int i = 0; i < 8; i++) {
                Runnable body = () -> {
                    check(graph, 3 * BLOCK);
                    done.incrementAndGet();
                };
                threads.add((Thread) Thread.class
                        .getMethod("startVirtualThread", Runnable.class)
                        .invoke(null, body));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(done).hasValue(8);
        }
    }

    @Test
    void longsAndObjectsAreScannedAlike() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            for (int count : new int[] {0, 1, 2, BLOCK, 2 * BLOCK + 5}) {
                int[] values = new Random(count).ints(count, 0, 1000).toArray();
                long[] longs = Arrays.stream(values).asLongStream().toArray();
                Integer[] objects = Arrays.stream(values).boxed().toArray(Integer[]::new);
                int[] expected = new int[count];
                int total = graph.parallelExclusiveScan("ints", values, expected, count, 0, Integer::sum);
                assertThat(graph.parallelExclusiveScan("longs", longs, longs, count, 0, Long::sum))
                        .isEqualTo(total);
                assertThat(Arrays.stream(longs).mapToInt(Math::toIntExact).toArray())
                        .isEqualTo(expected);
                Integer[] into = new Integer[count];
                assertThat(graph.parallelExclusiveScan("objects", objects, into, count, 0, Integer::sum))
                        .isEqualTo(total);
                assertThat(Arrays.stream(into).mapToInt(i -> i).toArray()).isEqualTo(expected);
                graph.parallelInclusiveScan("objects", objects, into, count, Integer::sum);
                longs = Arrays.stream(values).asLongStream().toArray();
                graph.parallelInclusiveScan("longs", longs, longs, count, Long::sum);
                assertThat(Arrays.stream(into).mapToLong(i -> i).toArray()).isEqualTo(longs);
                assertThat(count == 0 || longs[count - 1] == total).isTrue();
            }
        }
    }

    @Test
    void scansOfFloatingPointNumbersDoNotDependOnTheWorkers() {
        double[] values = new Random(1).doubles(7 * BLOCK + 1, -1e6, 1e6).toArray();
        double[] expected = null;
        double[] exclusive = new double[values.length];
        for (int workers = 1; workers <= 8; workers++) {
            try (TaskGraph graph = TaskGraph.builder().workers(workers).build()) {
                double[] inclusive = new double[values.length];
                graph.parallelInclusiveScan("in", values, inclusive, values.length, Double::sum);
                double total =
                        graph.parallelExclusiveScan("ex", values, exclusive, values.length, 0.0, Double::sum);
                expected = expected == null ? inclusive : expected;
                assertThat(Arrays.equals(inclusive, expected)).isTrue();
                assertThat(Arrays.equals(exclusive, 1, BLOCK, expected, 0, BLOCK - 1))
                        .isTrue();
                assertThat(total).isEqualTo(expected[values.length - 1]);
            }
        }
    }

    @Test
    void whatTheOperatorThrowsFailsTheCall() {
        int count = 100 * BLOCK;
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            AtomicInteger calls = new AtomicInteger();
            int inAllBlocks = 99 * (BLOCK - 1);
            for (int at : new int[] {1, 5 * BLOCK, inAllBlocks + 5, inAllBlocks + 200}) {
                calls.set(0);
                IntBinaryOperator operator = (a, b) -> {
                    if (calls.incrementAndGet() == at) {
                        throw new IllegalStateException("operator");
                    }
                    return a + b;
                };
                assertThatThrownBy(() -> graph.parallelInclusiveScan("sum", random(count), new int[count], count, operator))
                        .isInstanceOf(TaskFailedException.class)
                        .hasMessageContaining("parallelInclusiveScan 'sum' failed")
                        .hasRootCauseMessage("operator");
                assertThat(calls.get()).as("calls").isLessThan(at + 3 * BLOCK);
            }
            check(graph, 3 * BLOCK);
        }
    }

    @Test
    void wrongCountsAreRefusedByName() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            int[] four = new int[4];
            int[] three = new int[3];
            for (int count : new int[] {-1, 4}) {
                assertThatThrownBy(() -> graph.parallelInclusiveScan("sum", four, three, count, Integer::sum))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("parallelInclusiveScan 'sum': count must be from 0 to the length of both arrays,"
                                + " 4 and 3, but is " + count);
                assertThatThrownBy(() -> graph.parallelExclusiveScan("sum", three, four, count, 0, Integer::sum))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("3 and 4, but is " + count);
            }
        }
    }
}
