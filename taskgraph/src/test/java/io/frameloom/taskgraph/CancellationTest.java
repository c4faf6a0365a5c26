package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens: before, during and after the body, order, policies, pipes and limiters (race 30). */
@Timeout(60)
final class CancellationTest {
    @Test
    void aTaskThatHasNotStartedDoesNotRunAndFailsInOrder() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            CancellationToken token = new CancellationToken();
            GraphEvent gate = graph.event("gate");
            AtomicInteger ran = new AtomicInteger();
            GraphEvent cancelled = graph.task("cancelled", ran::incrementAndGet)
                    .after(gate)
                    .cancelledBy(token)
                    .dispatch();
            GraphEvent behind =
                    graph.task("behind", ran::incrementAndGet).after(cancelled).dispatch();
            GraphEvent release = graph.task("release", () -> ran.addAndGet(100))
                    .after(cancelled)
                    .onPrerequisiteFailure(FailurePolicy.RUN_ANYWAY)
                    .dispatch();
            token.cancel();
            graph.task("free", () -> {}).dispatch().await();
            assertThat(cancelled.isComplete())
                    .as("complete before its prerequisite")
                    .isFalse();
            gate.trigger();
            release.await();
            assertThat(ran).hasValue(100);
            assertThat(cancelled.failure())
                    .isInstanceOf(TaskCancelledException.class)
                    .hasMessageContaining("'cancelled'");
            assertThat(behind.failure())
                    .isInstanceOf(PrerequisiteFailedException.class)
                    .hasCauseInstanceOf(TaskCancelledException.class);
            assertThat(cancelled.toCompletableFuture()).isCancelled();
            assertThat(cancelled.wasSkipped()).isTrue();
            assertThat(release.wasSkipped()).isFalse();
        }
    }

    @Test
    void aRunningBodyAsksForItself() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            CancellationToken token = new CancellationToken();
            CountDownLatch started = new CountDownLatch(1);
            GraphEvent polite = graph.task("polite", () -> {
                        started.countDown();
                        while (true) {
                            token.throwIfCancelled();
                            Thread.onSpinWait();
                        }
                    })
                    .cancelledBy(token)
                    .dispatch();
            GraphEvent done = graph.task(
                            "done", () -> assertThat(token.isCancelled()).isFalse())
                    .cancelledBy(token)
                    .dispatch();
            done.await();
            graph.task("wait", started::await).dispatch().await();
            token.cancel();
            assertThatThrownBy(polite::await).hasCauseInstanceOf(TaskCancelledException.class);
            assertThat(done.isFailed()).isFalse();
        }
    }

    @Test
    void childrenAreCancelledWithTheirParentButNotTheOtherWay() {
        CancellationToken parent = new CancellationToken();
        CancellationToken child = parent.child();
        CancellationToken grandchild = child.child();
        child.cancel();
        child.cancel();
        assertThat(List.of(parent.isCancelled(), child.isCancelled(), grandchild.isCancelled()))
                .containsExactly(false, true, true);
        CancellationToken other = parent.child();
        assertThat(other).hasToString("CancellationToken[not cancelled]");
        parent.cancel();
        assertThat(other).hasToString("CancellationToken[cancelled]");
        assertThatThrownBy(other::throwIfCancelled).isInstanceOf(TaskCancelledException.class);
    }

    @Test
    void anyOfSeveralTokensIsEnough() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            CancellationToken first = new CancellationToken();
            CancellationToken second = new CancellationToken();
            second.cancel();
            assertThat(graph.call("both", () -> 1)
                            .cancelledBy(first)
                            .cancelledBy(second)
                            .dispatch()
                            .toCompletableFuture()
                            .handle((value, failure) -> failure)
                            .join())
                    .isInstanceOf(TaskCancelledException.class);
            assertThat(graph.call("first", () -> 1)
                            .cancelledBy(first)
                            .dispatch()
                            .await())
                    .isEqualTo(1);
        }
    }

    @Test
    void cancelledTasksOfPipesAndLimitersPassTheTurnOn() {
        ConcurrentLinkedQueue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
        try (TaskGraph graph = TaskGraph.builder()
                .workers(2)
                .uncaughtHandler((task, failure) -> uncaught.add(failure))
                .build()) {
            CancellationToken token = new CancellationToken();
            token.cancel();
            AtomicInteger ran = new AtomicInteger();
            Pipe pipe = graph.pipe("p");
            ConcurrencyLimiter limiter = graph.limiter("l", 1);
            GraphEvent piped =
                    pipe.task("piped", ran::incrementAndGet).cancelledBy(token).dispatch();
            GraphEvent limited = limiter.task("limited", slot -> ran.incrementAndGet())
                    .cancelledBy(token)
                    .dispatch();
            graph.task("forgotten", ran::incrementAndGet).cancelledBy(token).fireAndForget();
            pipe.task("next", ran::incrementAndGet).dispatch().await();
            limiter.task("next", slot -> ran.incrementAndGet()).dispatch().await();
            assertThat(ran).hasValue(2);
            assertThat(piped.failure()).isInstanceOf(TaskCancelledException.class);
            assertThat(limited.failure()).isInstanceOf(TaskCancelledException.class);
        }
        assertThat(uncaught).singleElement().isInstanceOf(TaskCancelledException.class);
    }

    /** Whatever the interleaving: a task ran and succeeded, or did not run and is cancelled; none starts afterwards. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void everyTaskEitherRanOrWasCancelled(int workers) {
        try (TaskGraph graph = TaskGraph.builder().workers(workers).build()) {
            for (int round = 0; round < 50; round++) {
                CancellationToken token = new CancellationToken();
                AtomicInteger ran = new AtomicInteger();
                AtomicInteger late = new AtomicInteger();
                List<GraphEvent> events = new ArrayList<>();
                for (int i = 0; i < 200; i++) {
                    events.add(graph.task("t", ran::incrementAndGet)
                            .cancelledBy(token)
                            .dispatch());
                }
                token.cancel();
                GraphEvent afterwards = graph.task("late", late::incrementAndGet)
                        .cancelledBy(token)
                        .dispatch();
                int cancelled = 0;
                for (GraphEvent event : events) {
                    event.toCompletableFuture().handle((x, failure) -> failure).join();
                    cancelled += event.isFailed() ? 1 : 0;
                }
                assertThatThrownBy(afterwards::await).hasCauseInstanceOf(TaskCancelledException.class);
                assertThat(ran.get() + cancelled).isEqualTo(200);
                assertThat(late).hasValue(0);
            }
        }
    }

    @Test
    @NullUnmarked
    @SuppressWarnings("NullAway")
    void badInput() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            assertThatThrownBy(() -> graph.task("t", () -> {}).cancelledBy(null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("task 't': token must not be null");
            TaskBuilder used = graph.task("used", () -> {});
            used.dispatch().await();
            assertThatThrownBy(() -> used.cancelledBy(new CancellationToken()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'used'");
        }
    }
}
