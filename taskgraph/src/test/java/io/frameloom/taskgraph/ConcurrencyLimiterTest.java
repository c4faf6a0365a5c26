package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A limiter: limit, slots, order, failures, waits, close. */
@Timeout(60)
final class ConcurrencyLimiterTest {
    @ParameterizedTest
    @CsvSource({"1, 1", "1, 3", "2, 1", "4, 2", "8, 3", "4, 100"})
    void neverMoreThanTheLimitAndNoSlotTwice(int workers, int limit) {
        try (TaskGraph graph = TaskGraph.builder().workers(workers).build()) {
            ConcurrencyLimiter limiter = graph.limiter("l", limit);
            AtomicIntegerArray inUse = new AtomicIntegerArray(limit);
            AtomicInteger clashes = new AtomicInteger();
            AtomicInteger running = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            int[] perSlot = new int[limit];
            ConcurrentLinkedQueue<GraphEvent> launched = new ConcurrentLinkedQueue<>();
            SlotBody body = slot -> {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                if (!inUse.compareAndSet(slot, 0, 1)) {
                    clashes.incrementAndGet();
                }
                perSlot[slot]++;
                inUse.set(slot, 0);
                running.decrementAndGet();
            };
            List<GraphEvent> launchers = new ArrayList<>();
            for (int l = 0; l < 4; l++) {
                launchers.add(graph.task("launcher", () -> {
                            for (int i = 0; i < 2_000; i++) {
                                launched.add(limiter.task("t", body).dispatch());
                            }
                        })
                        .dispatch());
            }
            graph.awaitAll(launchers.toArray(new GraphEvent[0]));
            graph.awaitAll(launched.toArray(new GraphEvent[0]));
            assertThat(clashes).hasValue(0);
            assertThat(most.get()).isBetween(1, limit);
            int sum = 0;
            for (int count : perSlot) {
                sum += count;
            }
            assertThat(sum).as("plain counters, one per slot").isEqualTo(8_000);
        }
    }

    /** The bodies meet: as many as the limit must run at the same time. */
    @Test
    void theWholeLimitIsUsed() {
        try (TaskGraph graph = TaskGraph.builder().workers(4).build()) {
            ConcurrencyLimiter limiter = graph.limiter("l", 3);
            CyclicBarrier meeting = new CyclicBarrier(3);
            List<GraphEvent> events = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                events.add(limiter.task("t", slot -> meeting.await()).dispatch());
            }
            graph.awaitAll(events.toArray(new GraphEvent[0]));
        }
    }

    @Test
    void whatIsNotReadyTakesNoSlot() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            ConcurrencyLimiter limiter = graph.limiter("l", 1);
            GraphEvent gate = graph.event("gate");
            ConcurrentLinkedQueue<String> order = new ConcurrentLinkedQueue<>();
            GraphEvent behind = limiter.task("behind gate", slot -> order.add("behind gate"))
                    .after(gate, gate)
                    .dispatch();
            HeldTask held = limiter.task("held", slot -> order.add("held")).hold();
            limiter.task("free", slot -> order.add("free")).dispatch().await();
            held.release();
            held.event().await();
            gate.trigger();
            behind.await();
            assertThat(order).containsExactly("free", "held", "behind gate");
        }
    }

    @Test
    void aHeldTaskWithAPrerequisiteNeedsBoth() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            ConcurrencyLimiter limiter = graph.limiter("l", 1);
            AtomicInteger ran = new AtomicInteger();
            GraphEvent gate = graph.event("gate");
            HeldTask held = limiter.task("held", slot -> ran.incrementAndGet())
                    .after(gate)
                    .hold();
            gate.trigger();
            limiter.task("other", slot -> {}).dispatch().await();
            assertThat(ran).hasValue(0);
            held.release();
            held.event().await();
            assertThat(ran).hasValue(1);
        }
    }

    @Test
    void aSlotIsKeptUntilTheChildrenAreComplete() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            ConcurrencyLimiter limiter = graph.limiter("l", 1);
            GraphEvent child = graph.event("child");
            GraphEvent[] parent = new GraphEvent[1];
            CountDownLatch returned = new CountDownLatch(1);
            AtomicInteger ran = new AtomicInteger();
            HeldTask held = limiter.task("parent", slot -> {
                        parent[0].dontCompleteUntil(child);
                        returned.countDown();
                    })
                    .hold();
            parent[0] = held.event();
            held.release();
            GraphEvent next =
                    limiter.task("next", slot -> ran.incrementAndGet()).dispatch();
            graph.task("wait", returned::await).dispatch().await();
            assertThat(ran).hasValue(0);
            child.trigger();
            next.await();
        }
    }

    @Test
    void failuresAndSkipsGiveTheSlotBack() {
        ConcurrentLinkedQueue<String> uncaught = new ConcurrentLinkedQueue<>();
        try (TaskGraph graph = TaskGraph.builder()
                .workers(2)
                .uncaughtHandler((task, failure) -> uncaught.add(task))
                .build()) {
            ConcurrencyLimiter limiter = graph.limiter("l", 1);
            GraphEvent failing = limiter.task("failing", slot -> {
                        throw new IllegalStateException("on purpose");
                    })
                    .dispatch();
            GraphEvent skipped =
                    limiter.task("skipped", slot -> {}).after(failing).dispatch();
            GraphEvent anyway = limiter.task("anyway", slot -> {})
                    .after(failing)
                    .onPrerequisiteFailure(FailurePolicy.RUN_ANYWAY)
                    .dispatch();
            limiter.task("forgotten", slot -> {
                        throw new IllegalStateException("unseen");
                    })
                    .fireAndForget();
            anyway.await();
            limiter.task("last", slot -> {}).dispatch().await();
            assertThatThrownBy(skipped::await).hasMessageContaining("on purpose");
            assertThat(uncaught).containsExactly("forgotten");
        }
    }

    /** A skipped task does not queue for a slot: it fails although the only slot never comes back. */
    @Test
    void aSkippedTaskWaitsForNoSlot() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            ConcurrencyLimiter limiter = graph.limiter("l", 1);
            GraphEvent broken = graph.event("broken");
            CountDownLatch leave = new CountDownLatch(1);
            limiter.task("occupant", slot -> leave.await()).dispatch();
            GraphEvent skipped =
                    limiter.task("skipped", slot -> {}).after(broken).dispatch();
            broken.fail(new IllegalStateException("input"));
            assertThatThrownBy(skipped::await).hasMessageContaining("input");
            leave.countDown();
        }
    }

    /** The only worker waits for a task that has no slot: it must run the tasks that have one. */
    @Test
    void aWaitingWorkerRunsTheHoldersOfTheSlots() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            ConcurrencyLimiter limiter = graph.limiter("l", 2);
            // The tasks that nobody waits for may still run.
            List<Integer> order = new CopyOnWriteArrayList<>();
            graph.task("waiter", () -> {
                        List<GraphEvent> events = new ArrayList<>();
                        for (int i = 0; i < 20; i++) {
                            int id = i;
                            events.add(limiter.task("t", slot -> order.add(id)).dispatch());
                        }
                        events.get(19).await();
                    })
                    .dispatch()
                    .await();
            assertThat(order).contains(19).doesNotHaveDuplicates();
        }
    }

    /** With two slots a task may wait for another one, since that one can get the other slot. */
    @Test
    void aTaskMayWaitForAnotherThatCanGetASlot() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            ConcurrencyLimiter limiter = graph.limiter("l", 2);
            AtomicInteger ran = new AtomicInteger();
            limiter.task("outer", slot -> {
                        limiter.task("other", s -> ran.incrementAndGet()).dispatch();
                        limiter.task("inner", s -> ran.addAndGet(10)).dispatch().await();
                    })
                    .dispatch()
                    .await();
            assertThat(ran).hasValue(11);
        }
    }

    @Test
    void closeFailsWhatWaitsForASlotInALoop() {
        TaskGraph graph = TaskGraph.builder().workers(1).build();
        ConcurrencyLimiter limiter = graph.limiter("l", 1);
        AtomicInteger ran = new AtomicInteger();
        List<GraphEvent> events = new ArrayList<>();
        events.add(limiter.task("unpumped", slot -> ran.incrementAndGet())
                .on(NamedThread.RHI)
                .dispatch());
        for (int i = 0; i < 100_000; i++) {
            events.add(limiter.task("t", slot -> ran.incrementAndGet()).dispatch());
        }
        graph.close();
        assertThat(ran).hasValue(0);
        assertThat(events).allMatch(e -> e.failure() instanceof TaskGraphClosedException);
        assertThatThrownBy(() -> limiter.task("late", slot -> {}).dispatch())
                .isInstanceOf(TaskGraphClosedException.class);
    }

    @Test
    @NullUnmarked
    @SuppressWarnings("NullAway")
    void badInput() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build();
                TaskGraph other = TaskGraph.builder().workers(1).build()) {
            assertThatThrownBy(() -> graph.limiter("l", 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'l'")
                    .hasMessageContaining("0");
            assertThatThrownBy(() -> graph.limiter("", 1)).isInstanceOf(IllegalArgumentException.class);
            ConcurrencyLimiter limiter = graph.limiter("l", 1);
            assertThat(limiter.limit()).isEqualTo(1);
            assertThat(limiter.name()).isEqualTo("l");
            assertThatThrownBy(() -> limiter.task("t", null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("task 't': body must not be null");
            assertThatThrownBy(() -> limiter.task(" ", slot -> {})).isInstanceOf(IllegalArgumentException.class);
            GraphEvent foreign = other.event("foreign");
            assertThatThrownBy(() -> limiter.task("t", slot -> {}).after(foreign))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'foreign'");
        }
    }
}
