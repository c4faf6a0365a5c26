package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.testing.WaitGraphs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waiting from foreign threads, workers and named threads (races 28 and 29). */
@Timeout(60)
final class AwaitTest {
    @Test
    void aForeignWaitKeepsTheInterrupt() throws InterruptedException {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            GraphEvent gate = graph.event("gate");
            AtomicReference<Boolean> interrupted = new AtomicReference<>();
            Thread waiter = new Thread(() -> {
                Thread.currentThread().interrupt();
                gate.await();
                interrupted.set(Thread.currentThread().isInterrupted());
            });
            waiter.start();
            while (!graph.describeWaits().contains("waits for 'gate'")) {
                Thread.onSpinWait();
            }
            gate.trigger();
            waiter.join();
            assertThat(interrupted).hasValue(true);
        }
    }

    @Test
    void anInterruptOfAWaitingTaskIsNotForWhatItRunsMeanwhile() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            graph.start(NamedThread.RENDER);
            List<Boolean> found = new ArrayList<>();
            TaskBody awaited = () -> found.add(Thread.currentThread().isInterrupted());
            TaskBody onWorker = () -> {
                Thread.currentThread().interrupt();
                graph.fork("fork", awaited).await();
                found.add(Thread.interrupted());
                Thread.currentThread().interrupt();
                GraphEvent first = graph.task("first", awaited).dispatch();
                graph.task("second", awaited).after(first).dispatch().await();
                found.add(Thread.interrupted());
            };
            graph.task("on a worker", onWorker).dispatch().await();
            assertThat(found).containsExactly(false, true, false, false, true);
            found.clear();
            TaskBody onNamed = () -> {
                Thread.currentThread().interrupt();
                graph.task("local", awaited)
                        .on(NamedThread.RENDER.local())
                        .dispatch()
                        .await();
                found.add(Thread.interrupted());
            };
            graph.task("on a named thread", onNamed)
                    .on(NamedThread.RENDER)
                    .dispatch()
                    .await();
            assertThat(found).containsExactly(false, true);
        }
    }

    @Test
    void timedWaitsEndFromEveryKindOfThread() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            GraphEvent never = graph.event("never");
            Duration shortly = Duration.ofMillis(2);
            assertThat(never.await(shortly)).isFalse();
            AtomicReference<Boolean> onWorker = new AtomicReference<>();
            graph.task("w", () -> onWorker.set(never.await(shortly))).dispatch().await();
            assertThat(onWorker).hasValue(false);
            graph.attach(NamedThread.GAME);
            assertThat(never.await(shortly)).isFalse();
            graph.detach(NamedThread.GAME);
            never.trigger();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void timeoutsRaceWithCompletionWithoutContradiction(int workers) {
        try (TaskGraph graph = TaskGraph.builder().workers(workers).build()) {
            for (int i = 0; i < 3_000; i++) {
                GraphEvent event = graph.task("t", () -> {}).dispatch();
                boolean inTime = event.await(Duration.ofNanos(i * 10L));
                if (inTime) {
                    assertThat(event.isComplete()).isTrue();
                }
                event.await();
            }
        }
    }

    /** For as long as the idle policy says, with the park announced: what ends the wait ends the spinning, too. */
    @Test
    void aWaitingWorkerSpinsBeforeItParks() {
        AtomicBoolean waits = new AtomicBoolean();
        AtomicBoolean spins = new AtomicBoolean();
        Set<String> parked = ConcurrentHashMap.newKeySet();
        TaskObserver observer = new TaskObserver() {
            @Override
            public void threadParked(int threadOrdinal, @Nullable String waitingFor) {
                if (waitingFor != null) {
                    parked.add(waitingFor);
                }
            }
        };
        IdlePolicy policy = (latency, runnable, processors, frames) -> {
            if (waits.get()) {
                spins.set(true);
            }
            return 30_000_000_000L;
        };
        try (TaskGraph graph = TaskGraph.builder()
                .name("g")
                .workers(1)
                .idlePolicy(policy)
                .observer(observer)
                .build()) {
            GraphEvent gate = graph.event("gate");
            GraphEvent waiter = graph.task("waiter", () -> {
                        waits.set(true);
                        gate.await();
                    })
                    .dispatch();
            while (!spins.get()) {
                Thread.onSpinWait();
            }
            gate.trigger();
            waiter.await();
            assertThat(parked).doesNotContain("gate");
        }
    }

    /** A tree of tasks that each wait for two: what a wait runs is taken out of the deque, not left there. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatAWaitHasRunIsQueuedNoMore(boolean together) {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            AtomicInteger left = new AtomicInteger(-1);
            graph.task("root", () -> {
                        fork(graph, 10, together);
                        left.set(graph.parts.workers().queued(WorkerLevel.NORMAL));
                    })
                    .dispatch()
                    .await();
            assertThat(left).as("entries of tasks that have run").hasValue(0);
        }
    }

    private static void fork(TaskGraph graph, int depth, boolean together) {
        if (depth > 0) {
            GraphEvent first =
                    graph.task("first", () -> fork(graph, depth - 1, together)).dispatch();
            GraphEvent second =
                    graph.task("second", () -> fork(graph, depth - 1, together)).dispatch();
            if (together) {
                graph.awaitAll(first, second);
            } else {
                second.await();
                first.await();
            }
        }
    }

    /** Every worker waits for tasks that are queued: only running them by the waiters gets anywhere. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void recursiveWaitsOnWorkersDoNotDeadlock(int workers) {
        try (TaskGraph graph = TaskGraph.builder().workers(workers).build()) {
            AtomicInteger leaves = new AtomicInteger();
            graph.task("root", () -> spawn(graph, 10, leaves)).dispatch().await();
            assertThat(leaves).hasValue(1 << 10);
        }
    }

    private static void spawn(TaskGraph graph, int depth, AtomicInteger leaves) {
        if (depth == 0) {
            leaves.incrementAndGet();
            return;
        }
        GraphEvent left =
                graph.task("left", () -> spawn(graph, depth - 1, leaves)).dispatch();
        GraphEvent right =
                graph.task("right", () -> spawn(graph, depth - 1, leaves)).dispatch();
        graph.awaitAll(left, right);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aBlockedWorkerIsWokenWhenWhatItWaitsForBecomesReady(int workers) {
        try (TaskGraph graph = TaskGraph.builder().workers(workers).build()) {
            for (int round = 0; round < 300; round++) {
                GraphEvent gate = graph.event("gate");
                CountDownLatch waiting = new CountDownLatch(workers);
                AtomicInteger ran = new AtomicInteger();
                GraphEvent needed = graph.task("needed", ran::incrementAndGet)
                        .after(graph.whenAll("join", gate))
                        .dispatch();
                List<GraphEvent> waiters = new ArrayList<>();
                for (int w = 0; w < workers; w++) {
                    waiters.add(graph.task("waiter", () -> {
                                waiting.countDown();
                                needed.await();
                            })
                            .dispatch());
                }
                awaitQuietly(waiting);
                gate.trigger();
                graph.awaitAll(waiters.toArray(new GraphEvent[0]));
                assertThat(ran).hasValue(1);
            }
        }
    }

    /** The permit of the waiting BACKGROUND task is the only one: it must run the awaited task itself. */
    @Test
    void backgroundWaitsForBackgroundWithinItsCapacity() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).reservedWorkers(1).build()) {
            for (int round = 0; round < 300; round++) {
                GraphEvent gate = graph.event("gate");
                CountDownLatch waiting = new CountDownLatch(1);
                GraphEvent inner = graph.task("inner", () -> {})
                        .on(WorkerLevel.BACKGROUND)
                        .after(gate)
                        .dispatch();
                GraphEvent outer = graph.task("outer", () -> {
                            waiting.countDown();
                            inner.await();
                        })
                        .on(WorkerLevel.BACKGROUND)
                        .dispatch();
                awaitQuietly(waiting);
                gate.trigger();
                outer.await();
            }
        }
    }

    @Test
    void awaitedTaskIsRunOnceWhoeverGetsIt(WaitGraphs waits) {
        try (TaskGraph graph = TaskGraph.builder().workers(4).build()) {
            waits.show("graph", graph::describeWaits);
            for (int round = 0; round < 2_000; round++) {
                AtomicInteger runs = new AtomicInteger();
                GraphEvent shared = graph.task("shared", runs::incrementAndGet).dispatch();
                GraphEvent a = graph.task("a", shared::await).dispatch();
                GraphEvent b = graph.task("b", shared::await).dispatch();
                graph.awaitAll(a, b);
                assertThat(runs).hasValue(1);
            }
        }
    }

    @Test
    void aWaitHelpsWithTheChildrenOfWhatItWaitsFor() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            AtomicInteger childRan = new AtomicInteger();
            graph.task("outer", () -> {
                        GraphEvent[] parent = new GraphEvent[1];
                        HeldTask held = graph.task(
                                        "parent",
                                        () -> parent[0].dontCompleteUntil(graph.task("child", childRan::incrementAndGet)
                                                .dispatch()))
                                .hold();
                        parent[0] = held.event();
                        held.release();
                        parent[0].await();
                        assertThat(childRan).hasValue(1);
                    })
                    .dispatch()
                    .await();
        }
    }

    @Test
    void describeWaitsNamesTheChain() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            GraphEvent gate = graph.event("gate");
            CountDownLatch waiting = new CountDownLatch(1);
            GraphEvent middle = graph.task("middle", () -> {})
                    .on(NamedThread.RHI)
                    .after(gate)
                    .dispatch();
            GraphEvent end = graph.task("end", () -> {}).after(middle).dispatch();
            GraphEvent waiter = graph.task("waiter", () -> {
                        waiting.countDown();
                        end.await();
                    })
                    .dispatch();
            awaitQuietly(waiting);
            String expected =
                    "runs 'waiter', waits for 'end' (on NORMAL, not ready) <- 'middle' (on RHI, not ready) <- 'gate' (not triggered)";
            String report = graph.describeWaits();
            while (!report.contains("waits for 'end'")) {
                report = graph.describeWaits();
            }
            assertThat(report).contains(expected).contains("nobody attached");
            graph.start(NamedThread.RHI);
            gate.trigger();
            waiter.await();
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
