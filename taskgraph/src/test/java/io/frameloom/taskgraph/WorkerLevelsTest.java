package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.testing.WaitGraphs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Order of levels, the reserve, waking (races 14 to 16) and idle policies. */
@Timeout(60)
final class WorkerLevelsTest {
    @Test
    void aFreeWorkerTakesTheHighestLevelAndPriority() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            CountDownLatch started = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            graph.task("blocker", () -> {
                        started.countDown();
                        go.await();
                    })
                    .dispatch();
            awaitQuietly(started);
            List<String> ran = new CopyOnWriteArrayList<>();
            List<GraphEvent> events = new ArrayList<>();
            for (WorkerLevel level : List.of(WorkerLevel.BACKGROUND, WorkerLevel.NORMAL, WorkerLevel.HIGH)) {
                for (TaskPriority priority : List.of(TaskPriority.NORMAL, TaskPriority.HIGH)) {
                    events.add(graph.task("t", () -> ran.add(level + "/" + priority))
                            .on(level)
                            .priority(priority)
                            .dispatch());
                }
            }
            go.countDown();
            graph.awaitAll(events.toArray(new GraphEvent[0]));
            assertThat(ran)
                    .containsExactly(
                            "HIGH/HIGH",
                            "HIGH/NORMAL",
                            "NORMAL/HIGH",
                            "NORMAL/NORMAL",
                            "BACKGROUND/HIGH",
                            "BACKGROUND/NORMAL");
        }
    }

    @Test
    void aChainGivesWayToAHigherLevel() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            List<String> ran = new CopyOnWriteArrayList<>();
            GraphEvent gate = graph.event("gate");
            GraphEvent first = graph.task("first", () -> {
                        ran.add("first");
                        graph.task("urgent", () -> ran.add("urgent"))
                                .on(WorkerLevel.HIGH)
                                .dispatch();
                    })
                    .after(gate)
                    .dispatch();
            GraphEvent second =
                    graph.task("second", () -> ran.add("second")).after(first).dispatch();
            gate.trigger();
            second.await();
            assertThat(ran).containsExactly("first", "urgent", "second");
        }
    }

    /** The HIGH tasks can only meet at the barrier if BACKGROUND leaves the reserved workers alone. */
    @ParameterizedTest
    @CsvSource({"2,1", "4,2", "8,2"})
    void backgroundNeverOccupiesTheReserve(int workers, int reserved) {
        try (TaskGraph graph =
                TaskGraph.builder().workers(workers).reservedWorkers(reserved).build()) {
            CountDownLatch release = new CountDownLatch(1);
            AtomicInteger running = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            List<GraphEvent> background = new ArrayList<>();
            for (int i = 0; i < 3 * workers; i++) {
                background.add(graph.task("load", () -> {
                            most.accumulateAndGet(running.incrementAndGet(), Math::max);
                            release.await();
                            running.decrementAndGet();
                        })
                        .on(WorkerLevel.BACKGROUND)
                        .dispatch());
            }
            CyclicBarrier meeting = new CyclicBarrier(reserved);
            List<GraphEvent> high = new ArrayList<>();
            for (int i = 0; i < reserved; i++) {
                high.add(
                        graph.task("frame", meeting::await).on(WorkerLevel.HIGH).dispatch());
            }
            graph.awaitAll(high.toArray(new GraphEvent[0]));
            release.countDown();
            graph.awaitAll(background.toArray(new GraphEvent[0]));
            assertThat(most.get()).isBetween(1, workers - reserved);
        }
    }

    /** All workers must be awake at once, again and again from sleep: one missing wake-up hangs the test. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void asManyWorkersWakeAsThereAreTasks(int workers) {
        try (TaskGraph graph = TaskGraph.builder().workers(workers).build()) {
            for (int round = 0; round < 300; round++) {
                CyclicBarrier meeting = new CyclicBarrier(workers);
                List<GraphEvent> events = new ArrayList<>();
                if (round % 2 == 0) {
                    for (int i = 0; i < workers; i++) {
                        events.add(graph.task("meet", meeting::await).dispatch());
                    }
                } else {
                    GraphEvent gate = graph.event("gate");
                    for (int i = 0; i < workers; i++) {
                        events.add(
                                graph.task("meet", meeting::await).after(gate).dispatch());
                    }
                    gate.trigger();
                }
                graph.awaitAll(events.toArray(new GraphEvent[0]));
            }
        }
    }

    /** A worker keeps one ready successor for itself; the others must reach sleeping workers. */
    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8})
    void successorsOfOneTaskSpreadOverTheWorkers(int workers) {
        try (TaskGraph graph = TaskGraph.builder().workers(workers).build()) {
            for (int round = 0; round < 200; round++) {
                GraphEvent root = graph.event("root");
                GraphEvent source = graph.task("source", () -> {}).after(root).dispatch();
                CyclicBarrier meeting = new CyclicBarrier(workers);
                List<GraphEvent> events = new ArrayList<>();
                for (int i = 0; i < workers; i++) {
                    events.add(graph.task("meet", meeting::await).after(source).dispatch());
                }
                root.trigger();
                graph.awaitAll(events.toArray(new GraphEvent[0]));
            }
        }
    }

    @Test
    void everyIdlePolicyRunsEverything(WaitGraphs waits) {
        List<IdlePolicy> policies = List.of(
                IdlePolicy.parking(),
                IdlePolicy.spinning(Duration.ofNanos(20_000)),
                IdlePolicy.adaptive(),
                IdlePolicy.framePhase(),
                (latency, runnable, processors, frames) -> {
                    throw new IllegalStateException("broken policy");
                });
        for (IdlePolicy policy : policies) {
            try (TaskGraph graph = TaskGraph.builder()
                    .workers(2)
                    .idlePolicy(policy)
                    .uncaughtHandler((task, failure) -> assertThat(failure).hasMessage("broken policy"))
                    .build()) {
                waits.show("graph", graph::describeWaits);
                graph.start(NamedThread.RENDER);
                for (int i = 0; i < 300; i++) {
                    GraphEvent a = graph.task("a", () -> {}).dispatch();
                    graph.task("b", () -> {})
                            .after(a)
                            .on(NamedThread.RENDER)
                            .dispatch()
                            .await();
                }
            }
        }
    }

    @Test
    void theAdaptivePolicyDoesNotSpinWhenProcessorsAreTaken() {
        IdlePolicy policy = IdlePolicy.adaptive();
        assertThat(policy.spinNanos(30_000, 4, 4, 1)).isZero();
        assertThat(policy.spinNanos(30_000, 3, 4, 0)).isEqualTo(50_000);
        assertThat(policy.spinNanos(70_000, 3, 4, 0)).isEqualTo(70_000);
        assertThat(policy.spinNanos(3_000_000, 1, 4, 0)).isEqualTo(100_000);
    }

    @Test
    void interruptsNeitherKillWorkersNorReachTheNextTask() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            AtomicInteger interruptedNext = new AtomicInteger();
            for (int i = 0; i < 200; i++) {
                graph.task("self-interrupt", () -> Thread.currentThread().interrupt())
                        .dispatch();
                graph.task("next", () -> {
                            if (Thread.currentThread().isInterrupted()) {
                                interruptedNext.incrementAndGet();
                            }
                        })
                        .dispatch()
                        .await();
            }
            assertThat(interruptedNext).hasValue(0);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
