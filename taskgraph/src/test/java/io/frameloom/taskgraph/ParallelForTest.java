package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** parallelFor: coverage, slots, nesting, failures. */
@Timeout(60)
final class ParallelForTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void slotsAreUniqueAmongBodiesThatRunAtTheSameTime(int workers) {
        try (TaskGraph graph = TaskGraph.builder().workers(workers).build()) {
            AtomicIntegerArray inUse = new AtomicIntegerArray(graph.slotCount());
            AtomicInteger clashes = new AtomicInteger();
            for (int round = 0; round < 200; round++) {
                AtomicInteger covered = new AtomicInteger();
                graph.parallelFor("slots", 500, 3, (from, to, slot) -> {
                    if (!inUse.compareAndSet(slot, 0, 1)) {
                        clashes.incrementAndGet();
                    }
                    covered.addAndGet(to - from);
                    inUse.set(slot, 0);
                });
                assertThat(covered).hasValue(500);
            }
            assertThat(clashes).hasValue(0);
        }
    }

    /** Bodies meet at a barrier: they can only all arrive if every worker and the caller take part. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void theCallerAndEveryWorkerTakePart(int workers) {
        try (TaskGraph graph = TaskGraph.builder().workers(workers).build()) {
            for (int round = 0; round < 100; round++) {
                CyclicBarrier meeting = new CyclicBarrier(workers + 1);
                graph.parallelFor("meet", workers + 1, 1, (from, to, slot) -> {
                    try {
                        meeting.await();
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                });
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void nestsAndRunsFromEveryKindOfThread(int workers) {
        try (TaskGraph graph = TaskGraph.builder().workers(workers).build()) {
            AtomicLong sum = new AtomicLong();
            RangeBody nested =
                    (from, to, slot) -> graph.parallelFor("inner", 100, 7, (f, t, s) -> sum.addAndGet(t - f));
            graph.parallelFor("foreign", 20, 1, nested);
            graph.task("worker", () -> graph.parallelFor("on worker", 20, 1, nested))
                    .on(WorkerLevel.HIGH)
                    .dispatch()
                    .await();
            graph.start(NamedThread.RENDER);
            graph.task("named", () -> graph.parallelFor("on named", 20, 1, nested))
                    .on(NamedThread.RENDER)
                    .dispatch()
                    .await();
            assertThat(sum).hasValue(3 * 20 * 100);
        }
    }

    @Test
    void aFailureReachesTheCallerOnceWithTheOthersSuppressed() throws Exception {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            CyclicBarrier meeting = new CyclicBarrier(3);
            assertThatThrownBy(() -> graph.parallelFor("broken", 1_000, 1, (from, to, slot) -> {
                        try {
                            meeting.await();
                        } catch (Exception e) {
                            throw new AssertionError(e);
                        }
                        throw new IllegalStateException("slot " + slot);
                    }))
                    .isInstanceOf(TaskFailedException.class)
                    .hasMessageContaining("'broken'")
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .satisfies(e -> assertThat(e.getSuppressed()).hasSize(2));
            AtomicInteger covered = new AtomicInteger();
            graph.parallelFor("fine", 100, 9, (from, to, slot) -> covered.addAndGet(to - from));
            assertThat(covered).hasValue(100);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void aLoopThatNobodyWaitsForBeginsAfterItsPrerequisites(int workers) {
        try (TaskGraph graph = TaskGraph.builder().workers(workers).build()) {
            GraphEvent ready = graph.event("ready");
            AtomicInteger covered = new AtomicInteger();
            GraphEvent done = graph.parallelForAsync(
                    "later", 1_000, 7, (from, to, slot) -> covered.addAndGet(to - from), ready, null);
            assertThat(done.isComplete()).isFalse();
            ready.trigger();
            done.await();
            assertThat(covered).hasValue(1_000);
            graph.parallelForAsync("empty", 0, 1, (from, to, slot) -> covered.set(-1))
                    .await();
            assertThat(covered).hasValue(1_000);
        }
    }

    @Test
    void aLoopThatNobodyWaitsForFailsItsEvent() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            GraphEvent broken = graph.parallelForAsync("broken", 10, 1, (from, to, slot) -> {
                if (from == 3) {
                    throw new IllegalStateException("at 3");
                }
            });
            assertThatThrownBy(broken::await)
                    .isInstanceOf(TaskFailedException.class)
                    .hasRootCauseMessage("at 3");
            assertThatThrownBy(() -> graph.parallelForAsync("wrong", -1, 1, (from, to, slot) -> {}))
                    .hasMessageContaining("count must not be negative");
            assertThatThrownBy(() -> graph.parallelForAsync("wrong", 1, 0, (from, to, slot) -> {}))
                    .hasMessageContaining("grain must be at least 1");
        }
    }

    @Test
    void emptyAndLargestRanges() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            graph.parallelFor("none", 0, 1, (from, to, slot) -> {
                throw new AssertionError("called for an empty range");
            });
            AtomicLong covered = new AtomicLong();
            graph.parallelFor(
                    "all ints",
                    Integer.MAX_VALUE,
                    Integer.MAX_VALUE - 1,
                    (from, to, slot) -> covered.addAndGet(to - from));
            assertThat(covered).hasValue(Integer.MAX_VALUE);
        }
    }
}
