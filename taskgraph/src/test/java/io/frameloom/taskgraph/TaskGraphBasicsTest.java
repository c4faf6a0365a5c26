package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.testing.WaitGraphs;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The life of a task: launch, order, place, fail, hold. */
@Timeout(60)
final class TaskGraphBasicsTest {
    private TaskGraph graph;

    @BeforeEach
    void open(WaitGraphs waits) {
        graph = TaskGraph.builder().workers(2).build();
        waits.show("graph", graph::describeWaits);
    }

    @AfterEach
    void close() {
        graph.close();
    }

    @Test
    void runsATaskOnAWorkerAndCompletesItsEvent() {
        AtomicReference<String> thread = new AtomicReference<>();
        GraphEvent event = graph.task(
                        "t", () -> thread.set(Thread.currentThread().getName()))
                .dispatch();
        event.await();
        assertThat(event.isComplete()).isTrue();
        assertThat(event.isFailed()).isFalse();
        assertThat(event.failure()).isNull();
        assertThat(thread.get()).startsWith("frameloom-worker-");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void runsAChainOfAnyLengthInOrder(int workers) {
        try (TaskGraph own = TaskGraph.builder().workers(workers).build()) {
            int n = 20_000;
            int[] order = new int[n];
            int[] next = {0};
            GraphEvent last = own.task("first", () -> {}).dispatch();
            for (int i = 0; i < n; i++) {
                int id = i;
                last = own.task("link", () -> order[next[0]++] = id).after(last).dispatch();
            }
            last.await();
            for (int i = 0; i < n; i++) {
                assertThat(order[i]).isEqualTo(i);
            }
        }
    }

    @Test
    void ignoresNullPrerequisitesAndAcceptsDuplicatesAndCompleteOnes() {
        GraphEvent done = graph.task("done", () -> {}).dispatch();
        done.await();
        GraphEvent manual = graph.event("manual");
        AtomicInteger runs = new AtomicInteger();
        GraphEvent t = graph.task("t", runs::incrementAndGet)
                .after((GraphEvent) null, done, manual, manual, done)
                .dispatch();
        assertThat(t.isComplete()).isFalse();
        manual.trigger();
        t.await();
        assertThat(runs).hasValue(1);
    }

    @Test
    void prerequisitesComeOneByOneAndInArraysWithHoles() {
        for (int split = 0; split <= 6; split++) {
            GraphEvent[] gates = new GraphEvent[6];
            TaskBuilder builder = graph.task("t", () -> {}).after((GraphEvent) null, null);
            for (int i = 0; i < gates.length; i++) {
                gates[i] = graph.event("gate" + i);
                if (i < split) {
                    builder.after(gates[i]);
                }
            }
            builder.after(Arrays.copyOfRange(gates, split, gates.length)).after((GraphEvent) null, gates[0], null);
            GraphEvent task = builder.dispatch();
            for (GraphEvent gate : gates) {
                assertThat(task.isComplete()).isFalse();
                gate.trigger();
            }
            task.await();
        }
        graph.task("none", () -> {}).after((GraphEvent) null, null).dispatch().await();
        GraphEvent only = graph.event("only");
        GraphEvent after =
                graph.task("one", () -> {}).after((GraphEvent) null, only, null).dispatch();
        assertThat(after.isComplete()).isFalse();
        only.trigger();
        after.await();
    }

    @Test
    void aHeldTaskStartsOnlyWhenReleased() {
        AtomicInteger runs = new AtomicInteger();
        GraphEvent before = graph.task("before", () -> {}).dispatch();
        HeldTask held = graph.task("held", runs::incrementAndGet).after(before).hold();
        before.await();
        graph.task("unrelated", () -> {}).dispatch().await();
        assertThat(runs).hasValue(0);
        held.release();
        held.event().await();
        assertThat(runs).hasValue(1);
        assertThatThrownBy(held::release)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'held'");
    }

    @Test
    void namedThreadsRunTheirTasksInPriorityAndFifoOrder() {
        List<String> ran = new CopyOnWriteArrayList<>();
        graph.attach(NamedThread.GAME);
        for (int i = 0; i < 3; i++) {
            String id = "" + i;
            graph.task("n" + i, () -> ran.add("n" + id)).on(NamedThread.GAME).dispatch();
            graph.task("h" + i, () -> ran.add("h" + id))
                    .on(NamedThread.GAME)
                    .priority(TaskPriority.HIGH)
                    .dispatch();
        }
        assertThat(graph.processUntilIdle(NamedThread.GAME)).isEqualTo(6);
        assertThat(ran).containsExactly("h0", "h1", "h2", "n0", "n1", "n2");
        graph.detach(NamedThread.GAME);
    }

    @Test
    void tasksHopBetweenWorkersAndStartedThreads() {
        graph.start(NamedThread.RENDER);
        graph.start(NamedThread.RHI);
        List<String> ran = new CopyOnWriteArrayList<>();
        GraphEvent last = graph.task("first", () -> {}).dispatch();
        for (int i = 0; i < 300; i++) {
            ExecutionTarget target = i % 3 == 0 ? NamedThread.RENDER : i % 3 == 1 ? NamedThread.RHI : WorkerLevel.HIGH;
            last = graph.task("hop", () -> ran.add(Thread.currentThread().getName()))
                    .after(last)
                    .on(target)
                    .dispatch();
        }
        last.await();
        assertThat(ran).hasSize(300);
        assertThat(ran.get(0)).isEqualTo("frameloom-RENDER");
        assertThat(ran.get(1)).isEqualTo("frameloom-RHI");
        assertThat(ran.get(2)).startsWith("frameloom-worker-");
    }

    @Test
    void parallelForCoversEveryIndexOnce() {
        int n = 100_003;
        int[] hits = new int[n];
        graph.parallelFor("fill", n, 64, (from, to, slot) -> {
            assertThat(slot).isBetween(0, graph.slotCount() - 1);
            for (int i = from; i < to; i++) {
                hits[i]++;
            }
        });
        assertThat(hits).containsOnly(1);
    }

    @Test
    void aWorkerThatWaitsRunsTheAwaitedTaskItself() {
        try (TaskGraph one = TaskGraph.builder().workers(1).build()) {
            List<String> ran = new CopyOnWriteArrayList<>();
            AtomicReference<GraphEvent> unrelated = new AtomicReference<>();
            CountDownLatch dispatched = new CountDownLatch(1);
            GraphEvent outer = one.task("outer", () -> {
                        unrelated.set(one.task("unrelated", () -> ran.add("unrelated"))
                                .dispatch());
                        GraphEvent first =
                                one.task("first", () -> ran.add("first")).dispatch();
                        GraphEvent second = one.task("second", () -> ran.add("second"))
                                .after(first)
                                .dispatch();
                        dispatched.await();
                        second.await();
                        ran.add("outer");
                    })
                    .dispatch();
            dispatched.countDown();
            outer.await();
            Objects.requireNonNull(unrelated.get()).await();
            assertThat(ran).containsExactly("first", "second", "outer", "unrelated");
        }
    }
}
