package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.taskgraph.named.NamedLane;
import io.frameloom.taskgraph.task.Task;
import io.frameloom.testing.TestEffort;
import io.frameloom.testing.WaitGraphs;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Closing never hangs, and accepted work is run or failed (races 24 and 25). */
@Timeout(100)
final class CloseTest {
    @Test
    void queuedWorkRunsAndNewWorkIsRefused() {
        TaskGraph graph = TaskGraph.builder().workers(1).name("g").build();
        Thread started = graph.start(NamedThread.RENDER);
        AtomicInteger ran = new AtomicInteger();
        List<GraphEvent> events = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            events.add(graph.task("w", ran::incrementAndGet)
                    .on(i % 2 == 0 ? WorkerLevel.BACKGROUND : NamedThread.RENDER)
                    .dispatch());
        }
        graph.close();
        graph.close();
        assertThat(ran).hasValue(500);
        assertThat(events).allMatch(e -> e.isComplete() && !e.isFailed());
        assertThat(started.isAlive()).isFalse();
        assertThatThrownBy(() -> graph.task("late", () -> {}).dispatch())
                .isInstanceOf(TaskGraphClosedException.class)
                .hasMessageContaining("'late'")
                .hasMessageContaining("'g'");
        assertThatThrownBy(() -> graph.parallelFor("late", 3, 1, (f, t, s) -> {}))
                .isInstanceOf(TaskGraphClosedException.class);
        assertThatThrownBy(() -> graph.start(NamedThread.RHI)).isInstanceOf(TaskGraphClosedException.class);
    }

    @Test
    void pendingWorkFailsAndItsWaitersReturn() throws InterruptedException {
        TaskGraph graph = TaskGraph.builder().workers(2).build();
        GraphEvent gate = graph.event("gate");
        GraphEvent behind = graph.task("behind", () -> {}).after(gate).dispatch();
        HeldTask held = graph.task("held", () -> {}).hold();
        GraphEvent unpumped =
                graph.task("unpumped", () -> {}).on(NamedThread.RHI).dispatch();
        GraphEvent afterAll = graph.task("after all", () -> {})
                .after(behind, held.event(), unpumped)
                .dispatch();
        GraphEvent waiter = graph.task("waiter", afterAll::await).dispatch();
        AtomicReference<Throwable> seen = new AtomicReference<>();
        Thread foreign = new Thread(() -> {
            try {
                afterAll.await();
            } catch (TaskFailedException e) {
                seen.set(e);
            }
        });
        foreign.start();
        while (!graph.describeWaits().contains("waits for 'after all'")) {
            Thread.onSpinWait();
        }
        graph.close();
        foreign.join();
        assertThat(seen.get()).isInstanceOf(TaskFailedException.class);
        for (GraphEvent event : List.of(gate, held.event(), unpumped)) {
            assertThat(event.failure())
                    .isInstanceOf(TaskGraphClosedException.class)
                    .hasMessageContaining(event.name());
        }
        assertThat(behind.failure()).hasCauseInstanceOf(TaskGraphClosedException.class);
        assertThat(afterAll.isFailed()).isTrue();
        assertThat(waiter.isComplete()).isTrue();
        gate.trigger();
        held.release();
        assertThatThrownBy(gate::trigger).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(held::release).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void waitingOnAnUntriggeredEventAfterCloseFailsInsteadOfHanging() {
        TaskGraph graph = TaskGraph.builder().workers(1).build();
        GraphEvent event = graph.event("forgotten");
        graph.close();
        assertThatThrownBy(event::await).hasCauseInstanceOf(TaskGraphClosedException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void closingFromATaskDoesNotHang(int workers) {
        for (int round = 0; round < 20; round++) {
            TaskGraph graph = TaskGraph.builder().workers(workers).build();
            graph.start(NamedThread.RENDER);
            GraphEvent gate = graph.event("gate");
            GraphEvent pending = graph.task("pending", () -> {}).after(gate).dispatch();
            GraphEvent onWorker = graph.task("closer", graph::close).dispatch();
            onWorker.await();
            try {
                graph.task("other closer", graph::close)
                        .on(NamedThread.RENDER)
                        .dispatch()
                        .await();
            } catch (TaskGraphClosedException e) {
                assertThat(e).hasMessageContaining("other closer");
            }
            graph.close();
            assertThat(pending.isFailed()).isTrue();
        }
    }

    @Test
    void closingFromTheGameThreadRunsItsQueue() {
        TaskGraph graph = TaskGraph.builder().workers(1).build();
        graph.attach(NamedThread.GAME);
        AtomicInteger ran = new AtomicInteger();
        graph.task("g", ran::incrementAndGet).on(NamedThread.GAME).dispatch();
        GraphEvent gate = graph.event("gate");
        graph.task("waits", () -> {
                    try {
                        gate.await();
                    } catch (TaskFailedException e) {
                        ran.addAndGet(10);
                    }
                })
                .on(NamedThread.GAME)
                .dispatch();
        graph.close();
        assertThat(ran).hasValue(11);
    }

    @Test
    void closeEndsAPumpOfAnApplicationThread() throws InterruptedException {
        TaskGraph graph = TaskGraph.builder().workers(1).build();
        CountDownLatch attached = new CountDownLatch(1);
        Thread pump = new Thread(() -> {
            graph.attach(NamedThread.GAME);
            attached.countDown();
            graph.processUntilReturnRequested(NamedThread.GAME);
        });
        pump.start();
        attached.await();
        graph.close();
        pump.join();
    }

    @Test
    void anInterruptedCloserFinishesAndKeepsTheInterrupt() {
        TaskGraph graph = TaskGraph.builder().workers(2).build();
        Thread.currentThread().interrupt();
        graph.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(graph.describeWaits()).contains("(closed)");
    }

    /** Producers hammer while the graph closes: whatever was accepted must come to an end. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void acceptedWorkIsRunOrFailedWhenClosingRacesWithLaunching(int workers, WaitGraphs waits)
            throws InterruptedException {
        for (int round = 0; round < TestEffort.of(25, 60); round++) {
            ConcurrentLinkedQueue<String> uncaught = new ConcurrentLinkedQueue<>();
            TaskGraph graph = TaskGraph.builder()
                    .workers(workers)
                    .uncaughtHandler((task, failure) -> uncaught.add(task))
                    .build();
            waits.show("graph " + round, graph::describeWaits);
            graph.start(NamedThread.RENDER);
            ConcurrentLinkedQueue<GraphEvent> accepted = new ConcurrentLinkedQueue<>();
            AtomicInteger ran = new AtomicInteger();
            AtomicInteger forgotten = new AtomicInteger();
            List<Thread> producers = new ArrayList<>();
            CountDownLatch begun = new CountDownLatch(2);
            for (int p = 0; p < 2; p++) {
                Thread producer = new Thread(() -> produce(graph, accepted, ran, forgotten, begun));
                producers.add(producer);
                producer.start();
            }
            begun.await();
            graph.close();
            for (Thread producer : producers) {
                producer.join();
            }
            int failed = 0;
            for (GraphEvent event : accepted) {
                try {
                    event.await();
                } catch (TaskFailedException e) {
                    failed++;
                }
            }
            assertThat(ran.get() + failed + uncaught.size()).isEqualTo(accepted.size() + forgotten.get());
        }
    }

    private static void produce(
            TaskGraph graph,
            ConcurrentLinkedQueue<GraphEvent> accepted,
            AtomicInteger ran,
            AtomicInteger forgotten,
            CountDownLatch begun) {
        try {
            for (int i = 0; ; i++) {
                GraphEvent gate = graph.event("gate");
                GraphEvent task = graph.task("behind gate", ran::incrementAndGet)
                        .after(gate)
                        .onPrerequisiteFailure(FailurePolicy.SKIP)
                        .dispatch();
                accepted.add(task);
                accepted.add(graph.task("lane", ran::incrementAndGet)
                        .on(i % 2 == 0 ? NamedThread.RENDER : NamedThread.RHI)
                        .dispatch());
                HeldTask held = graph.task("held", ran::incrementAndGet).hold();
                accepted.add(held.event());
                accepted.add(graph.task("plain", ran::incrementAndGet).dispatch());
                graph.task("forgotten", ran::incrementAndGet).fireAndForget();
                forgotten.incrementAndGet();
                if (i % 3 != 0) {
                    gate.trigger();
                    held.release();
                }
                if (i == 5) {
                    begun.countDown();
                }
            }
        } catch (TaskGraphClosedException e) {
            begun.countDown();
        }
    }

    /** What was accepted before the end and queued after it, while a pump still had the queue. */
    @Test
    void whoGivesAQueueBackFailsWhatCameAfterTheEnd() {
        TaskGraph graph = TaskGraph.builder().workers(1).name("g").build();
        NamedLane lane = graph.parts.lanes().of(NamedThread.GAME);
        Task task = new Task(graph.parts, "late", () -> {});
        task.target = NamedThread.GAME;
        task.lane = lane;
        assertThat(lane.tryBecomeConsumer()).isTrue();
        graph.close();
        lane.enqueue(task);
        lane.wake();
        assertThat(task.isComplete()).as("somebody else is consumer").isFalse();
        lane.endConsumer();
        assertThat(task.failure()).isInstanceOf(TaskGraphClosedException.class);
    }

    /** A thread that forks goes on with that when a given thread has ended. */
    private static final class LateForks extends OperatingSystemThreads {
        final CountDownLatch begun = new CountDownLatch(1);
        volatile @Nullable Thread awaited;

        @Override
        public void reached(SchedulingPoint point, @Nullable String subject) {
            Thread first = awaited;
            if (first != null && point == SchedulingPoint.ENQUEUE && "fork".equals(subject)) {
                begun.countDown();
                try {
                    first.join();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    @Test
    void aNamedThreadMayForkAndWaitAfterTheWorkersHaveEnded() throws InterruptedException {
        LateForks scheduler = new LateForks();
        TaskGraph graph = TaskGraph.builder().workers(1).scheduler(scheduler).build();
        graph.start(NamedThread.RENDER);
        scheduler.awaited =
                graph.call("worker", Thread::currentThread).dispatch().await();
        GraphEvent body = graph.task(
                        "body",
                        () -> graph.fork("fork", () -> {
                                    throw new AssertionError("there is no worker");
                                })
                                .await())
                .on(NamedThread.RENDER)
                .dispatch();
        scheduler.begun.await();
        graph.close();
        assertThat(body.failure()).isInstanceOf(TaskFailedException.class);
        assertThat(body.failure()).hasRootCauseInstanceOf(TaskGraphClosedException.class);
    }
}
