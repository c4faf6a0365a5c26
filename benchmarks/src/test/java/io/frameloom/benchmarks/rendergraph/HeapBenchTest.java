package io.frameloom.benchmarks.rendergraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.rdg.HeapSearch;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.testing.TestEffort;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Heaps of random frames and the bytes that they cannot go below. */
final class HeapBenchTest {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final ByteArrayOutputStream complained = new ByteArrayOutputStream();

    private int run(String... arguments) {
        return HeapBench.run(
                List.of(arguments),
                new PrintStream(written, true, StandardCharsets.UTF_8),
                new PrintStream(complained, true, StandardCharsets.UTF_8));
    }

    /** The target of one per cent, on average. */
    @Test
    void heapsComeCloseToTheirBounds() {
        for (int passes : new int[] {20, 50, 100}) {
            HeapBench.Ratios ratios = HeapBench.measure(
                    passes, QueueTopology.graphicsAndCompute(), HeapSearch.ALWAYS, TestEffort.of(30, 100));
            assertThat(ratios.mean()).isBetween(1.0, 1.01);
            assertThat(ratios.worst()).isGreaterThanOrEqualTo(ratios.mean());
            assertThat(ratios.share()).isBetween(0.3, 1.0);
            assertThat(ratios.within()).isBetween(0.9, 1.0);
        }
    }

    @Test
    void aLineForEachSize() {
        assertThat(run("1")).isZero();
        assertThat(written.toString(StandardCharsets.UTF_8).lines())
                .hasSize(21)
                .anyMatch(line -> line.matches(" +100 +2 +always +1 +1\\.\\d{5} +1\\.\\d{5} +[0-9.]+% +[0-9.]+%"));
        assertThat(complained.size()).isZero();
    }

    @Test
    void wrongNumbersAreRefusedInOneLine() {
        for (String wrong : new String[] {"0", "many", "-3", "1000001"}) {
            complained.reset();
            assertThat(run(wrong)).isEqualTo(2);
            assertThat(complained.toString(StandardCharsets.UTF_8))
                    .hasLineCount(1)
                    .contains("--heaps takes a number");
        }
        assertThat(run("1", "2")).isEqualTo(2);
        assertThat(run("--help")).isZero();
        assertThat(written.toString(StandardCharsets.UTF_8))
                .contains("usage: bench --heaps")
                .contains("shares of");
    }
}
