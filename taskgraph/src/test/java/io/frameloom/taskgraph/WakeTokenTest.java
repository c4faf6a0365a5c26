package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.testing.WaitGraphs;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Race 16: a wake-up that reaches a thread which may not run the task strands neither that task nor
 * another one. A stranded task is a timeout.
 */
@Timeout(60)
final class WakeTokenTest {
    private static final NamedThread LANE = NamedThread.of("LANE");
    private static final int ROUNDS = 1_000;

    /** The wait inside "outer" serves only the local queue; it is woken for the main queue and may not take it. */
    @Test
    void aWakeConsumedByANestedWaitDoesNotStrandTheMainQueue(WaitGraphs waits) {
        Semaphore parkedInOuter = new Semaphore(0);
        TaskObserver observer = new TaskObserver() {
            @Override
            public void threadParked(int threadOrdinal, @Nullable String waitingFor) {
                if ("gate".equals(waitingFor)) {
                    parkedInOuter.release();
                }
            }
        };
        try (TaskGraph graph = TaskGraph.builder()
                .workers(1)
                .idlePolicy(IdlePolicy.parking())
                .observer(observer)
                .build()) {
            waits.show("graph", graph::describeWaits);
            graph.start(LANE);
            AtomicInteger ranInside = new AtomicInteger();
            AtomicInteger inside = new AtomicInteger();
            for (int round = 0; round < ROUNDS; round++) {
                GraphEvent gate = graph.event("gate");
                GraphEvent outer = graph.task("outer", () -> {
                            inside.set(1);
                            gate.await();
                            inside.set(0);
                        })
                        .on(LANE)
                        .dispatch();
                parkedInOuter.acquireUninterruptibly();
                GraphEvent main = graph.task("main", () -> ranInside.addAndGet(inside.get()))
                        .on(LANE)
                        .dispatch();
                gate.trigger();
                outer.await();
                main.await();
                parkedInOuter.drainPermits();
            }
            assertThat(ranInside).hasValue(0);
        }
    }

    /**
     * The only background permit is out, so the free worker is woken for a background task that it may not
     * take. It still runs what comes at a higher level, and the background task runs afterwards.
     */
    @Test
    void aWakeConsumedByAWorkerWithoutABackgroundPermitStrandsNothing(WaitGraphs waits) {
        try (TaskGraph graph = TaskGraph.builder()
                .workers(2)
                .reservedWorkers(1)
                .idlePolicy(IdlePolicy.parking())
                .build()) {
            waits.show("graph", graph::describeWaits);
            for (int round = 0; round < ROUNDS; round++) {
                CountDownLatch holding = new CountDownLatch(1);
                CountDownLatch letGo = new CountDownLatch(1);
                GraphEvent holder = graph.task("holds the permit", () -> {
                            holding.countDown();
                            letGo.await();
                        })
                        .on(WorkerLevel.BACKGROUND)
                        .dispatch();
                awaitUninterruptibly(holding);
                GraphEvent background = graph.task("background", () -> {})
                        .on(WorkerLevel.BACKGROUND)
                        .dispatch();
                graph.task("normal", () -> {}).dispatch().await();
                assertThat(background.isComplete()).isFalse();
                letGo.countDown();
                background.await();
                holder.await();
            }
        }
    }

    /** A task that everybody who is awake is barred from wakes the worker that waits for just this task. */
    @Test
    void aBlockedWorkerGetsTheWakeOfTheTaskThatOnlyItCanRun(WaitGraphs waits) {
        try (TaskGraph graph =
                TaskGraph.builder().workers(1).idlePolicy(IdlePolicy.parking()).build()) {
            waits.show("graph", graph::describeWaits);
            for (int round = 0; round < ROUNDS; round++) {
                GraphEvent gate = graph.event("gate");
                GraphEvent behind = graph.task("behind", () -> {}).after(gate).dispatch();
                GraphEvent waiting = graph.task("waiting", behind::await).dispatch();
                gate.trigger();
                waiting.await();
            }
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while waiting for the background task", e);
        }
    }
}
