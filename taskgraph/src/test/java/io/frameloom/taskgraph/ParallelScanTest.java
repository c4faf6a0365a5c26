package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scans against a sequential loop. */
@Timeout(60)
final class ParallelScanTest {
    private static final int GRAIN = 4096;

    private static final int[] COUNTS = {
        0, 1, 2, GRAIN - 1, GRAIN, GRAIN + 1, 2 * GRAIN - 1, 2 * GRAIN, 2 * GRAIN + 1, 5 * GRAIN + 17, 3_000_000
    };

    private static final int IDENTITY = 1 << 16;

    /** Associative, but not commutative: composition of functions x -> x * a + b, of 16-bit numbers a and b. */
    private static int compose(int first, int second) {
        int a = (first >>> 16) * (second >>> 16);
        int b = (first & 0xFFFF) * (second >>> 16) + (second & 0xFFFF);
        return (a << 16) | (b & 0xFFFF);
    }

    private static int[] random(int count) {
        return new Random(count).ints(count).toArray();
    }

    private static int scan(TaskGraph graph, int[] values, int[] into, int count, boolean inclusive) {
        return (int) graph.parallelScanToLong(
                "scan",
                count,
                GRAIN,
                IDENTITY,
                (from, to, before, write) -> {
                    int state = (int) before;
                    for (int i = from; i < to; i++) {
                        int next = compose(state, values[i]);
                        if (write) {
                            into[i] = inclusive ? next : state;
                        }
                        state = next;
                    }
                    return state;
                },
                (a, b) -> compose((int) a, (int) b));
    }

    private static void check(TaskGraph graph, int count) {
        int[] values = random(count);
        int[] inclusive = new int[count];
        int[] exclusive = new int[count];
        int total = scan(graph, values, inclusive, count, true);
        assertThat(scan(graph, values, exclusive, count, false)).isEqualTo(total);
        int[] expectedInclusive = new int[count];
        int[] expectedExclusive = new int[count];
        int state = IDENTITY;
        for (int i = 0; i < count; i++) {
            expectedExclusive[i] = state;
            state = compose(state, values[i]);
            expectedInclusive[i] = state;
        }
        assertThat(total).isEqualTo(state);
        assertThat(Arrays.mismatch(inclusive, expectedInclusive)).isEqualTo(-1);
        assertThat(Arrays.mismatch(exclusive, expectedExclusive)).isEqualTo(-1);
        for (boolean kind : new boolean[] {true, false}) {
            int[] inPlace = values.clone();
            assertThat(scan(graph, inPlace, inPlace, count, kind)).isEqualTo(total);
            assertThat(Arrays.mismatch(inPlace, kind ? inclusive : exclusive)).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void everyIndexGetsWhatComesBefore(int workers) {
        try (TaskGraph graph = TaskGraph.builder().workers(workers).build()) {
            for (int count : COUNTS) {
                check(graph, count);
            }
        }
    }

    /** The caller knows what comes before each piece, unless another thread has taken one in between. */
    @Test
    void aScanOfIntegersWithoutHelpGoesThroughOnce() throws InterruptedException {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            CountDownLatch busy = new CountDownLatch(1);
            CountDownLatch done = new CountDownLatch(1);
            GraphEvent other = graph.fork("other", () -> {
                busy.countDown();
                done.await();
            });
            busy.await();
            AtomicInteger counted = new AtomicInteger();
            long total = graph.parallelScanToLong(
                    "scan",
                    1_000,
                    10,
                    0,
                    (from, to, before, write) -> {
                        counted.addAndGet(write ? 0 : 1);
                        return before + to - from;
                    },
                    Long::sum);
            done.countDown();
            other.await();
            assertThat(total).isEqualTo(1_000);
            assertThat(counted).hasValue(0);
        }
    }

    @Test
    void scansRunFromEveryKindOfThread() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            int count = 3 * GRAIN;
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
                    check(graph, 3 * GRAIN);
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
    void objectsAreScannedAlike() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            for (int count : new int[] {0, 1, 2, 100, 101, 1_000}) {
                String[] into = new String[count];
                String all = graph.parallelScan(
                        "texts",
                        count,
                        100,
                        "",
                        (from, to, before, write) -> {
                            StringBuilder text = new StringBuilder(before);
                            for (int i = from; i < to; i++) {
                                text.append((char) ('a' + i % 26));
                                if (write) {
                                    into[i] = text.toString();
                                }
                            }
                            return text.toString();
                        },
                        String::concat);
                assertThat(all).hasSize(count);
                for (int i = 0; i < count; i++) {
                    assertThat(into[i]).isEqualTo(all.substring(0, i + 1));
                }
            }
        }
    }

    @Test
    void scansOfFloatingPointNumbersDoNotDependOnTheWorkers() {
        double[] values = new Random(1).doubles(7 * GRAIN + 1, -1e6, 1e6).toArray();
        double[] expected = null;
        for (int workers = 1; workers <= 8; workers++) {
            try (TaskGraph graph = TaskGraph.builder().workers(workers).build()) {
                double[] into = new double[values.length];
                double total = graph.parallelScan(
                        "sums",
                        values.length,
                        GRAIN,
                        0.0,
                        (from, to, before, write) -> {
                            double sum = before;
                            for (int i = from; i < to; i++) {
                                sum += values[i];
                                if (write) {
                                    into[i] = sum;
                                }
                            }
                            return sum;
                        },
                        Double::sum);
                expected = expected == null ? into : expected;
                assertThat(Arrays.equals(into, expected)).isTrue();
                assertThat(total).isEqualTo(expected[values.length - 1]);
            }
        }
    }

    @Test
    void whatABodyOrOperatorThrowsFailsTheCall() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            AtomicInteger written = new AtomicInteger();
            RangeReducer.ScannerToLong throwsWhileWriting = (from, to, sum, write) -> {
                if (write && written.incrementAndGet() == 10) {
                    failing("piece");
                }
                return sum;
            };
            for (RangeReducer.ScannerToLong body :
                    List.of(throwsWhileWriting, helped(graph, 10, () -> failing("piece")))) {
                assertThatThrownBy(() -> graph.parallelScanToLong("broken", 100_000, 1, 0, body, Long::sum))
                        .isInstanceOf(TaskFailedException.class)
                        .hasMessageContaining("parallelScan 'broken' failed")
                        .hasRootCauseMessage("piece");
            }
            assertThat(written.get()).as("pieces that were run").isLessThan(99_999);
            List<Runnable> calls = List.of(
                    () -> graph.parallelScanToLong(
                            "l", 9, 2, 0, helped(graph, 1, () -> {}), (a, b) -> failing("combine")),
                    () -> graph.parallelScan(
                            "o", 9, 2, 0, (from, to, sum, write) -> sum, (a, b) -> failing("combine")));
            for (Runnable call : calls) {
                assertThatThrownBy(call::run)
                        .isInstanceOf(TaskFailedException.class)
                        .hasRootCauseMessage("combine");
            }
            check(graph, 3 * GRAIN);
        }
    }

    /**
     * Returns a body whose caller waits in its first piece until workers have had some of the first turn. Left alone, the
     * caller takes all pieces itself, and there is nothing to combine.
     */
    private static RangeReducer.ScannerToLong helped(TaskGraph graph, int most, Runnable last) {
        GraphEvent enough = graph.event("pieces of workers");
        AtomicInteger pieces = new AtomicInteger();
        return (from, to, sum, write) -> {
            if (write) {
                enough.await();
            } else if (pieces.incrementAndGet() == most) {
                enough.trigger();
                last.run();
            }
            return sum;
        };
    }

    private static int failing(String message) {
        throw new IllegalStateException(message);
    }
}
