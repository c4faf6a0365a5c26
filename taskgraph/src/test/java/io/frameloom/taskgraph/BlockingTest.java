package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.taskgraph.worker.WorkerThread;
import io.frameloom.testing.WaitGraphs;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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
        while (!graph.parts.isClosing()) {
            Thread.onSpinWait();
        }
        goOn.countDown();
        closer.join();
        assertThat(blocked.isComplete()).isTrue();
        assertThat(blocked.isFailed()).isFalse();
        assertThat(other.isFailed()).isFalse();
        for (WorkerThread worker : graph.parts.workers().workers()) {
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
