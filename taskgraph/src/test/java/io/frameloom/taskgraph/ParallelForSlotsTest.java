package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values per slot, and the chosen grain. */
@Timeout(60)
final class ParallelForSlotsTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void partialSumsNeedNoSynchronisation(int workers) {
        try (TaskGraph graph = TaskGraph.builder().workers(workers).build()) {
            long[] sums = new long[graph.slotCount()];
            for (int round = 0; round < 50; round++) {
                graph.parallelFor("sum", 10_000, 7, (from, to, slot) -> {
                    for (int i = from; i < to; i++) {
                        sums[slot] += i;
                    }
                });
            }
            assertThat(LongStream.of(sums).sum()).isEqualTo(50L * 10_000 * 9_999 / 2);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5, 1_000, 100_003})
    void theChosenGrainCoversTheRangeInSeveralPiecesPerSlot(int count) {
        try (TaskGraph graph = TaskGraph.builder().workers(3).build()) {
            AtomicInteger covered = new AtomicInteger();
            AtomicInteger pieces = new AtomicInteger();
            graph.parallelFor("chosen", count, (from, to, slot) -> {
                covered.addAndGet(to - from);
                pieces.incrementAndGet();
            });
            assertThat(covered).hasValue(count);
            assertThat(pieces.get()).isBetween(Math.min(count, 32), 64);
        }
    }

    @Test
    @NullUnmarked
    @SuppressWarnings("NullAway")
    void badInput() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            assertThatThrownBy(() -> graph.parallelFor("p", -1, (from, to, slot) -> {}))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> graph.parallelFor("p", 1, null)).isInstanceOf(NullPointerException.class);
        }
    }
}
