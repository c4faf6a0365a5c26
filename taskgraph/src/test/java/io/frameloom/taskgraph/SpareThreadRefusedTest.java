package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The system has no thread left when a spare worker is to start. */
final class SpareThreadRefusedTest {
    /** The operating system's threads, of which spare workers get none for now. */
    private static final class RefusingScheduler extends OperatingSystemThreads {
        volatile boolean refuses = true;

        @Override
        public void start(Thread thread) {
            if (refuses && thread.getName().contains("-spare-")) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            thread.start();
        }
    }

    private final RefusingScheduler scheduler = new RefusingScheduler();
    private final Queue<String> reported = new ConcurrentLinkedQueue<>();

    private TaskGraph graph() {
        return TaskGraph.builder()
                .name("g")
                .workers(1)
                .spareWorkers(1)
                .scheduler(scheduler)
                .uncaughtHandler((task, failure) -> reported.add(task + ": " + failure.getMessage()))
                .build();
    }

    @Test
    void aRegionDoesWithoutAndTheNextOneTriesAgain() {
        try (TaskGraph graph = graph()) {
            graph.task("alone", () -> graph.blocking("read", () -> 0))
                    .dispatch()
                    .await();
            assertThat(reported)
                    .singleElement()
                    .asString()
                    .contains("spare worker")
                    .contains("unable to create native thread");
            scheduler.refuses = false;
            CountDownLatch latch = new CountDownLatch(1);
            GraphEvent blocked = graph.task(
                            "blocked",
                            () -> graph.blocking("latch", () -> {
                                latch.await();
                                return 0;
                            }))
                    .dispatch();
            graph.task("opens", latch::countDown).dispatch().await();
            blocked.await();
        }
        assertThat(reported).hasSize(1);
    }

    @Test
    void aBroadcastFailsAndNamesTheThread() {
        try (TaskGraph graph = graph()) {
            GraphEvent all = graph.broadcast("set up", () -> {});
            assertThatThrownBy(all::await)
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'set up'")
                    .hasMessageContaining("g-spare-0");
            scheduler.refuses = false;
            graph.broadcast("set up", () -> {}).await();
        }
    }
}
