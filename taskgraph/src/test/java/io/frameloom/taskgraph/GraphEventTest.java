package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.testing.WaitGraphs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Manual events, whenAll, children (races 8 and 9), and completion against registration (5 and 28). */
@Timeout(60)
final class GraphEventTest {
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
    void aManualEventCompletesOnce() {
        GraphEvent event = graph.event("gate");
        assertThat(event.isComplete()).isFalse();
        assertThat(event.await(Duration.ZERO)).isFalse();
        event.trigger();
        assertThat(event.isComplete()).isTrue();
        event.await();
        assertThat(event.await(Duration.ofDays(400_000))).isTrue();
        assertThatThrownBy(event::trigger)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'gate'");
        assertThatThrownBy(() -> event.fail(new IllegalStateException()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'gate'");
    }

    @Test
    void theEventOfATaskCannotBeTriggered() {
        GraphEvent event = graph.task("t", () -> {}).dispatch();
        assertThatThrownBy(event::trigger)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'t'");
        event.await();
    }

    @Test
    void whenAllOfNothingIsComplete() {
        assertThat(graph.whenAll("none").isComplete()).isTrue();
        assertThat(graph.whenAll("none", List.of()).isComplete()).isTrue();
    }

    @Test
    void whenAllWaitsForAllAndNestsWithoutRecursion() {
        GraphEvent root = graph.event("root");
        GraphEvent top = root;
        for (int i = 0; i < 100_000; i++) {
            top = graph.whenAll("level", top, top);
        }
        assertThat(top.isComplete()).isFalse();
        root.trigger();
        assertThat(top.isComplete()).isTrue();
    }

    @Test
    void aTaskDoesNotCompleteBeforeItsChildren() {
        GraphEvent gate = graph.event("gate");
        CountDownLatch known = new CountDownLatch(1);
        CountDownLatch bodyEnded = new CountDownLatch(1);
        GraphEvent[] parent = new GraphEvent[1];
        AtomicInteger grandchild = new AtomicInteger();
        parent[0] = graph.task("parent", () -> {
                    known.await();
                    GraphEvent[] child = new GraphEvent[1];
                    HeldTask held = graph.task(
                                    "child",
                                    () -> child[0].dontCompleteUntil(
                                            graph.task("grandchild", grandchild::incrementAndGet)
                                                    .after(gate)
                                                    .dispatch()))
                            .hold();
                    child[0] = held.event();
                    parent[0].dontCompleteUntil(child[0]);
                    held.release();
                    bodyEnded.countDown();
                })
                .dispatch();
        known.countDown();
        awaitQuietly(bodyEnded);
        graph.task("unrelated", () -> {}).dispatch().await();
        assertThat(parent[0].isComplete()).isFalse();
        gate.trigger();
        parent[0].await();
        assertThat(grandchild).hasValue(1);
    }

    @Test
    void aManualEventWaitsForItsChildrenToo() {
        GraphEvent child = graph.event("child");
        GraphEvent done = graph.event("done");
        done.trigger();
        GraphEvent parent = graph.event("parent");
        parent.dontCompleteUntil(child);
        parent.dontCompleteUntil(done);
        parent.trigger();
        assertThat(parent.isComplete()).isFalse();
        assertThatThrownBy(() -> parent.dontCompleteUntil(done))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'parent'");
        child.trigger();
        assertThat(parent.isComplete()).isTrue();
    }

    @Test
    void lateOrForeignChildrenAreRefused() {
        GraphEvent other = graph.event("other");
        GraphEvent task = graph.task("t", () -> {}).dispatch();
        task.await();
        assertThatThrownBy(() -> task.dontCompleteUntil(other))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'t'");
        GraphEvent gate = graph.event("gate");
        assertThatThrownBy(() -> gate.dontCompleteUntil(gate)).isInstanceOf(IllegalArgumentException.class);
        GraphEvent behind = graph.task("behind", () -> {}).after(gate).dispatch();
        assertThatThrownBy(() -> gate.dontCompleteUntil(behind))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'behind'");
        gate.trigger();
        behind.await();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void childrenThatCompleteDuringTheCallAreNeitherLostNorCountedTwice(int workers) {
        try (TaskGraph own = TaskGraph.builder().workers(workers).build()) {
            for (int round = 0; round < 2_000; round++) {
                AtomicInteger done = new AtomicInteger();
                GraphEvent parent = own.event("parent");
                for (int c = 0; c < 3; c++) {
                    parent.dontCompleteUntil(
                            own.task("child", done::incrementAndGet).dispatch());
                }
                AtomicInteger seen = new AtomicInteger(-1);
                GraphEvent after = own.task("after", () -> seen.set(done.get()))
                        .after(parent)
                        .dispatch();
                parent.trigger();
                after.await();
                assertThat(seen).hasValue(3);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void registrationAgainstTriggerNeverLosesATask(int workers) throws InterruptedException {
        try (TaskGraph own = TaskGraph.builder().workers(workers).build()) {
            int rounds = 3_000;
            GraphEvent[] gates = new GraphEvent[rounds];
            for (int i = 0; i < rounds; i++) {
                gates[i] = own.event("gate" + i);
            }
            Thread trigger = new Thread(() -> {
                for (GraphEvent gate : gates) {
                    gate.trigger();
                }
            });
            trigger.start();
            AtomicInteger runs = new AtomicInteger();
            List<GraphEvent> events = new ArrayList<>();
            for (int i = 0; i < rounds; i++) {
                int other = (i * 7) % rounds;
                events.add(own.task("single", runs::incrementAndGet)
                        .after(gates[i])
                        .dispatch());
                events.add(own.task("double", runs::incrementAndGet)
                        .after(gates[i], gates[other], null, gates[i])
                        .dispatch());
            }
            own.awaitAll(events.toArray(new GraphEvent[0]));
            trigger.join();
            assertThat(runs).hasValue(2 * rounds);
        }
    }

    @Test
    void aTimedOutWaitLeavesNothingBehindThatGrows() {
        GraphEvent event = graph.event("slow");
        for (int i = 0; i < 1_000; i++) {
            assertThat(event.await(Duration.ofNanos(1))).isFalse();
        }
        GraphEvent after = graph.task("after", () -> {}).after(event).dispatch();
        event.trigger();
        after.await();
        event.await();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
