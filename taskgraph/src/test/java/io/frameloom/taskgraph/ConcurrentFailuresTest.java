package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.testing.WaitGraphs;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Race 26: failures at the same time. One is the primary one, the others are suppressed, none is lost. */
@Timeout(60)
final class ConcurrentFailuresTest {
    private static final int ROUNDS = 2_000;

    private final ConcurrentLinkedQueue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
    private TaskGraph graph;

    @BeforeEach
    void open(WaitGraphs waits) {
        graph = TaskGraph.builder()
                .workers(2)
                .uncaughtHandler((task, failure) -> uncaught.add(failure))
                .build();
        waits.show("graph", graph::describeWaits);
    }

    @AfterEach
    void close() {
        graph.close();
        assertThat(uncaught).isEmpty();
    }

    @Test
    void twoPrerequisitesThatFailAtTheSameTimeAreBothInTheFailureOfTheDependent() {
        CyclicBarrier together = new CyclicBarrier(2);
        for (int round = 0; round < ROUNDS; round++) {
            IllegalStateException left = new IllegalStateException("left " + round);
            IllegalStateException right = new IllegalStateException("right " + round);
            GraphEvent a = failing("a", together, left);
            GraphEvent b = failing("b", together, right);
            GraphEvent dependent = graph.task("dependent", () -> {}).after(a, b).dispatch();
            assertThatThrownBy(dependent::await).isInstanceOf(TaskFailedException.class);
            assertThat(primaryAndSuppressed(dependent)).containsExactlyInAnyOrder(left, right);
        }
    }

    @Test
    void twoChildrenThatFailAtTheSameTimeAreBothInTheFailureOfTheParent() {
        CyclicBarrier together = new CyclicBarrier(2);
        for (int round = 0; round < ROUNDS; round++) {
            IllegalStateException left = new IllegalStateException("left " + round);
            IllegalStateException right = new IllegalStateException("right " + round);
            GraphEvent parent = graph.event("parent");
            parent.dontCompleteUntil(failing("a", together, left));
            parent.dontCompleteUntil(failing("b", together, right));
            parent.trigger();
            assertThatThrownBy(parent::await).isInstanceOf(TaskFailedException.class);
            assertThat(primaryAndSuppressed(parent)).containsExactlyInAnyOrder(left, right);
        }
    }

    /** The body's own failure is the primary one, however early or late its child and grandchild fail. */
    @Test
    void aBodyThatThrowsWhileItsNestedChildrenFailKeepsItsOwnFailureInFront() {
        CyclicBarrier together = new CyclicBarrier(2);
        for (int round = 0; round < ROUNDS; round++) {
            IllegalStateException own = new IllegalStateException("own " + round);
            IllegalStateException nested = new IllegalStateException("nested " + round);
            GraphEvent grandchild = failing("grandchild", together, nested);
            GraphEvent child = graph.event("child");
            child.dontCompleteUntil(grandchild);
            child.trigger();
            GraphEvent parent = graph.event("parent");
            GraphEvent body = graph.task("body", () -> {
                        parent.dontCompleteUntil(child);
                        together.await();
                        parent.fail(own);
                    })
                    .dispatch();
            GraphEvent after = graph.task("after", () -> {})
                    .after(parent)
                    .onPrerequisiteFailure(FailurePolicy.RUN_ANYWAY)
                    .dispatch();
            after.await();
            body.await();
            assertThatThrownBy(parent::await).isInstanceOf(TaskFailedException.class);
            assertThat(parent.failure()).isSameAs(own);
            assertThat(own.getSuppressed()).hasSize(1);
            assertThat(own.getSuppressed()[0]).hasRootCause(nested);
        }
    }

    private GraphEvent failing(String name, CyclicBarrier together, RuntimeException failure) {
        return graph.task(name, () -> {
                    together.await();
                    throw failure;
                })
                .dispatch();
    }

    private static List<Throwable> primaryAndSuppressed(GraphEvent event) {
        Throwable failure = Objects.requireNonNull(event.failure());
        List<Throwable> all = new ArrayList<>(List.of(failure.getSuppressed()));
        all.add(Objects.requireNonNull(failure.getCause()));
        return all;
    }
}
