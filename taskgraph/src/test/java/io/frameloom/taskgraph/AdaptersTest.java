package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Futures, stages and executors. */
@Timeout(60)
final class AdaptersTest {
    @Test
    void anEventCompletesItsFutures() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            GraphEvent event = graph.event("e");
            CompletableFuture<@Nullable Void> before = event.toCompletableFuture();
            CompletableFuture<String> behind = before.thenApply(x -> "seen");
            assertThat(before).isNotDone();
            event.trigger();
            assertThat(behind.join()).isEqualTo("seen");
            assertThat(event.toCompletableFuture()).isCompletedWithValue(null);
            GraphEvent broken = graph.task("broken", () -> {
                        throw new IOException("disk");
                    })
                    .dispatch();
            CompletableFuture<@Nullable Void> failed = broken.toCompletableFuture();
            assertThatThrownBy(failed::join).hasCauseInstanceOf(IOException.class);
        }
    }

    /** A dependent of the future launches work and waits for it: the completion must be over by then. */
    @Test
    void whatDependsOnAFutureMayUseTheGraph() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            GraphEvent event = graph.event("e");
            GraphEvent behind = graph.task("behind", () -> {}).after(event).dispatch();
            CompletableFuture<Void> done = event.toCompletableFuture().thenRun(() -> {
                behind.await();
                graph.task("more", () -> {}).dispatch().await();
            });
            event.trigger();
            assertThat(done).isCompleted();
            GraphEvent onWorker = graph.event("on worker");
            CompletableFuture<Void> nested = onWorker.toCompletableFuture()
                    .thenRun(() -> graph.task("more", () -> {}).dispatch().await());
            graph.task("trigger", onWorker::trigger).dispatch().await();
            nested.join();
        }
    }

    @Test
    void closingFailsTheFuturesOfPendingEvents() {
        TaskGraph graph = TaskGraph.builder().workers(1).build();
        CompletableFuture<@Nullable Void> future = graph.event("forgotten").toCompletableFuture();
        graph.close();
        assertThatThrownBy(future::join).hasCauseInstanceOf(TaskGraphClosedException.class);
    }

    @Test
    void aThreadThatWouldHaveToEndItsWaitForAFutureIsRefused() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            graph.attach(NamedThread.RHI);
            GraphEvent own = graph.task("own", () -> {}).on(NamedThread.RHI).dispatch();
            CompletableFuture<@Nullable Void> future = own.toCompletableFuture();
            assertThatThrownBy(future::join)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("own");
            assertThatThrownBy(future::get).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> future.get(1, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            graph.processUntilIdle(NamedThread.RHI);
            assertThat(future.join()).isNull();
            assertThatThrownBy(() -> graph.event("never")
                            .toCompletableFuture()
                            .orTimeout(1, TimeUnit.MILLISECONDS)
                            .join())
                    .hasCauseInstanceOf(TimeoutException.class);
        }
    }

    @Test
    void aLongWaitForAFutureIsExplained() throws InterruptedException {
        BlockingQueue<String> stalls = new LinkedBlockingQueue<>();
        try (TaskGraph graph = TaskGraph.builder()
                .workers(1)
                .stallWatchdog(Duration.ofMillis(20), (thread, waited, why) -> stalls.add(why.toString()))
                .build()) {
            GraphEvent event = graph.event("slow");
            CompletableFuture<@Nullable Void> future = event.toCompletableFuture();
            Thread waiting = new Thread(future::join);
            waiting.start();
            assertThat(stalls.take()).contains("slow");
            event.trigger();
            waiting.join();
        }
    }

    @Test
    void aStageIsAPrerequisite() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            CompletableFuture<String> future = new CompletableFuture<>();
            GraphEvent event = graph.fromFuture("file", future);
            AtomicReference<String> seen = new AtomicReference<>();
            GraphEvent task = graph.task("use", () -> seen.set(future.getNow("none")))
                    .after(event)
                    .dispatch();
            assertThat(event.isComplete()).isFalse();
            future.complete("content");
            task.await();
            assertThat(seen).hasValue("content");
            assertThat(graph.fromFuture("done", future).isComplete()).isTrue();
            assertThatThrownBy(event::trigger).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aStageThatFailsOrIsCancelledFailsTheEventWithItsOwnException() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            CompletableFuture<String> future = new CompletableFuture<>();
            GraphEvent direct = graph.fromFuture("direct", future);
            GraphEvent derived = graph.fromFuture("derived", future.thenApply(String::length));
            IOException disk = new IOException("disk");
            future.completeExceptionally(disk);
            assertThat(direct.failure()).isSameAs(disk);
            assertThat(derived.failure()).isSameAs(disk);
            CompletableFuture<String> cancelled = new CompletableFuture<>();
            GraphEvent event = graph.fromFuture("cancelled", cancelled);
            cancelled.cancel(true);
            assertThat(event.failure()).isInstanceOf(CancellationException.class);
        }
    }

    @Test
    void closeFailsTheEventOfAStageThatIsLate() {
        TaskGraph graph = TaskGraph.builder().workers(1).build();
        CompletableFuture<String> future = new CompletableFuture<>();
        GraphEvent event = graph.fromFuture("late", future);
        assertThat(graph.describeWaits()).contains("something waits for: 1");
        graph.close();
        assertThat(event.failure()).isInstanceOf(TaskGraphClosedException.class).hasMessageContaining("'late'");
        future.complete("too late");
        assertThat(event.isFailed()).isTrue();
        assertThatThrownBy(() -> graph.fromFuture("later", future)).isInstanceOf(TaskGraphClosedException.class);
    }

    @Test
    void anExecutorRunsCommandsOnItsTarget() {
        ConcurrentLinkedQueue<String> uncaught = new ConcurrentLinkedQueue<>();
        TaskGraph graph = TaskGraph.builder()
                .workers(1)
                .name("g")
                .uncaughtHandler((task, failure) -> uncaught.add(task + ": " + failure.getMessage()))
                .build();
        graph.start(NamedThread.RENDER);
        Executor onRender = graph.asExecutor(NamedThread.RENDER);
        String thread = CompletableFuture.supplyAsync(
                        () -> Thread.currentThread().getName(), onRender)
                .join();
        assertThat(thread).contains("RENDER");
        onRender.execute(() -> {
            throw new IllegalStateException("on purpose");
        });
        CompletableFuture.runAsync(() -> {}, onRender).join();
        assertThat(uncaught).containsExactly("command on RENDER: on purpose");
        assertThat(onRender.toString()).contains("RENDER").contains("'g'");
        graph.close();
        assertThatThrownBy(() -> onRender.execute(() -> {}))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("RENDER")
                .hasCauseInstanceOf(TaskGraphClosedException.class);
    }

    @Test
    @NullUnmarked
    @SuppressWarnings("NullAway")
    void badInput() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            assertThatThrownBy(() -> graph.fromFuture("f", null)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> graph.fromFuture(" ", new CompletableFuture<>()))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> graph.asExecutor(null)).isInstanceOf(NullPointerException.class);
            Executor executor = graph.asExecutor(WorkerLevel.NORMAL);
            assertThatThrownBy(() -> executor.execute(null)).isInstanceOf(NullPointerException.class);
        }
    }
}
