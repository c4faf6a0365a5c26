package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.testing.WaitGraphs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocking regions and the workers that stand in. Whatever is not made up for is a timeout. */
@Timeout(60)
final class BlockingTest {
    private static TaskGraph graph(int workers, int spares) {
        return TaskGraph.builder()
                .name("b")
                .workers(workers)
                .spareWorkers(spares)
                .build();
    }

    @Test
    @SuppressWarnings("try") // a scope is there to be closed
    void aSpareWorkerTakesThePlaceOfABlockedOne(WaitGraphs waits) {
        try (TaskGraph graph = graph(1, 1)) {
            waits.show("graph", graph::describeWaits);
            CountDownLatch latch = new CountDownLatch(1);
            AtomicReference<String> thread = new AtomicReference<>("");
            GraphEvent blocked = graph.task("blocked", () -> {
                        try (BlockingScope scope = graph.beginBlocking("latch")) {
                            latch.await();
                        }
                    })
                    .dispatch();
            graph.task("other", () -> {
                        thread.set(Thread.currentThread().getName());
                        latch.countDown();
                    })
                    .dispatch()
                    .await();
            blocked.await();
            assertThat(thread).hasValue("b-spare-0");
        }
    }

    @Test
    void asManyTasksRunAsThereAreWorkersWhileOthersBlock(WaitGraphs waits) throws Exception {
        try (TaskGraph graph = graph(2, 2)) {
            waits.show("graph", graph::describeWaits);
            CountDownLatch latch = new CountDownLatch(1);
            List<GraphEvent> all = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                all.add(graph.task(
                                "blocked",
                                () -> graph.blocking("latch", () -> {
                                    latch.await();
                                    return 0;
                                }))
                        .dispatch());
            }
            CyclicBarrier meeting = new CyclicBarrier(2);
            for (int i = 0; i < 2; i++) {
                GraphEvent one = graph.task("meets", meeting::await).dispatch();
                all.add(one);
            }
            graph.awaitAll(all.get(2), all.get(3));
            latch.countDown();
            graph.whenAll("all", all).await();
        }
    }

    @Test
    void sparesRestWhenTheRegionsHaveEnded(WaitGraphs waits) {
        try (TaskGraph graph = graph(2, 2)) {
            waits.show("graph", graph::describeWaits);
            for (int round = 0; round < 50; round++) {
                CountDownLatch latch = new CountDownLatch(1);
                List<GraphEvent> blocked = new ArrayList<>();
                for (int i = 0; i < 2; i++) {
                    blocked.add(graph.task(
                                    "blocked",
                                    () -> graph.blocking("latch", () -> {
                                        latch.await();
                                        return 0;
                                    }))
                            .dispatch());
                }
                graph.task("opens", latch::countDown).dispatch().await();
                graph.whenAll("round", blocked).await();
                List<String> threads = Collections.synchronizedList(new ArrayList<>());
                for (int i = 0; i < 20; i++) {
                    graph.task("later", () -> threads.add(Thread.currentThread().getName()))
                            .dispatch()
                            .await();
                }
                // Either spare may have been about to take a task when the last region ended.
                assertThat(threads.stream().filter(name -> name.startsWith("b-spare")))
                        .hasSizeLessThanOrEqualTo(2);
            }
        }
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
    void withoutSpareWorkersARegionOnlySaysWhatHoldsItsWorkerUp() throws InterruptedException {
        try (TaskGraph graph = graph(1, 0)) {
            CountDownLatch inside = new CountDownLatch(1);
            CountDownLatch latch = new CountDownLatch(1);
            GraphEvent blocked = graph.task(
                            "blocked",
                            () -> graph.blocking("read texture", () -> {
                                inside.countDown();
                                latch.await();
                                return 0;
                            }))
                    .dispatch();
            inside.await();
            GraphEvent queued = graph.task("queued", () -> {}).dispatch();
            assertThat(queued.explain().toString())
                    .contains("thread b-worker-0 runs 'blocked' and is in its blocking region 'read texture'");
            latch.countDown();
            graph.awaitAll(blocked, queued);
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

    /** The blocked task keeps its permit: BACKGROUND does not get at the reserved worker by blocking. */
    @Test
    void backgroundWorkThatBlocksGetsNoFurtherWorker(WaitGraphs waits) throws InterruptedException {
        try (TaskGraph graph = TaskGraph.builder()
                .name("b")
                .workers(2)
                .reservedWorkers(1)
                .spareWorkers(2)
                .build()) {
            waits.show("graph", graph::describeWaits);
            CountDownLatch inside = new CountDownLatch(1);
            CountDownLatch latch = new CountDownLatch(1);
            GraphEvent loading = graph.task(
                            "loading",
                            () -> graph.blocking("read", () -> {
                                inside.countDown();
                                latch.await();
                                return 0;
                            }))
                    .on(WorkerLevel.BACKGROUND)
                    .dispatch();
            inside.await();
            GraphEvent second =
                    graph.task("second", () -> {}).on(WorkerLevel.BACKGROUND).dispatch();
            CyclicBarrier meeting = new CyclicBarrier(2);
            GraphEvent a = graph.task("a", meeting::await).dispatch();
            GraphEvent b = graph.task("b", meeting::await).dispatch();
            graph.awaitAll(a, b);
            assertThat(second.isComplete()).isFalse();
            latch.countDown();
            graph.awaitAll(loading, second);
        }
    }

    @Test
    void closingWaitsForARegionAndForWhatItWaitsFor() throws InterruptedException {
        TaskGraph graph = graph(1, 1);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch latch = new CountDownLatch(1);
        GraphEvent blocked = graph.task("blocked", () -> {
                    begun.countDown();
                    goOn.await();
                    graph.blocking("latch", () -> {
                        latch.await();
                        return 0;
                    });
                })
                .dispatch();
        GraphEvent other = graph.task("other", latch::countDown).dispatch();
        begun.await();
        Thread closer = new Thread(graph::close);
        closer.start();
        while (!graph.isClosing()) {
            Thread.onSpinWait();
        }
        goOn.countDown();
        closer.join();
        assertThat(blocked.isComplete()).isTrue();
        assertThat(blocked.isFailed()).isFalse();
        assertThat(other.isFailed()).isFalse();
        for (WorkerThread worker : graph.workers().workers()) {
            assertThat(worker.isAlive()).as(worker.getName()).isFalse();
        }
    }

    @Test
    void slotsOfSpareWorkersAreTheirOwn(WaitGraphs waits) {
        try (TaskGraph graph = graph(2, 2)) {
            waits.show("graph", graph::describeWaits);
            assertThat(graph.slotCount()).isEqualTo(5);
            assertThat(graph.workerCount()).isEqualTo(2);
            AtomicIntegerArray inUse = new AtomicIntegerArray(graph.slotCount());
            Set<String> clashes = ConcurrentHashMap.newKeySet();
            CountDownLatch latch = new CountDownLatch(1);
            List<GraphEvent> blocked = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                blocked.add(graph.task(
                                "blocked",
                                () -> graph.blocking("latch", () -> {
                                    latch.await();
                                    return 0;
                                }))
                        .dispatch());
            }
            graph.parallelFor("pieces", 20_000, 1, (from, to, slot) -> {
                if (inUse.incrementAndGet(slot) != 1 || graph.currentSlot() != slot) {
                    clashes.add("slot " + slot);
                }
                inUse.decrementAndGet(slot);
            });
            latch.countDown();
            graph.whenAll("all", blocked).await();
            assertThat(clashes).isEmpty();
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
        System.setProperty(TaskGraphOptions.SPARES_PROPERTY, "3");
        try (TaskGraph graph = graph(2, 0)) {
            assertThat(graph.slotCount()).isEqualTo(6);
        } finally {
            System.clearProperty(TaskGraphOptions.SPARES_PROPERTY);
        }
    }

    /** A spare that slept when its region ended is woken like any worker, and has to leave the task to others. */
    @Test
    void aSpareThatIsTooManyTakesNothing() throws InterruptedException {
        for (int round = 0; round < 50; round++) {
            AtomicInteger parked = new AtomicInteger();
            TaskObserver counting = new TaskObserver() {
                @Override
                public void threadParked(int ordinal, @Nullable String waitingFor) {
                    parked.incrementAndGet();
                }

                @Override
                public void threadUnparked(int ordinal) {
                    parked.decrementAndGet();
                }
            };
            try (TaskGraph graph = TaskGraph.builder()
                    .workers(1)
                    .spareWorkers(1)
                    .idlePolicy(IdlePolicy.parking())
                    .observer(counting)
                    .build()) {
                CountDownLatch inside = new CountDownLatch(1);
                CountDownLatch leave = new CountDownLatch(1);
                GraphEvent blocks = graph.task(
                                "blocks",
                                () -> graph.blocking("latch", () -> {
                                    inside.countDown();
                                    leave.await();
                                    return 0;
                                }))
                        .dispatch();
                inside.await();
                graph.task("by the spare", () -> {}).dispatch().await();
                awaitParked(parked, 2);
                leave.countDown();
                blocks.await();
                awaitParked(parked, 2);
                Set<String> threads = ConcurrentHashMap.newKeySet();
                GraphEvent[] tasks = new GraphEvent[8];
                for (int i = 0; i < tasks.length; i++) {
                    tasks[i] = graph.task("t" + i, () -> {
                                threads.add(Thread.currentThread().getName());
                                for (int spin = 0; spin < 20_000; spin++) {
                                    Thread.onSpinWait();
                                }
                            })
                            .dispatch();
                }
                graph.awaitAll(tasks);
                assertThat(threads).containsExactly("frameloom-worker-0");
            }
        }
    }

    private static void awaitParked(AtomicInteger parked, int threads) {
        while (parked.get() != threads) {
            Thread.onSpinWait();
        }
    }
}
