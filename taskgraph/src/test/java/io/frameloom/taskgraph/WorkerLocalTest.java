package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values per slot, and the chosen grain. */
@Timeout(60)
final class WorkerLocalTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void partialSumsNeedNoSynchronisation(int workers) {
        try (TaskGraph graph = TaskGraph.builder().workers(workers).build()) {
            AtomicInteger made = new AtomicInteger();
            WorkerLocal<long[]> sums = graph.workerLocal(() -> {
                made.incrementAndGet();
                return new long[1];
            });
            assertThat(made).hasValue(0);
            for (int round = 0; round < 50; round++) {
                graph.parallelFor("sum", 10_000, 7, sums, (from, to, sum) -> {
                    for (int i = from; i < to; i++) {
                        sum[0] += i;
                    }
                });
            }
            long[] total = new long[1];
            sums.forEach(sum -> total[0] += sum[0]);
            assertThat(total[0]).isEqualTo(50L * 10_000 * 9_999 / 2);
            assertThat(made.get()).isBetween(1, graph.slotCount());
        }
    }

    @Test
    void aSlotKeepsItsValueAndAFailedFactoryNothing() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            AtomicInteger calls = new AtomicInteger();
            WorkerLocal<Object> local = graph.workerLocal(() -> {
                if (calls.incrementAndGet() == 1) {
                    throw new IllegalStateException("first");
                }
                return new Object();
            });
            assertThat(local.slotCount()).isEqualTo(3);
            assertThatThrownBy(() -> local.get(2)).hasMessage("first");
            Object value = local.get(2);
            assertThat(local.get(2)).isSameAs(value);
            assertThat(local.get(0)).isNotSameAs(value);
            assertThat(calls).hasValue(3);
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
        try (TaskGraph graph = TaskGraph.builder().workers(2).build();
                TaskGraph small = TaskGraph.builder().workers(1).name("small").build()) {
            assertThatThrownBy(() -> graph.workerLocal(null)).isInstanceOf(NullPointerException.class);
            WorkerLocal<Object> nothing = graph.workerLocal(() -> null);
            assertThatThrownBy(() -> nothing.get(0))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("factory");
            assertThatThrownBy(() -> nothing.get(3)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> nothing.get(-1)).isInstanceOf(IndexOutOfBoundsException.class);
            WorkerLocal<Object> foreign = small.workerLocal(Object::new);
            assertThatThrownBy(() -> graph.parallelFor("p", 1, 1, foreign, (from, to, local) -> {}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'p'");
            assertThatThrownBy(() -> graph.parallelFor("p", -1, (from, to, slot) -> {}))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> graph.parallelFor("p", 1, null)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> graph.parallelFor("p", 1, 1, foreign, null))
                    .isInstanceOf(NullPointerException.class);
        }
    }
}
