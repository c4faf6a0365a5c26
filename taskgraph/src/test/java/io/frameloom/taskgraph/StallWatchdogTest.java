package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.taskgraph.deterministic.DeterministicScheduler;
import io.frameloom.taskgraph.deterministic.Exploration;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The watchdog of a graph, on real threads. */
final class StallWatchdogTest {
    private static final Duration LIMIT = Duration.ofMillis(2);

    private record Report(Thread waiting, Duration waited, StallExplanation explanation) {}

    private static boolean watchdogLives(String graph) {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals(graph + "-stall-watchdog"));
    }

    @Test
    void everyLongWaitIsReportedOnceWithItsReason() throws InterruptedException {
        BlockingQueue<Report> reports = new LinkedBlockingQueue<>();
        try (TaskGraph graph = TaskGraph.builder()
                .name("watched")
                .workers(2)
                .stallWatchdog(LIMIT, (thread, waited, why) -> reports.add(new Report(thread, waited, why)))
                .build()) {
            GraphEvent gate = graph.event("gate");
            GraphEvent waiter = graph.task("waiter", gate::await).dispatch();
            Thread outside = new Thread(waiter::await, "outside");
            outside.start();
            List<Report> first = List.of(reports.take(), reports.take());
            assertThat(first).extracting(Report::waited).allMatch(waited -> waited.compareTo(LIMIT) >= 0);
            assertThat(first)
                    .extracting(report -> report.waiting().getName().startsWith("watched-worker")
                            + " "
                            + report.explanation().event())
                    .containsExactlyInAnyOrder("true gate", "false waiter");
            assertThat(first)
                    .allMatch(report -> report.explanation().toString().contains("'gate' was never triggered"));
            // The first two waits go on all the while that a third becomes too long.
            Thread later = new Thread(gate::await, "later");
            later.start();
            assertThat(reports.take().waiting()).isEqualTo(later);
            gate.trigger();
            outside.join();
            later.join();
            assertThat(watchdogLives("watched")).isTrue();
        }
        assertThat(reports).isEmpty();
        assertThat(watchdogLives("watched")).isFalse();
    }

    @Test
    void aListenerMayThrowOrClose() throws InterruptedException {
        AtomicReference<String> uncaught = new AtomicReference<>();
        AtomicReference<TaskGraph> own = new AtomicReference<>();
        TaskGraph graph = TaskGraph.builder()
                .name("closing")
                .workers(1)
                .uncaughtHandler((task, failure) -> uncaught.set(task + ": " + failure.getMessage()))
                .stallWatchdog(LIMIT, (thread, waited, why) -> {
                    Objects.requireNonNull(own.get()).close();
                    throw new IllegalStateException("thrown by the listener");
                })
                .build();
        own.set(graph);
        GraphEvent never = graph.event("never");
        assertThatThrownBy(never::await).hasRootCauseInstanceOf(TaskGraphClosedException.class);
        graph.close();
        assertThat(watchdogLives("closing")).isFalse();
        assertThat(uncaught).hasValue("stall listener: thrown by the listener");
    }

    @Test
    void nonsenseIsRefused() {
        assertThatThrownBy(() -> TaskGraph.builder().stallWatchdog(Duration.ZERO, (thread, waited, why) -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT0S");
        DeterministicScheduler.explore(
                Exploration.oldestFirst(),
                scheduler -> assertThatThrownBy(() -> TaskGraph.builder()
                                .scheduler(scheduler)
                                .stallWatchdog(LIMIT, (thread, waited, why) -> {})
                                .build())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("stall watchdog"));
    }
}
