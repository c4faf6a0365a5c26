package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.testing.TestEffort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Delays: never early, failed by close, one thread. */
@Timeout(60)
final class DelayTest {
    @Test
    void neverEarly() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            Random random = new Random(7);
            ConcurrentLinkedQueue<Long> early = new ConcurrentLinkedQueue<>();
            List<GraphEvent> events = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                long nanos = random.nextInt(20_000_000);
                long start = System.nanoTime();
                events.add(graph.task("t", () -> {
                            long left = start + nanos - System.nanoTime();
                            if (left > 0) {
                                early.add(left);
                            }
                        })
                        .delay(Duration.ofNanos(nanos))
                        .dispatch());
            }
            graph.awaitAll(events.toArray(new GraphEvent[0]));
            assertThat(early).isEmpty();
        }
    }

    /** A later delay that is shorter must wake the timer, which sleeps for the longer one. */
    @Test
    void aShorterDelayOvertakesALongerOne() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            GraphEvent day = graph.delay("day", Duration.ofDays(1));
            for (int i = 0; i < 200; i++) {
                graph.delay("moment", Duration.ofNanos(1 + i * 1_000L)).await();
            }
            assertThat(day.isComplete()).isFalse();
            assertThat(threadsOf(graph)).isEqualTo(1);
        }
    }

    @Test
    void aDelayedTaskNeedsItsPrerequisitesToo() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            GraphEvent gate = graph.event("gate");
            AtomicInteger ran = new AtomicInteger();
            GraphEvent task = graph.task("t", ran::incrementAndGet)
                    .after(gate)
                    .delay(Duration.ofMillis(1))
                    .dispatch();
            graph.delay("more", Duration.ofMillis(5)).await();
            assertThat(ran).hasValue(0);
            gate.trigger();
            task.await();
            assertThat(ran).hasValue(1);
        }
    }

    /** The delay is over with the token, what the task needs besides is not. */
    @Test
    void aCancelledTaskDoesNotWaitForItsTime() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            CancellationToken token = new CancellationToken();
            CancellationToken other = new CancellationToken();
            GraphEvent gate = graph.event("gate");
            List<GraphEvent> cancelled = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                CancellationToken own = i % 2 == 0 ? token : token.child();
                cancelled.add(graph.task("t", () -> {})
                        .cancelledBy(own)
                        .cancelledBy(other)
                        .delay(Duration.ofDays(1 + i % 3))
                        .dispatch());
            }
            GraphEvent gated = graph.task("gated", () -> {})
                    .after(gate)
                    .cancelledBy(token)
                    .delay(Duration.ofDays(1))
                    .dispatch();
            GraphEvent kept = graph.task("kept", () -> {})
                    .cancelledBy(other)
                    .delay(Duration.ofDays(1))
                    .dispatch();
            token.cancel();
            for (GraphEvent event : cancelled) {
                assertThatThrownBy(event::await).hasCauseInstanceOf(TaskCancelledException.class);
            }
            assertThat(graph.task("late", () -> {})
                            .cancelledBy(token)
                            .delay(Duration.ofDays(1))
                            .dispatch()
                            .toCompletableFuture())
                    .failsWithin(Duration.ofSeconds(30));
            assertThat(gated.isComplete() || kept.isComplete()).isFalse();
            gate.trigger();
            assertThatThrownBy(gated::await).hasCauseInstanceOf(TaskCancelledException.class);
            other.cancel();
            assertThatThrownBy(kept::await).hasCauseInstanceOf(TaskCancelledException.class);
            graph.delay("moment", Duration.ofMillis(1)).await();
            assertThat(graph.parts.timer().pendingCount())
                    .as("delays that are kept, but for the moment")
                    .isLessThanOrEqualTo(1);
        }
    }

    @Test
    void noDelayIsCompleteAtOnceAndStartsNoThread() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            assertThat(graph.delay("none", Duration.ZERO).isComplete()).isTrue();
            graph.task("t", () -> {}).delay(Duration.ZERO).dispatch().await();
            assertThat(threadsOf(graph)).isZero();
        }
    }

    @Test
    void closeFailsPendingDelaysAndJoinsTheThread() {
        TaskGraph graph = TaskGraph.builder().workers(1).name("closing").build();
        GraphEvent seen = graph.delay("seen", Duration.ofDays(1));
        GraphEvent longest = graph.delay("longest", Duration.ofSeconds(Long.MAX_VALUE));
        GraphEvent task = graph.task("t", () -> {}).delay(Duration.ofDays(2)).dispatch();
        assertThat(seen.isComplete()).isFalse();
        graph.close();
        assertThat(seen.failure()).isInstanceOf(TaskGraphClosedException.class).hasMessageContaining("'seen'");
        assertThat(longest.failure()).isInstanceOf(TaskGraphClosedException.class);
        assertThat(task.failure()).hasCauseInstanceOf(TaskGraphClosedException.class);
        assertThat(threadsOf(graph)).isZero();
        assertThatThrownBy(() -> graph.delay("late", Duration.ofDays(1))).isInstanceOf(TaskGraphClosedException.class);
        assertThatThrownBy(() -> graph.delay("late", Duration.ZERO)).isInstanceOf(TaskGraphClosedException.class);
    }

    /** Schedulers race with close: every accepted delay completes or fails. */
    @Test
    void everyAcceptedDelayEndsWhenClosingRacesWithScheduling() throws InterruptedException {
        for (int round = 0; round < TestEffort.of(6, 20); round++) {
            TaskGraph graph = TaskGraph.builder().workers(1).build();
            ConcurrentLinkedQueue<GraphEvent> accepted = new ConcurrentLinkedQueue<>();
            Thread scheduler = new Thread(() -> {
                try {
                    while (true) {
                        accepted.add(graph.delay("d", Duration.ofHours(1)));
                    }
                } catch (TaskGraphClosedException e) {
                    accepted.add(graph.event("the end was reached"));
                }
            });
            scheduler.start();
            while (accepted.isEmpty()) {
                Thread.onSpinWait();
            }
            graph.close();
            scheduler.join();
            for (GraphEvent event : accepted) {
                assertThatThrownBy(event::await).isInstanceOf(TaskFailedException.class);
            }
        }
    }

    /** What depends on a future may run on the timer thread, which cannot join itself. */
    @Test
    void closingFromTheTimerThreadDoesNotHang() {
        TaskGraph graph = TaskGraph.builder().workers(1).build();
        CompletableFuture<Void> closed =
                graph.delay("d", Duration.ofMillis(1)).toCompletableFuture().thenRun(graph::close);
        closed.join();
        graph.close();
        assertThat(threadsOf(graph)).isZero();
    }

    private static long threadsOf(TaskGraph graph) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(t -> t.getName().equals(graph.name() + "-timer"))
                .count();
    }

    @Test
    @NullUnmarked
    @SuppressWarnings("NullAway")
    void badInput() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            assertThatThrownBy(() -> graph.delay("d", Duration.ofNanos(-1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'d'");
            assertThatThrownBy(() -> graph.delay("d", null)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> graph.delay(" ", Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> graph.task("t", () -> {}).delay(Duration.ofDays(-1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'t'");
            GraphEvent delay = graph.delay("d", Duration.ofDays(1));
            assertThatThrownBy(delay::trigger).isInstanceOf(IllegalStateException.class);
        }
    }
}
