package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.testing.WaitGraphs;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class BroadcastTest {
    private final List<String> ran = Collections.synchronizedList(new ArrayList<>());

    private void note() {
        ran.add(Thread.currentThread().getName());
    }

    private static TaskGraph graph(int workers) {
        return TaskGraph.builder().name("b").workers(workers).build();
    }

    @Test
    void everyWorkerAndEveryAttachedThreadRunsItOnce() {
        try (TaskGraph graph =
                TaskGraph.builder().name("b").workers(3).spareWorkers(2).build()) {
            graph.attach(NamedThread.GAME);
            graph.start(NamedThread.RENDER);
            GraphEvent all = graph.broadcast("set up", this::note);
            all.await();
            graph.broadcast("set up again", this::note).await();
            graph.detach(NamedThread.GAME);
        }
        String self = Thread.currentThread().getName();
        List<String> once =
                List.of("b-worker-0", "b-worker-1", "b-worker-2", "b-spare-0", "b-spare-1", "b-RENDER", self);
        List<String> twice = new ArrayList<>(once);
        twice.addAll(once);
        assertThat(ran).containsExactlyInAnyOrderElementsOf(twice);
    }

    @Test
    void itBeginsBehindItsPrerequisites() {
        try (TaskGraph graph = graph(2)) {
            GraphEvent first = graph.event("first");
            AtomicInteger before = new AtomicInteger();
            GraphEvent second = graph.task("second", before::incrementAndGet).dispatch();
            GraphEvent all = graph.broadcast(
                    "set up",
                    () -> {
                        if (!first.isComplete() || before.get() != 1) {
                            throw new IllegalStateException("too early");
                        }
                        note();
                    },
                    first,
                    null,
                    second);
            assertThat(all.isComplete()).isFalse();
            first.trigger();
            all.await();
            assertThat(ran).containsExactlyInAnyOrder("b-worker-0", "b-worker-1");
        }
    }

    @Test
    void nothingRunsBehindAFailedPrerequisite() {
        try (TaskGraph graph = graph(2)) {
            GraphEvent broken = graph.event("broken");
            GraphEvent all = graph.broadcast("set up", this::note, broken);
            broken.fail(new IOException("no driver"));
            assertThatThrownBy(all::await)
                    .isInstanceOf(TaskFailedException.class)
                    .hasCauseInstanceOf(PrerequisiteFailedException.class)
                    .hasMessageContaining("'set up'");
            assertThat(ran).isEmpty();
        }
    }

    @Test
    void theFirstFailureCarriesTheOthers() {
        try (TaskGraph graph = graph(3)) {
            GraphEvent all = graph.broadcast("set up", () -> {
                note();
                throw new IOException("on " + Thread.currentThread().getName());
            });
            assertThatThrownBy(all::await).hasCauseInstanceOf(IOException.class);
            Throwable failure = Objects.requireNonNull(all.failure());
            assertThat(ran).hasSize(3);
            assertThat(failure.getSuppressed()).hasSize(2).allMatch(IOException.class::isInstance);
        }
    }

    @Test
    void oneThrowableThrownByAllIsNotSuppressedByItself() {
        try (TaskGraph graph = graph(3)) {
            IOException shared = new IOException("shared");
            GraphEvent all = graph.broadcast("set up", () -> {
                throw shared;
            });
            assertThatThrownBy(all::await).hasCause(shared);
            assertThat(shared.getSuppressed()).isEmpty();
        }
    }

    @Test
    void aTaskCanWaitForItsOwnBroadcast(WaitGraphs waits) {
        try (TaskGraph graph = graph(1)) {
            waits.show("graph", graph::describeWaits);
            GraphEvent task = graph.task("outer", () -> {
                        graph.broadcast("set up", this::note).await();
                        ran.add("outer");
                    })
                    .dispatch();
            task.await();
            assertThat(ran).containsExactly("b-worker-0", "outer");
        }
    }

    @Test
    void aNamedThreadCanWaitForItsOwnBroadcast(WaitGraphs waits) {
        try (TaskGraph graph = graph(1)) {
            waits.show("graph", graph::describeWaits);
            graph.start(NamedThread.RHI);
            graph.task("outer", () -> graph.broadcast("set up", this::note).await())
                    .on(NamedThread.RHI)
                    .dispatch()
                    .await();
            assertThat(ran).containsExactlyInAnyOrder("b-worker-0", "b-RHI");
        }
    }

    @Test
    void aBodyCannotWaitForItsOwnBroadcast() {
        try (TaskGraph graph = graph(1)) {
            GraphEvent begin = graph.event("begin");
            @Nullable GraphEvent[] self = new GraphEvent[1];
            GraphEvent all = graph.broadcast(
                    "set up", () -> Objects.requireNonNull(self[0]).await(), begin);
            self[0] = all;
            begin.trigger();
            assertThatThrownBy(all::await)
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'set up'")
                    .hasMessageContaining("depends on");
        }
    }

    @Test
    void aWorkerRunsItBetweenTheTasksOfAChain() {
        try (TaskGraph graph = graph(1)) {
            GraphEvent begin = graph.event("begin");
            GraphEvent last = begin;
            List<GraphEvent> broadcasts = Collections.synchronizedList(new ArrayList<>());
            for (int i = 0; i < 20; i++) {
                int number = i;
                last = graph.task("link " + i, () -> {
                            ran.add("link " + number);
                            if (number == 10) {
                                broadcasts.add(graph.broadcast("set up", this::note));
                            }
                        })
                        .after(last)
                        .dispatch();
            }
            begin.trigger();
            last.await();
            broadcasts.get(0).await();
            assertThat(ran.indexOf("b-worker-0")).isEqualTo(ran.indexOf("link 10") + 1);
        }
    }

    @Test
    void detachingRunsWhatIsLeftAndLaterThreadsDoNot() {
        try (TaskGraph graph = graph(1)) {
            graph.attach(NamedThread.GAME);
            GraphEvent all = graph.broadcast("set up", this::note);
            String self = Thread.currentThread().getName();
            assertThat(ran).doesNotContain(self);
            graph.detach(NamedThread.GAME);
            all.await();
            assertThat(ran).containsExactlyInAnyOrder("b-worker-0", self);
            graph.attach(NamedThread.GAME);
            assertThat(graph.processUntilIdle(NamedThread.GAME)).isZero();
            assertThat(ran).hasSize(2);
            graph.detach(NamedThread.GAME);
        }
    }

    @Test
    void closingFailsTheShareOfAThreadThatDoesNotGetToIt() throws InterruptedException {
        TaskGraph graph = graph(1);
        CountDownLatch attached = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        Thread lazy = new Thread(() -> {
            graph.attach(NamedThread.GAME);
            attached.countDown();
            try {
                closed.await();
            } catch (InterruptedException e) {
                throw new AssertionError("interrupted", e);
            }
            graph.detach(NamedThread.GAME);
        });
        lazy.start();
        attached.await();
        GraphEvent all = graph.broadcast("set up", this::note);
        String why = all.explain().toString();
        while (!why.contains("does not process its queue")) {
            // The worker's share comes first as long as it is not complete.
            why = all.explain().toString();
        }
        assertThat(why).contains("GAME");
        graph.close();
        closed.countDown();
        lazy.join();
        assertThat(all.isComplete()).isTrue();
        assertThat(all.failure())
                .isInstanceOf(TaskGraphClosedException.class)
                .hasMessageContaining("'set up")
                .hasMessageContaining("GAME");
        assertThat(ran).containsExactly("b-worker-0");
    }

    @Test
    void aClosedGraphRefusesIt() {
        TaskGraph graph = graph(1);
        graph.close();
        assertThatThrownBy(() -> graph.broadcast("set up", this::note))
                .isInstanceOf(TaskGraphClosedException.class)
                .hasMessageContaining("'set up'");
    }

    @Test
    @SuppressWarnings("NullAway") // what it must not be given is the point
    void badInputIsRefused() {
        try (TaskGraph graph = graph(1);
                TaskGraph other = graph(1)) {
            assertThatThrownBy(() -> graph.broadcast(" ", this::note))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("a broadcast");
            assertThatThrownBy(() -> graph.broadcast(null, this::note)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> graph.broadcast("set up", null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("body");
            assertThatThrownBy(() -> graph.broadcast("set up", this::note, other.event("foreign")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'foreign'")
                    .hasMessageContaining("'set up'");
        }
    }

    @Test
    void aBusyWorkerIsNamedAsTheReason() throws InterruptedException {
        try (TaskGraph graph = graph(1)) {
            CountDownLatch busy = new CountDownLatch(1);
            CountDownLatch letGo = new CountDownLatch(1);
            graph.task("long", () -> {
                        busy.countDown();
                        letGo.await();
                    })
                    .fireAndForget();
            busy.await();
            GraphEvent all = graph.broadcast("set up", this::note);
            assertThat(all.explain().toString())
                    .contains("'set up on b-worker-0'")
                    .contains("between two of its tasks")
                    .contains("runs 'long'");
            letGo.countDown();
            all.await();
        }
    }

    @Test
    void waitingForATaskThatWaitsForABroadcastIsExplainedAsACycle() {
        try (TaskGraph graph = graph(2)) {
            GraphEvent begin = graph.event("begin");
            GraphEvent all = graph.broadcast("set up", this::note, begin);
            CountDownLatch innerRuns = new CountDownLatch(1);
            AtomicBoolean seen = new AtomicBoolean();
            GraphEvent inner = graph.task("inner", () -> {
                        innerRuns.countDown();
                        all.await();
                    })
                    .dispatch();
            GraphEvent outer = graph.task("outer", () -> {
                        innerRuns.await();
                        boolean ended = false;
                        while (!ended && !seen.get()) {
                            ended = inner.await(Duration.ofMillis(50));
                        }
                    })
                    .dispatch();
            while (!graph.describeWaits().contains("runs 'outer', waits for 'inner'")) {
                Thread.onSpinWait();
            }
            begin.trigger();
            StallExplanation why = outer.explain();
            while (!why.isCycle()) {
                why = outer.explain();
            }
            seen.set(true);
            assertThat(why.toString()).contains("'set up on b-worker-").contains("'inner'");
            graph.awaitAll(outer, all);
        }
    }

    @Test
    void inheritedValuesReachEveryThread() {
        InheritedValue<String> device = InheritedValue.named("device");
        Set<Object> seen = ConcurrentHashMap.newKeySet();
        try (TaskGraph graph = graph(2)) {
            GraphEvent[] all = new GraphEvent[1];
            device.where("gpu0", () -> {
                all[0] = graph.broadcast("set up", () -> seen.add(device.get()));
            });
            all[0].await();
        }
        assertThat(seen).containsExactly("gpu0");
    }

    @Test
    void everyWorkerHasItsSlot() {
        try (TaskGraph graph =
                TaskGraph.builder().name("b").workers(2).spareWorkers(2).build()) {
            AtomicReferenceArray<String> arenas = new AtomicReferenceArray<>(graph.slotCount());
            graph.broadcast(
                            "arenas",
                            () -> arenas.set(
                                    graph.currentSlot(), Thread.currentThread().getName()))
                    .await();
            assertThat(arenas).hasToString("[b-worker-0, b-worker-1, b-spare-0, b-spare-1, null]");
            assertThat(graph.currentSlot()).isEqualTo(graph.slotCount() - 1);
        }
    }
}
