package io.frameloom.taskgraph.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.taskgraph.FailurePolicy;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.PrerequisiteFailedException;
import io.frameloom.taskgraph.TaskFailedException;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.WaitGraphs;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Race 26 and the ways of a failure: to the waiter, to dependents by policy, to the uncaught handler. */
@Timeout(60)
final class FailureTest {
    private final ConcurrentLinkedQueue<String> uncaught = new ConcurrentLinkedQueue<>();
    private TaskGraph graph;

    @BeforeEach
    void open(WaitGraphs waits) {
        graph = TaskGraph.builder()
                .workers(2)
                .uncaughtHandler((task, failure) -> uncaught.add(task + ": " + failure.getMessage()))
                .build();
        waits.show("graph", graph::describeWaits);
    }

    @AfterEach
    void close() {
        graph.close();
    }

    @Test
    void aCheckedExceptionReachesTheWaiterWithTheNameOfTheTask() {
        IOException original = new IOException("disk");
        GraphEvent event = graph.task("load", () -> {
                    throw original;
                })
                .dispatch();
        assertThatThrownBy(event::await)
                .isInstanceOf(TaskFailedException.class)
                .hasMessageContaining("'load'")
                .cause()
                .isSameAs(original);
        assertThat(event.isFailed()).isTrue();
        assertThat(event.failure()).isSameAs(original);
    }

    @Test
    void errorsAndStackOverflowsDoNotKillWorkers() {
        for (int i = 0; i < 8; i++) {
            GraphEvent event = graph.task("deep", FailureTest::recurse).dispatch();
            assertThatThrownBy(event::await).hasCauseInstanceOf(StackOverflowError.class);
        }
        AtomicInteger ran = new AtomicInteger();
        graph.task("after", ran::incrementAndGet).dispatch().await();
        assertThat(ran).hasValue(1);
    }

    @SuppressWarnings("InfiniteRecursion")
    private static void recurse() {
        recurse();
    }

    @Test
    void skippedDependentsCarryTheOriginalCauseHoweverLongTheChain() {
        IllegalStateException original = new IllegalStateException("boom");
        AtomicInteger ran = new AtomicInteger();
        GraphEvent start = graph.event("start");
        GraphEvent last = graph.task("origin", () -> {
                    throw original;
                })
                .after(start)
                .dispatch();
        for (int i = 0; i < 50_000; i++) {
            last = graph.task("link" + i, ran::incrementAndGet).after(last).dispatch();
        }
        start.trigger();
        assertThatThrownBy(last::await).isInstanceOf(TaskFailedException.class);
        assertThat(last.failure())
                .isInstanceOf(PrerequisiteFailedException.class)
                .hasMessageContaining("'link49999'")
                .hasMessageContaining("'origin'")
                .cause()
                .isSameAs(original);
        assertThat(ran).hasValue(0);
    }

    @Test
    void runAnywayRunsAndSucceeds() {
        GraphEvent failed = graph.event("failed");
        AtomicInteger ran = new AtomicInteger();
        GraphEvent event = graph.task("cleanup", ran::incrementAndGet)
                .after(failed)
                .onPrerequisiteFailure(FailurePolicy.RUN_ANYWAY)
                .dispatch();
        failed.fail(new IllegalArgumentException("no"));
        event.await();
        assertThat(ran).hasValue(1);
        assertThat(event.isFailed()).isFalse();
    }

    @Test
    void failuresOfSeveralPrerequisitesAreCollectedOnce() {
        GraphEvent a = graph.event("a");
        GraphEvent b = graph.event("b");
        GraphEvent viaA = graph.whenAll("viaA", a);
        GraphEvent event = graph.task("t", () -> {}).after(a, b, viaA).dispatch();
        IllegalStateException first = new IllegalStateException("first");
        IllegalStateException second = new IllegalStateException("second");
        a.fail(first);
        b.fail(second);
        assertThatThrownBy(event::await).isInstanceOf(TaskFailedException.class);
        Throwable failure = Objects.requireNonNull(event.failure());
        assertThat(failure).hasCause(first);
        assertThat(failure.getSuppressed()).containsExactly(second);
    }

    @Test
    void fireAndForgetFailuresGoToTheHandler() {
        CountDownLatch ran = new CountDownLatch(1);
        graph.task("lost", () -> {
                    ran.countDown();
                    throw new IOException("gone");
                })
                .fireAndForget();
        graph.close();
        assertThat(ran.getCount()).isZero();
        assertThat(uncaught).containsExactly("lost: gone");
    }

    @Test
    void aThrowingHandlerKillsNobody() {
        try (TaskGraph own = TaskGraph.builder()
                .workers(1)
                .uncaughtHandler((task, failure) -> {
                    throw new IllegalStateException("bad handler");
                })
                .build()) {
            own.task("lost", () -> {
                        throw new IOException("gone");
                    })
                    .fireAndForget();
            own.task("next", () -> {}).dispatch().await();
        }
    }

    @Test
    void awaitAllNamesTheFirstAndSuppressesTheOthers() {
        GraphEvent a = graph.event("a");
        GraphEvent b = graph.event("b");
        GraphEvent c = graph.event("c");
        a.trigger();
        c.fail(new IllegalStateException("cc"));
        b.fail(new IllegalStateException("bb"));
        assertThatThrownBy(() -> graph.awaitAll(a, null, b, c))
                .isInstanceOf(TaskFailedException.class)
                .hasMessageContaining("'b'")
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    }

    @Test
    void aFailedChildFailsItsParent() {
        IllegalStateException childFailure = new IllegalStateException("child broke");
        GraphEvent child = graph.event("child");
        CountDownLatch known = new CountDownLatch(1);
        GraphEvent[] parent = new GraphEvent[1];
        parent[0] = graph.task("parent", () -> {
                    known.await();
                    parent[0].dontCompleteUntil(child);
                })
                .dispatch();
        known.countDown();
        child.fail(childFailure);
        assertThatThrownBy(parent[0]::await).isInstanceOf(TaskFailedException.class);
        assertThat(parent[0].failure())
                .isInstanceOf(PrerequisiteFailedException.class)
                .hasCause(childFailure);
    }
}
