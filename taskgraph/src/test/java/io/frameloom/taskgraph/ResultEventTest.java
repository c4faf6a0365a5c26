package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks that compute a value. */
@Timeout(60)
final class ResultEventTest {
    @Test
    void theValueReachesWaitersAndTheTasksBehind() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            graph.start(NamedThread.RENDER);
            ResultEvent<Integer> six = graph.call("six", () -> 6).dispatch();
            ResultEvent<Integer> seven = graph.call("seven", () -> 7)
                    .on(NamedThread.RENDER)
                    .priority(TaskPriority.HIGH)
                    .delay(Duration.ofNanos(1))
                    .dispatch();
            ResultEvent<Integer> product = graph.call("product", () -> six.result() * seven.result())
                    .after(six.event())
                    .after(List.of(seven.event()))
                    .dispatch();
            assertThat(product.await()).isEqualTo(42);
            assertThat(product.await(Duration.ZERO)).isTrue();
            assertThat(product.result()).isEqualTo(42);
            assertThat(product.toString()).contains("product");
        }
    }

    @Test
    void valuesAreComputedFromValues() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            graph.start(NamedThread.RENDER);
            GraphEvent gate = graph.event("gate");
            ResultEvent<Integer> six = graph.call("six", () -> 6).after(gate).dispatch();
            ResultEvent<String> text = six.thenApply("double", value -> 2 * value)
                    .thenApply(
                            "text",
                            NamedThread.RENDER,
                            value -> value + " on " + Thread.currentThread().getName());
            assertThat(text.event().isComplete()).isFalse();
            gate.trigger();
            assertThat(text.await()).startsWith("12 on ").contains("RENDER");
        }
    }

    @Test
    void whatFollowsAFailedValueFailsToo() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            ResultEvent<Integer> broken = graph.<Integer>call("broken", () -> {
                        throw new IOException("disk");
                    })
                    .dispatch();
            ResultEvent<Integer> after = broken.thenApply("after", value -> {
                throw new AssertionError("called with " + value);
            });
            assertThatThrownBy(after::await).hasRootCauseInstanceOf(IOException.class);
            ResultEvent<Integer> thrown = graph.call("sound", () -> 1)
                    .dispatch()
                    .thenApply("thrown", value -> {
                        throw new IllegalStateException("no " + value);
                    });
            assertThatThrownBy(thrown::await).hasRootCauseMessage("no 1");
            assertThatThrownBy(() -> thrown.thenApply(" ", value -> value))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void nullIsAValue() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            ResultEvent<@Nullable String> nothing =
                    graph.<@Nullable String>call("nothing", () -> null).dispatch();
            assertThat(nothing.await()).isNull();
        }
    }

    @Test
    void failuresAreThrownAndPolicyApplies() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            ResultEvent<Integer> broken = graph.<Integer>call("broken", () -> {
                        throw new IOException("disk");
                    })
                    .dispatch();
            assertThatThrownBy(broken::await)
                    .isInstanceOf(TaskFailedException.class)
                    .hasMessageContaining("'broken'")
                    .hasCauseInstanceOf(IOException.class);
            assertThatThrownBy(broken::result).isInstanceOf(TaskFailedException.class);
            ResultEvent<String> fallback = graph.call("fallback", () -> "default")
                    .after(broken.event())
                    .onPrerequisiteFailure(FailurePolicy.RUN_ANYWAY)
                    .dispatch();
            assertThat(fallback.await()).isEqualTo("default");
        }
    }

    @Test
    void aResultThatIsNotThereYetIsNamed() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            GraphEvent gate = graph.event("gate");
            ResultEvent<Integer> pending =
                    graph.call("pending", () -> 1).after(gate).dispatch();
            assertThatThrownBy(pending::result)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'pending'");
            CompletableFuture<Integer> future = pending.toCompletableFuture();
            assertThat(future).isNotDone();
            gate.trigger();
            assertThat(future.join()).isEqualTo(1);
        }
    }

    @Test
    @NullUnmarked
    @SuppressWarnings("NullAway")
    void badInput() {
        TaskGraph graph = TaskGraph.builder().workers(1).build();
        assertThatThrownBy(() -> graph.call("c", null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("task 'c': callable must not be null");
        assertThatThrownBy(() -> graph.call(" ", () -> 1)).isInstanceOf(IllegalArgumentException.class);
        CallBuilder<Integer> builder = graph.call("once", () -> 1);
        builder.dispatch().await();
        assertThatThrownBy(builder::dispatch).isInstanceOf(IllegalStateException.class);
        graph.close();
        assertThatThrownBy(() -> graph.call("late", () -> 1).dispatch()).isInstanceOf(TaskGraphClosedException.class);
    }
}
