package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.taskgraph.deterministic.DeterministicScheduler;
import io.frameloom.taskgraph.deterministic.Exploration;
import io.frameloom.taskgraph.parts.LoggingStallListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waits that take too long are reported, on real threads. */
@Timeout(60)
final class StallWatchdogTest {
    private static final Duration LIMIT = Duration.ofMillis(2);

    private record Report(Thread waiting, Duration waited, StallExplanation explanation) {}

    private final BlockingQueue<Report> reports = new LinkedBlockingQueue<>();

    private TaskGraph graph() {
        return TaskGraph.builder()
                .name("watched")
                .workers(1)
                .stallWatchdog(LIMIT, (thread, waited, why) -> {
                    assertThat(Thread.currentThread()).isSameAs(thread);
                    reports.add(new Report(thread, waited, why));
                })
                .build();
    }

    private Report nextOf(String thread) throws InterruptedException {
        Report report = reports.take();
        while (!report.waiting().getName().equals(thread)) {
            report = reports.take();
        }
        return report;
    }

    @Test
    void everyLongWaitIsReportedWithItsReasonAndAgainAfterGapsThatDouble() throws InterruptedException {
        try (TaskGraph graph = graph()) {
            GraphEvent gate = graph.event("gate");
            GraphEvent waiter = graph.task("waiter", gate::await).dispatch();
            Thread outside = new Thread(waiter::await, "outside");
            outside.start();
            Report worker = nextOf("watched-worker-0");
            assertThat(worker.explanation().event()).isEqualTo("gate");
            assertThat(worker.explanation().toString()).contains("'gate' was never triggered");
            for (int factor : new int[] {1, 3, 7}) {
                Report report = nextOf("outside");
                assertThat(report.waited()).isGreaterThanOrEqualTo(LIMIT.multipliedBy(factor));
                assertThat(report.explanation().event()).isEqualTo("waiter");
                assertThat(report.explanation().toString()).contains("'gate' was never triggered");
            }
            gate.trigger();
            outside.join();
        }
    }

    @Test
    void aCloseThatWaitsForABodyIsReported() throws InterruptedException {
        TaskGraph graph = graph();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch latch = new CountDownLatch(1);
        graph.task("stuck", () -> {
                    begun.countDown();
                    latch.await();
                })
                .dispatch();
        begun.await();
        Thread closing = new Thread(graph::close, "closing");
        closing.start();
        assertThat(nextOf("closing").explanation().toString())
                .startsWith("'close of task graph watched' is not complete")
                .contains("thread watched-worker-0 runs 'stuck'")
                .contains("CountDownLatch.await");
        latch.countDown();
        closing.join();
    }

    @Test
    void aWaitForADeviceIsReportedAsAnyOther() {
        try (TaskGraph graph = graph()) {
            List<Long> steps = new ArrayList<>();
            assertThat(graph.awaitOutside("graphics@6", () -> "is completed by the device", Long.MAX_VALUE, nanos -> {
                        steps.add(nanos);
                        return steps.size() == 3;
                    }))
                    .isTrue();
            long limit = LIMIT.toNanos();
            assertThat(steps).containsExactly(limit, 2 * limit, 4 * limit);
            assertThat(reports).hasSize(2).allSatisfy(report -> {
                assertThat(report.waiting()).isSameAs(Thread.currentThread());
                assertThat(report.explanation())
                        .hasToString("'graphics@6' is not complete\n  'graphics@6' is completed by the device");
            });
            assertThat(graph.awaitOutside("short", () -> "is not", limit, nanos -> nanos > limit))
                    .isFalse();
            assertThat(reports).hasSize(2);
        }
    }

    @Test
    void aTaskOfANamedThreadThatIsNotThereIsReported() throws InterruptedException {
        try (TaskGraph graph = graph()) {
            GraphEvent draw =
                    graph.task("draw", () -> {}).on(NamedThread.RENDER).dispatch();
            Thread outside = new Thread(draw::await, "outside");
            outside.start();
            assertThat(nextOf("outside").explanation().toString())
                    .contains("'draw' is queued for RENDER, and no thread is attached to RENDER; call attach or start");
            graph.start(NamedThread.RENDER);
            outside.join();
        }
    }

    @Test
    void namedThreadsThatWaitForEachOtherAreReported() throws InterruptedException {
        AtomicBoolean seen = new AtomicBoolean();
        try (TaskGraph graph = graph()) {
            graph.start(NamedThread.RENDER);
            graph.start(NamedThread.RHI);
            CountDownLatch begun = new CountDownLatch(2);
            GraphEvent frame = crossing(graph, "frame", NamedThread.RENDER, "submit", NamedThread.RHI, begun, seen);
            GraphEvent flush = crossing(graph, "flush", NamedThread.RHI, "draw", NamedThread.RENDER, begun, seen);
            Report report = reports.take();
            while (!report.explanation().isCycle()) {
                report = reports.take();
            }
            assertThat(report.explanation().toString()).contains("'draw'", "'submit'", "never will be");
            seen.set(true);
            graph.awaitAll(frame, flush);
        }
    }

    /** A task that waits, in turns as it has to be let go, for a task of another thread that begins likewise. */
    private static GraphEvent crossing(
            TaskGraph graph,
            String name,
            NamedThread on,
            String other,
            NamedThread otherThread,
            CountDownLatch begun,
            AtomicBoolean seen) {
        return graph.task(name, () -> {
                    begun.countDown();
                    begun.await();
                    GraphEvent awaited =
                            graph.task(other, () -> {}).on(otherThread).dispatch();
                    boolean complete = false;
                    while (!complete && !seen.get()) {
                        complete = awaited.await(LIMIT.multipliedBy(10));
                    }
                })
                .on(on)
                .dispatch();
    }

    @Test
    void aThreadThatProcessesItsQueuesAndWaitsForNothingIsNotReported() throws InterruptedException {
        try (TaskGraph graph = graph()) {
            Thread render = graph.start(NamedThread.RENDER);
            GraphEvent gate = graph.event("gate");
            Thread outside = new Thread(gate::await, "outside");
            outside.start();
            for (int i = 0; i < 4; i++) {
                assertThat(reports.take().waiting()).isEqualTo(outside).isNotEqualTo(render);
            }
            gate.trigger();
            outside.join();
        }
    }

    @Test
    void aReasonThatThrowsIsTold() throws Exception {
        BlockingQueue<StallExplanation> reports = new LinkedBlockingQueue<>();
        String told = "has not come; the reason cannot be told, as the code that knows it has thrown "
                + "java.lang.IllegalStateException: no idea";
        try (TaskGraph graph = TaskGraph.builder()
                .workers(1)
                .stallWatchdog(LIMIT, (thread, waited, why) -> reports.add(why))
                .build()) {
            Supplier<String> reason = () -> {
                throw new IllegalStateException("no idea");
            };
            GraphEvent event = graph.event("device", reason);
            assertThatThrownBy(() -> event.awaitOrExplain(LIMIT))
                    .isInstanceOf(StalledException.class)
                    .hasMessageContaining("'device' " + told);
            event.trigger();
            assertThat(graph.awaitOutside("outside", reason, Long.MAX_VALUE, nanos -> nanos > LIMIT.toNanos()))
                    .isTrue();
            assertThat(reports).extracting(Object::toString).anyMatch(text -> text.contains("'outside' " + told));
        }
    }

    @Test
    void aListenerMayThrowOrClose() {
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
        assertThat(uncaught).hasValue("stall listener: thrown by the listener");
    }

    @Test
    void waitsOfFiveSecondsAreLoggedUnlessThePropertySaysOtherwise() {
        assertThat(limit(null)).isEqualTo(Duration.ofSeconds(5));
        assertThat(limit("1500")).isEqualTo(Duration.ofMillis(1500));
        assertThat(limit("0")).isZero();
        assertThat(limit("off")).isZero();
        assertThatThrownBy(() -> limit("soon"))
                .isInstanceOf(SystemPropertyException.class)
                .hasMessageContaining("frameloom.taskgraph.stallMillis must be a whole number");
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            assertThat(graph.parts.options().stallListener()).isInstanceOf(LoggingStallListener.class);
        }
    }

    private static Duration limit(@Nullable String property) {
        if (property != null) {
            System.setProperty("frameloom.taskgraph.stallMillis", property);
        }
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            return graph.parts.options().stallLimit();
        } finally {
            System.clearProperty("frameloom.taskgraph.stallMillis");
        }
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
