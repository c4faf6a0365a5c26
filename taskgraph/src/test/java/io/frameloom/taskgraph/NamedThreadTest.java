package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.testing.WaitGraphs;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Named threads: pumping, the local queue, return requests, attaching (races 10 to 13 and 20 to 23). */
@Timeout(60)
final class NamedThreadTest {
    private static final NamedThread AUDIO = NamedThread.of("AUDIO");

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
    void aThreadThatIsStartedAgainAndAgainIsNotKept() throws InterruptedException {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            for (int i = 0; i < 20; i++) {
                Thread started = graph.start(NamedThread.RENDER);
                graph.requestReturn(NamedThread.RENDER);
                started.join();
            }
            assertThat(graph.parts.lifecycle().startedThreads()).isEqualTo(1);
        }
    }

    @Test
    void tellsWhichThreadIsAttached() throws InterruptedException {
        assertThat(graph.attachedThread(AUDIO)).isNull();
        graph.attach(AUDIO);
        assertThat(graph.attachedThread(AUDIO)).isSameAs(Thread.currentThread());
        assertThat(graph.attachedThread(NamedThread.GAME)).isNull();
        graph.detach(AUDIO);
        assertThat(graph.attachedThread(AUDIO)).isNull();
        Thread started = graph.start(AUDIO);
        assertThat(graph.attachedThread(AUDIO)).isSameAs(started);
        graph.close();
        started.join();
        assertThat(graph.attachedThread(AUDIO)).isNull();
    }

    @Test
    void namedThreadsAreValues() {
        assertThat(NamedThread.of("GAME")).isEqualTo(NamedThread.GAME).hasSameHashCodeAs(NamedThread.GAME);
        assertThat(NamedThread.of("GAME").local()).isEqualTo(NamedThread.GAME.local());
        assertThat((Object) NamedThread.GAME.local()).isNotEqualTo(NamedThread.GAME);
        assertThat(NamedThread.GAME.local()).hasToString("GAME.local");
    }

    @Test
    void attachingIsExclusiveAndChecked() throws InterruptedException {
        graph.attach(NamedThread.GAME);
        assertThatThrownBy(() -> graph.attach(AUDIO))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("GAME");
        AtomicReference<Throwable> seen = new AtomicReference<>();
        Thread second = new Thread(() -> {
            try {
                graph.attach(NamedThread.GAME);
            } catch (IllegalStateException e) {
                seen.set(e);
            }
        });
        second.start();
        second.join();
        assertThat(seen.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("GAME is taken");
        graph.detach(NamedThread.GAME);
        assertThatThrownBy(() -> graph.detach(NamedThread.GAME)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> graph.processUntilIdle(NamedThread.GAME)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> graph.start(NamedThread.GAME)).isInstanceOf(IllegalArgumentException.class);
        graph.start(AUDIO);
        assertThatThrownBy(() -> graph.start(AUDIO)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void tasksSentBeforeAnybodyAttachesWait() {
        GraphEvent event = graph.task("early", () -> {}).on(AUDIO).dispatch();
        assertThat(event.isComplete()).isFalse();
        graph.start(AUDIO);
        event.await();
    }

    @Test
    void aWaitRunsTheLocalQueueAndNotTheMainQueue() {
        List<String> ran = new CopyOnWriteArrayList<>();
        graph.attach(NamedThread.GAME);
        graph.task("outer", () -> {
                    ran.add("outer begins");
                    graph.task("main", () -> ran.add("main"))
                            .on(NamedThread.GAME)
                            .dispatch();
                    GraphEvent local = graph.task("local", () -> ran.add("local"))
                            .on(NamedThread.GAME.local())
                            .after(graph.task("worker", () -> {}).dispatch())
                            .dispatch();
                    local.await();
                    ran.add("outer ends");
                })
                .on(NamedThread.GAME)
                .dispatch();
        assertThat(graph.processUntilIdle(NamedThread.GAME)).isEqualTo(2);
        assertThat(ran).containsExactly("outer begins", "local", "outer ends", "main");
    }

    @Test
    void waitingForTheOwnMainQueueIsDiagnosed() {
        graph.attach(NamedThread.GAME);
        GraphEvent main = graph.task("main work", () -> {}).on(NamedThread.GAME).dispatch();
        GraphEvent behind = graph.task("behind", () -> {}).after(main).dispatch();
        assertThatThrownBy(main::await)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'main work'")
                .hasMessageContaining("GAME.local()");
        assertThatThrownBy(behind::await)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'behind'")
                .hasMessageContaining("'main work'");
        assertThat(graph.processUntilIdle(NamedThread.GAME)).isEqualTo(1);
        behind.await();
    }

    @Test
    void aReturnRequestLetsEarlierWorkRunFirst() {
        graph.attach(NamedThread.GAME);
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 10; i++) {
            graph.task("t", ran::incrementAndGet).on(NamedThread.GAME).dispatch();
        }
        graph.requestReturn(NamedThread.GAME);
        graph.task("later", ran::incrementAndGet).on(NamedThread.GAME).dispatch();
        graph.processUntilReturnRequested(NamedThread.GAME);
        assertThat(ran).hasValue(10);
        assertThat(graph.processUntilIdle(NamedThread.GAME)).isEqualTo(1);
    }

    @Test
    void aNestedPumpDoesNotEatTheOutersRequest() {
        graph.attach(NamedThread.GAME);
        List<String> order = new CopyOnWriteArrayList<>();
        graph.task("outer", () -> {
                    graph.requestReturn(NamedThread.GAME);
                    graph.task("inner", () -> {
                                order.add("inner");
                                graph.requestReturn(NamedThread.GAME);
                            })
                            .on(NamedThread.GAME)
                            .dispatch();
                    graph.processUntilReturnRequested(NamedThread.GAME);
                    order.add("nested pump returned");
                })
                .on(NamedThread.GAME)
                .dispatch();
        graph.processUntilReturnRequested(NamedThread.GAME);
        order.add("outer pump returned");
        assertThat(order).containsExactly("inner", "nested pump returned", "outer pump returned");
        assertThat(graph.processUntilIdle(NamedThread.GAME)).isZero();
    }

    @Test
    void processUntilIdleKeepsRequestsForThePump() {
        graph.attach(NamedThread.GAME);
        graph.requestReturn(NamedThread.GAME);
        graph.requestReturn(NamedThread.GAME);
        assertThat(graph.processUntilIdle(NamedThread.GAME)).isZero();
        graph.processUntilReturnRequested(NamedThread.GAME);
        graph.processUntilReturnRequested(NamedThread.GAME);
    }

    @Test
    void returnRequestsRaceWithTasksWithoutLossOfEither() throws InterruptedException {
        int rounds = 5_000;
        AtomicInteger ran = new AtomicInteger();
        Thread sender = new Thread(() -> {
            for (int i = 0; i < rounds; i++) {
                graph.task("t", ran::incrementAndGet).on(AUDIO).dispatch();
                graph.requestReturn(AUDIO);
            }
        });
        graph.attach(AUDIO);
        sender.start();
        for (int i = 0; i < rounds; i++) {
            graph.processUntilReturnRequested(AUDIO);
        }
        sender.join();
        graph.processUntilIdle(AUDIO);
        assertThat(ran).hasValue(rounds);
    }

    @Test
    void processUntilIdleSeesEverythingSentBefore() throws InterruptedException {
        graph.attach(AUDIO);
        AtomicInteger ran = new AtomicInteger();
        for (int round = 1; round <= 300; round++) {
            Thread a = new Thread(
                    () -> graph.task("a", ran::incrementAndGet).on(AUDIO).dispatch());
            Thread b = new Thread(() ->
                    graph.task("b", ran::incrementAndGet).on(AUDIO.local()).dispatch());
            a.start();
            b.start();
            a.join();
            b.join();
            assertThat(graph.processUntilIdle(AUDIO)).isEqualTo(2);
            assertThat(ran).hasValue(2 * round);
        }
    }

    @Test
    void detachAndAttachElsewhereLoseNothing() throws InterruptedException {
        int each = 2_000;
        int pumps = 3;
        AtomicInteger ran = new AtomicInteger();
        AtomicInteger wrongThread = new AtomicInteger();
        AtomicReference<Thread> owner = new AtomicReference<>();
        Thread sender = new Thread(() -> {
            for (int i = 0; i < each; i++) {
                graph.task("t", () -> {
                            if (owner.get() != Thread.currentThread()) {
                                wrongThread.incrementAndGet();
                            }
                            ran.incrementAndGet();
                        })
                        .on(AUDIO)
                        .dispatch();
            }
        });
        sender.start();
        for (int p = 0; p < pumps; p++) {
            Thread pump = new Thread(() -> {
                graph.attach(AUDIO);
                owner.set(Thread.currentThread());
                for (int i = 0; i < 50; i++) {
                    graph.processUntilIdle(AUDIO);
                }
                graph.detach(AUDIO);
            });
            pump.start();
            pump.join();
        }
        sender.join();
        graph.attach(AUDIO);
        owner.set(Thread.currentThread());
        graph.processUntilIdle(AUDIO);
        assertThat(ran).hasValue(each);
        assertThat(wrongThread).hasValue(0);
    }

    @Test
    void aStartedThreadParksAndWakesWithoutLosingTasks() {
        graph.start(AUDIO);
        for (int i = 0; i < 3_000; i++) {
            graph.task("t", () -> {})
                    .on(i % 2 == 0 ? AUDIO : AUDIO.local())
                    .priority(i % 3 == 0 ? TaskPriority.HIGH : TaskPriority.NORMAL)
                    .dispatch()
                    .await();
        }
    }

    @Test
    void interruptingAPumpNeitherEndsItNorLosesTheInterrupt() throws InterruptedException {
        CountDownLatch attached = new CountDownLatch(1);
        AtomicReference<Boolean> interrupted = new AtomicReference<>();
        Thread pump = new Thread(() -> {
            graph.attach(AUDIO);
            attached.countDown();
            graph.processUntilReturnRequested(AUDIO);
            interrupted.set(Thread.currentThread().isInterrupted());
        });
        pump.start();
        attached.await();
        pump.interrupt();
        graph.task("t", () -> {}).on(AUDIO).dispatch().await();
        graph.requestReturn(AUDIO);
        pump.join();
        assertThat(interrupted).hasValue(true);
    }
}
