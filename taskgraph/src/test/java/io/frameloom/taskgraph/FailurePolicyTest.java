package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Policies per prerequisite. */
@Timeout(60)
final class FailurePolicyTest {
    /** One prerequisite, complete before or after the launch: policy, outcome, whether the body runs, whether it fails. */
    @ParameterizedTest
    @CsvSource({
        "SKIP, false, true, false",
        "SKIP, true, false, true",
        "RUN_ANYWAY, false, true, false",
        "RUN_ANYWAY, true, true, false",
        "RUN_ON_FAILURE, false, false, false",
        "RUN_ON_FAILURE, true, true, false"
    })
    void oneEdge(FailurePolicy policy, boolean fails, boolean runs, boolean failed) {
        try (TaskGraph graph = TaskGraph.builder()
                .workers(1)
                .uncaughtHandler((name, failure) -> {})
                .build()) {
            for (int variant = 0; variant < 8; variant++) {
                GraphEvent input = graph.event("input");
                boolean early = (variant & 1) != 0;
                if (early) {
                    end(input, fails);
                }
                AtomicInteger ran = new AtomicInteger();
                TaskBuilder builder = graph.task("t", ran::incrementAndGet);
                if ((variant & 2) != 0) {
                    builder.after(policy, input);
                } else {
                    builder.after(input).onPrerequisiteFailure(policy);
                }
                GraphEvent task;
                if ((variant & 4) != 0) {
                    HeldTask held = builder.hold();
                    task = held.event();
                    held.release();
                } else {
                    task = builder.dispatch();
                }
                if (!early) {
                    end(input, fails);
                }
                awaitAnyOutcome(task);
                assertThat(ran).as("variant %s", variant).hasValue(runs ? 1 : 0);
                assertThat(task.isFailed()).isEqualTo(failed);
                assertThat(task.wasSkipped()).isEqualTo(!runs);
            }
        }
    }

    @Test
    void everyEdgeHasItsOwnPolicy() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            GraphEvent needed = graph.event("needed");
            GraphEvent optional = graph.event("optional");
            GraphEvent primary = graph.event("primary");
            AtomicInteger ran = new AtomicInteger();
            GraphEvent fallback = graph.task("fallback", ran::incrementAndGet)
                    .after(needed)
                    .after(FailurePolicy.RUN_ANYWAY, optional)
                    .after(FailurePolicy.RUN_ON_FAILURE, primary)
                    .dispatch();
            optional.fail(new IllegalStateException("optional"));
            primary.fail(new IllegalStateException("primary"));
            assertThat(fallback.isComplete()).isFalse();
            needed.trigger();
            fallback.await();
            assertThat(ran).hasValue(1);
        }
    }

    @Test
    void aFailureUnderSkipOutweighsTheRestAndCollectsIt() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            GraphEvent first = graph.event("first");
            GraphEvent second = graph.event("second");
            GraphEvent third = graph.event("third");
            GraphEvent fine = graph.event("fine");
            GraphEvent task = graph.task("t", () -> {})
                    .onPrerequisiteFailure(FailurePolicy.RUN_ANYWAY)
                    .after(first)
                    .after(FailurePolicy.SKIP, second, third)
                    .after(FailurePolicy.RUN_ON_FAILURE, fine)
                    .dispatch();
            IllegalStateException one = new IllegalStateException("one");
            IllegalStateException two = new IllegalStateException("two");
            IllegalStateException three = new IllegalStateException("three");
            first.fail(one);
            fine.trigger();
            second.fail(two);
            third.fail(three);
            assertThat(task.failure())
                    .isInstanceOf(PrerequisiteFailedException.class)
                    .hasMessageContaining("'second'")
                    .hasCause(two)
                    .hasSuppressedException(one)
                    .hasSuppressedException(three);
            assertThat(task.wasSkipped()).isTrue();
        }
    }

    @Test
    void whatIsNotNeededCountsAsSuccessBehindIt() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            GraphEvent primary = graph.task("primary", () -> {}).dispatch();
            GraphEvent fallback = graph.task("fallback", () -> {
                        throw new AssertionError("not needed");
                    })
                    .after(FailurePolicy.RUN_ON_FAILURE, primary)
                    .dispatch();
            AtomicInteger ran = new AtomicInteger();
            graph.task("use", ran::incrementAndGet).after(fallback).dispatch().await();
            assertThat(ran).hasValue(1);
            assertThat(fallback.wasSkipped()).isTrue();
            assertThat(primary.wasSkipped()).isFalse();
            assertThat(graph.whenAll("all", primary).wasSkipped()).isFalse();
            assertThat(graph.event("manual").wasSkipped()).isFalse();
        }
    }

    @Test
    void pipesAndLimitersKnowThePolicies() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            GraphEvent ok = graph.whenAll("ok");
            GraphEvent broken = graph.event("broken");
            AtomicInteger ran = new AtomicInteger();
            Pipe pipe = graph.pipe("p");
            ConcurrencyLimiter limiter = graph.limiter("l", 1);
            GraphEvent piped = pipe.task("piped", ran::incrementAndGet)
                    .after(FailurePolicy.RUN_ON_FAILURE, ok)
                    .dispatch();
            GraphEvent limited = limiter.task("limited", slot -> ran.incrementAndGet())
                    .after(FailurePolicy.RUN_ON_FAILURE, ok)
                    .dispatch();
            GraphEvent handler = limiter.task("handler", slot -> ran.addAndGet(10))
                    .after(FailurePolicy.RUN_ON_FAILURE, broken)
                    .dispatch();
            broken.fail(new IllegalStateException("x"));
            handler.await();
            piped.await();
            limited.await();
            assertThat(ran).hasValue(10);
            assertThat(piped.wasSkipped()).isTrue();
            assertThat(limited.wasSkipped()).isTrue();
        }
    }

    /** Random edges, completed by tasks on workers, against a model of the rules. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void randomEdgesAgainstTheRules(long seed) {
        Random random = new Random(seed);
        FailurePolicy[] policies = FailurePolicy.values();
        try (TaskGraph graph = TaskGraph.builder()
                .workers(3)
                .uncaughtHandler((name, failure) -> {})
                .build()) {
            for (int round = 0; round < 500; round++) {
                int edges = 1 + random.nextInt(6);
                AtomicInteger ran = new AtomicInteger();
                TaskBuilder builder = graph.task("t", ran::incrementAndGet);
                List<GraphEvent> gates = new ArrayList<>();
                boolean fatal = false;
                boolean superfluous = false;
                FailurePolicy general = policies[random.nextInt(policies.length)];
                builder.onPrerequisiteFailure(general);
                for (int e = 0; e < edges; e++) {
                    boolean fails = random.nextBoolean();
                    GraphEvent gate = graph.event("gate");
                    gates.add(gate);
                    GraphEvent input = graph.task("input", () -> {
                                if (fails) {
                                    throw new IllegalStateException("on purpose");
                                }
                            })
                            .after(gate)
                            .dispatch();
                    FailurePolicy policy = general;
                    if (random.nextBoolean()) {
                        policy = policies[random.nextInt(policies.length)];
                        builder.after(policy, input);
                    } else {
                        builder.after(input);
                    }
                    fatal |= fails && policy == FailurePolicy.SKIP;
                    superfluous |= !fails && policy == FailurePolicy.RUN_ON_FAILURE;
                }
                gates.subList(0, edges / 2).forEach(GraphEvent::trigger);
                GraphEvent task = builder.dispatch();
                gates.subList(edges / 2, edges).forEach(GraphEvent::trigger);
                awaitAnyOutcome(task);
                assertThat(task.isFailed()).as("seed %s, round %s", seed, round).isEqualTo(fatal);
                assertThat(ran).hasValue(fatal || superfluous ? 0 : 1);
                assertThat(task.wasSkipped()).isEqualTo(fatal || superfluous);
            }
        }
    }

    private static void awaitAnyOutcome(GraphEvent event) {
        event.toCompletableFuture().handle((x, failure) -> failure).join();
    }

    private static void end(GraphEvent event, boolean fails) {
        if (fails) {
            event.fail(new IllegalStateException("on purpose"));
        } else {
            event.trigger();
        }
    }

    @Test
    @NullUnmarked
    @SuppressWarnings("NullAway")
    void badInput() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build();
                TaskGraph other = TaskGraph.builder().workers(1).build()) {
            TaskBuilder builder = graph.task("t", () -> {});
            GraphEvent event = graph.whenAll("done");
            assertThatThrownBy(() -> builder.after((FailurePolicy) null, event))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("task 't': policy must not be null");
            assertThatThrownBy(() -> builder.after(FailurePolicy.SKIP, (GraphEvent[]) null))
                    .isInstanceOf(NullPointerException.class);
            GraphEvent foreign = other.event("foreign");
            assertThatThrownBy(() -> builder.after(FailurePolicy.SKIP, foreign))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'foreign'");
            builder.after(FailurePolicy.RUN_ON_FAILURE, (GraphEvent) null)
                    .dispatch()
                    .await();
        }
    }
}
