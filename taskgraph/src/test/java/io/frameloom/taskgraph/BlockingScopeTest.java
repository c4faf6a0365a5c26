package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.testing.WaitGraphs;
import java.io.IOException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A blocking region as an object: where it begins and ends, what it reports, and what it refuses. */
@Timeout(60)
final class BlockingScopeTest {
    private static TaskGraph graph(int workers, int spares) {
        return TaskGraph.builder()
                .name("b")
                .workers(workers)
                .spareWorkers(spares)
                .build();
    }

    @Test
    @SuppressWarnings("try") // a scope is there to be closed
    void nestedRegionsAreOne() throws InterruptedException {
        try (TaskGraph graph = graph(1, 2)) {
            CountDownLatch inside = new CountDownLatch(1);
            CountDownLatch latch = new CountDownLatch(1);
            GraphEvent blocked = graph.task("blocked", () -> {
                        try (BlockingScope outer = graph.beginBlocking("outer")) {
                            try (BlockingScope inner = graph.beginBlocking("inner")) {
                                inside.countDown();
                                latch.await();
                            }
                        }
                    })
                    .dispatch();
            inside.await();
            graph.task("other", () -> {}).dispatch().await();
            assertThat(graph.describeWaits())
                    .contains("in blocking region 'inner'")
                    .contains("spare worker b-spare-0: ")
                    .doesNotContain("b-spare-1");
            latch.countDown();
            blocked.await();
        }
    }

    @Test
    void onOtherThreadsNothingHappens() throws Exception {
        try (TaskGraph graph = graph(1, 1);
                TaskGraph other = graph(1, 1)) {
            assertThat(graph.<Integer>blocking("here", () -> 5)).isEqualTo(5);
            graph.attach(NamedThread.GAME);
            graph.blocking("named", () -> 0);
            graph.detach(NamedThread.GAME);
            other.task("of another graph", () -> graph.blocking("foreign", () -> 0))
                    .dispatch()
                    .await();
            assertThat(graph.describeWaits()).doesNotContain("b-spare");
            assertThat(other.describeWaits()).doesNotContain("b-spare");
        }
    }

    @Test
    void whatTheCallableThrowsComesOutAndEndsTheRegion() {
        try (TaskGraph graph = graph(1, 1)) {
            GraphEvent failing = graph.task(
                            "failing",
                            () -> graph.blocking("read", () -> {
                                throw new IOException("no such file");
                            }))
                    .dispatch();
            assertThatThrownBy(failing::await).hasCauseInstanceOf(IOException.class);
            assertThat(graph.describeWaits()).doesNotContain("in blocking region");
        }
    }

    @Test
    void aRegionLeftOpenIsReportedAndEnded(WaitGraphs waits) throws InterruptedException {
        AtomicReference<String> task = new AtomicReference<>("");
        AtomicReference<Throwable> failure = new AtomicReference<>();
        CountDownLatch reported = new CountDownLatch(1);
        try (TaskGraph graph = TaskGraph.builder()
                .workers(1)
                .spareWorkers(1)
                .uncaughtHandler((name, thrown) -> {
                    task.set(name);
                    failure.set(thrown);
                    reported.countDown();
                })
                .build()) {
            waits.show("graph", graph::describeWaits);
            graph.task("careless", () -> {
                        graph.beginBlocking("outer");
                        graph.beginBlocking("inner");
                    })
                    .dispatch()
                    .await();
            reported.await();
            graph.task("after", () -> {}).dispatch().await();
            assertThat(task).hasValue("blocking region 'outer' of task 'careless'");
            assertThat(failure.get())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'careless'")
                    .hasMessageContaining("'outer'");
            assertThat(graph.describeWaits()).doesNotContain("in blocking region");
        }
    }

    @Test
    void aRegionEndsOnItsOwnThreadAndInItsPlace() {
        try (TaskGraph graph = graph(1, 1)) {
            AtomicReference<BlockingScope> opened = new AtomicReference<>();
            CountDownLatch tried = new CountDownLatch(1);
            CountDownLatch open = new CountDownLatch(1);
            GraphEvent task = graph.task("task", () -> {
                        BlockingScope outer = graph.beginBlocking("outer");
                        BlockingScope inner = graph.beginBlocking("inner");
                        opened.set(outer);
                        open.countDown();
                        tried.await();
                        assertThatThrownBy(outer::close)
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageContaining("'outer'")
                                .hasMessageContaining("'inner'");
                        inner.close();
                        inner.close();
                        outer.close();
                        outer.close();
                    })
                    .dispatch();
            open.await();
            assertThatThrownBy(() -> Objects.requireNonNull(opened.get()).close())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'outer'")
                    .hasMessageContaining("b-worker-0");
            tried.countDown();
            task.await();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    @Test
    void observersSeeRegionsAsParksAndSpareWorkersByTheirOrdinals() {
        Set<String> seen = ConcurrentHashMap.newKeySet();
        TaskObserver observer = new TaskObserver() {
            @Override
            public void taskStarted(String task, ExecutionTarget target, int threadOrdinal) {
                seen.add(task + " on " + threadOrdinal);
            }

            @Override
            public void threadParked(int threadOrdinal, @Nullable String waitingFor) {
                seen.add(threadOrdinal + " parks for " + waitingFor);
            }
        };
        try (TaskGraph graph = TaskGraph.builder()
                .workers(1)
                .spareWorkers(1)
                .observer(observer)
                .build()) {
            graph.start(NamedThread.RENDER);
            CountDownLatch latch = new CountDownLatch(1);
            GraphEvent blocked = graph.task(
                            "blocked",
                            () -> graph.blocking("read texture", () -> {
                                latch.await();
                                return 0;
                            }))
                    .dispatch();
            GraphEvent opens = graph.task("opens", latch::countDown).dispatch();
            GraphEvent draws =
                    graph.task("draws", () -> {}).on(NamedThread.RENDER).dispatch();
            graph.awaitAll(blocked, opens, draws);
        }
        assertThat(seen).contains("blocked on 0", "0 parks for read texture", "opens on 1", "draws on 2");
    }

    @Test
    @SuppressWarnings("NullAway") // what it must not be given is the point
    void badInputIsRefused() {
        assertThatThrownBy(() -> TaskGraph.builder().spareWorkers(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("spareWorkers");
        assertThatThrownBy(() -> TaskGraph.builder().spareWorkers(1000)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(
                        () -> TaskGraph.builder().workers(600).spareWorkers(401).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("600 workers and 401 spare ones");
        try (TaskGraph graph = graph(1, 1)) {
            assertThatThrownBy(() -> graph.beginBlocking(" "))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("a blocking region");
            assertThatThrownBy(() -> graph.beginBlocking(null)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> graph.blocking("name", null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("blocking region 'name': callable must not be null");
        }
    }

    @Test
    void theSystemPropertyOverridesTheBuilder() {
        System.setProperty("frameloom.taskgraph.spareWorkers", "3");
        try (TaskGraph graph = graph(2, 0)) {
            assertThat(graph.slotCount()).isEqualTo(6);
        } finally {
            System.clearProperty("frameloom.taskgraph.spareWorkers");
        }
    }
}
