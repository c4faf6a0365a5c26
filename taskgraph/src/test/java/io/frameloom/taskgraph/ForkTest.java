package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.taskgraph.task.Task;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks that are forked without a builder. */
@Timeout(60)
final class ForkTest {
    private static int fibonacci(TaskGraph graph, int n) {
        if (n < 2) {
            return n;
        }
        ResultEvent<Integer> first = graph.fork("first", () -> fibonacci(graph, n - 1));
        int second = fibonacci(graph, n - 2);
        return first.await() + second;
    }

    private static void count(TaskGraph graph, int depth, AtomicInteger nodes) {
        nodes.incrementAndGet();
        if (depth > 1) {
            GraphEvent left = graph.fork("left", () -> count(graph, depth - 1, nodes));
            count(graph, depth - 1, nodes);
            left.await();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void recursionFromEveryKindOfThread(int workers) {
        try (TaskGraph graph = TaskGraph.builder().workers(workers).build()) {
            assertThat(fibonacci(graph, 12)).as("outside").isEqualTo(144);
            assertThat(graph.fork("on a worker", () -> fibonacci(graph, 15)).await())
                    .isEqualTo(610);
            graph.start(NamedThread.RENDER);
            assertThat(graph.call("named", () -> fibonacci(graph, 12))
                            .on(NamedThread.RENDER)
                            .dispatch()
                            .await())
                    .isEqualTo(144);
            AtomicInteger nodes = new AtomicInteger();
            count(graph, 10, nodes);
            assertThat(nodes).hasValue(1023);
        }
    }

    /** The compiler chooses; a failure looks the same either way. */
    @Test
    void aLambdaThatOnlyThrowsIsACallable() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            ResultEvent<Object> thrown = graph.fork("throws", () -> {
                throw new IOException("torn");
            });
            assertThatThrownBy(thrown::await).rootCause().hasMessage("torn");
        }
    }

    /** The newest fork lies at the end of the worker's deque: the wait pops it, and leaves nothing behind. */
    @Test
    void whatAWaitHasRunIsQueuedNoMore() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            int left = graph.fork("root", () -> {
                        fibonacci(graph, 12);
                        return graph.parts.workers().queued(WorkerLevel.NORMAL);
                    })
                    .await();
            assertThat(left).isZero();
        }
    }

    @Test
    void aFailureReachesTheWait() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            GraphEvent broken = graph.fork("broken", () -> {
                if (graph.workerCount() == 1) {
                    throw new IOException("disk");
                }
            });
            assertThatThrownBy(broken::await)
                    .isInstanceOf(TaskFailedException.class)
                    .hasMessageContaining("task 'broken'")
                    .hasCauseInstanceOf(IOException.class);
        }
    }

    /** A part of BACKGROUND work stays off the workers that are reserved for what is more urgent. */
    @Test
    void aForkRunsAtTheLevelOfItsTask() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            for (WorkerLevel level : WorkerLevel.values()) {
                List<ExecutionTarget> targets = new ArrayList<>();
                graph.task("outer", () -> targets.add(target(graph.fork("inner", () -> {}))))
                        .on(level)
                        .dispatch()
                        .await();
                assertThat(targets).containsExactly(level);
            }
            assertThat(target(graph.fork("outside", () -> {}))).isEqualTo(WorkerLevel.NORMAL);
            graph.attach(NamedThread.GAME);
            AtomicReference<ExecutionTarget> named = new AtomicReference<>();
            graph.task("on a named thread", () -> named.set(target(graph.fork("inner", () -> {}))))
                    .on(NamedThread.GAME)
                    .dispatch();
            graph.processUntilIdle(NamedThread.GAME);
            graph.detach(NamedThread.GAME);
            assertThat(named).hasValue(WorkerLevel.NORMAL);
        }
    }

    private static ExecutionTarget target(GraphEvent fork) {
        return Objects.requireNonNull(((Task) fork).target);
    }

    @Test
    void inheritedValuesReachForks() {
        InheritedValue<Integer> frame = InheritedValue.named("frame");
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            List<ResultEvent<Integer>> results = new ArrayList<>();
            frame.where(
                    7,
                    () -> results.add(graph.fork(
                            "see",
                            () -> frame.get() + graph.fork("deep", frame::get).await())));
            assertThat(results.get(0).await()).isEqualTo(14);
            assertThat(graph.fork("outside", frame::isBound).await()).isFalse();
        }
    }

    @Test
    void aForkIsAPrerequisiteLikeAnyOther() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            CountDownLatch go = new CountDownLatch(1);
            ResultEvent<Integer> six = graph.fork("six", () -> {
                go.await();
                return 6;
            });
            ResultEvent<Integer> twice = graph.call("twice", () -> 2 * six.result())
                    .after(six.event())
                    .dispatch();
            go.countDown();
            assertThat(twice.await()).isEqualTo(12);
        }
    }

    @Test
    void namesAndClosing() {
        TaskGraph graph = TaskGraph.builder().name("g").workers(1).build();
        assertThatThrownBy(() -> graph.fork(" ", () -> {})).isInstanceOf(IllegalArgumentException.class);
        graph.close();
        assertThatThrownBy(() -> graph.fork("late", () -> {}))
                .isInstanceOf(TaskGraphClosedException.class)
                .hasMessageContaining("'late' was refused");
        assertThatThrownBy(() -> graph.fork("late", () -> 1)).isInstanceOf(TaskGraphClosedException.class);
    }
}
