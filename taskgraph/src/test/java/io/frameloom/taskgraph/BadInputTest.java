package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Collection;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bad input is refused at the call, with the name of what is wrong; the graph works on. */
@Timeout(60)
@NullUnmarked
@SuppressWarnings("NullAway")
final class BadInputTest {
    private TaskGraph graph;
    private TaskGraph other;

    @BeforeEach
    void open() {
        graph = TaskGraph.builder().name("one").workers(1).build();
        other = TaskGraph.builder().name("two").workers(1).build();
    }

    @AfterEach
    void close() {
        graph.task("still works", () -> {}).dispatch().await();
        graph.close();
        other.close();
    }

    @Test
    void namesAndBodies() {
        assertThatThrownBy(() -> graph.task("t", null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("task 't': body must not be null");
        assertThatThrownBy(() -> graph.call("c", null)).hasMessage("task 'c': callable must not be null");
        assertThatThrownBy(() -> graph.broadcast("b", null)).hasMessage("broadcast 'b': body must not be null");
        assertThatThrownBy(() -> graph.blocking("r", null))
                .hasMessage("blocking region 'r': callable must not be null");
        assertThatThrownBy(() -> graph.pipe("p").task("t", null)).hasMessage("task 't': body must not be null");
        assertThatThrownBy(() -> graph.limiter("l", 1).task("t", null)).hasMessage("task 't': body must not be null");
        assertThatThrownBy(() -> graph.graphBuilder("g").node("n", null)).hasMessage("node 'n': body must not be null");
        assertThatThrownBy(() -> graph.parallelFor("f", 1, 1, null))
                .hasMessage("parallelFor 'f': body must not be null");
        assertThatThrownBy(() -> graph.task(" ", () -> {})).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> graph.task(null, () -> {})).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> graph.event("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> graph.whenAll("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> NamedThread.of(" ")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> TaskGraph.builder().name("")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void nullArraysButNotNullEntries() {
        TaskBuilder builder = graph.task("t", () -> {});
        assertThatThrownBy(() -> builder.after((GraphEvent[]) null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> builder.after((Collection<GraphEvent>) null)).isInstanceOf(NullPointerException.class);
        builder.after((GraphEvent) null).dispatch().await();
        assertThatThrownBy(() -> graph.task("t", () -> {}).on(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> graph.task("t", () -> {}).priority(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void eventsOfAnotherGraph() {
        GraphEvent foreign = other.event("foreign");
        assertThatThrownBy(() -> graph.task("t", () -> {}).after(foreign))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'foreign'")
                .hasMessageContaining("'t'")
                .hasMessageContaining("'two'");
        assertThatThrownBy(() -> graph.whenAll("all", foreign)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> graph.awaitAll(foreign)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> graph.event("e").dontCompleteUntil(foreign))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aBuilderIsUsedOnce() {
        TaskBuilder builder = graph.task("t", () -> {});
        builder.dispatch().await();
        assertThatThrownBy(builder::dispatch)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'t'");
        assertThatThrownBy(builder::fireAndForget).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void numbers() {
        assertThatThrownBy(() -> TaskGraph.builder().workers(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> TaskGraph.builder().workers(1001)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> TaskGraph.builder().reservedWorkers(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> graph.parallelFor("p", -1, 1, (f, t, s) -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'p'");
        assertThatThrownBy(() -> graph.parallelFor("p", 1, 0, (f, t, s) -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'p'");
        assertThatThrownBy(() -> graph.parallelFor("p", 1, 1, null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void aLimiterHasAHighestLimit() {
        assertThatThrownBy(() -> graph.limiter("l", 2_000_000_000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'l'")
                .hasMessageContaining("65536");
        assertThat(graph.limiter("l", ConcurrencyLimiter.MOST_SLOTS).limit()).isEqualTo(65_536);
    }

    @Test
    void aTaskCannotWaitForItself() {
        GraphEvent[] self = new GraphEvent[1];
        HeldTask held = graph.task("self", () -> self[0].await()).hold();
        self[0] = held.event();
        held.release();
        assertThatThrownBy(self[0]::await)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'self'");
    }

    @Test
    void aTaskCannotWaitForWhatDependsOnIt() {
        GraphEvent[] behind = new GraphEvent[1];
        HeldTask held =
                graph.task("front", () -> behind[0].await(Duration.ofDays(1))).hold();
        behind[0] = graph.task("behind", () -> {})
                .after(graph.whenAll("join", held.event()))
                .dispatch();
        held.release();
        assertThatThrownBy(held.event()::await)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'front'")
                .hasMessageContaining("'behind'");
    }

    @Test
    void malformedSystemPropertiesAreNamed() {
        String property = "frameloom.taskgraph.workers";
        System.setProperty(property, "many");
        try {
            assertThatThrownBy(() -> TaskGraph.builder().build())
                    .isInstanceOf(SystemPropertyException.class)
                    .hasMessageContaining(
                            "frameloom.taskgraph.workers must be a whole number from 1 to 1000, got 'many'");
            System.setProperty(property, "1001");
            assertThatThrownBy(() -> TaskGraph.builder().build())
                    .isInstanceOfSatisfying(
                            SystemPropertyException.class,
                            wrong -> assertThat(wrong.property()).isEqualTo(property))
                    .hasMessage("system property frameloom.taskgraph.workers must be a whole number from 1 to 1000,"
                            + " got '1001'");
            System.setProperty(property, "3");
            try (TaskGraph own = TaskGraph.builder().workers(1).build()) {
                assertThat(own.workerCount()).isEqualTo(3);
                assertThat(own.slotCount()).isEqualTo(4);
            }
        } finally {
            System.clearProperty(property);
        }
    }
}
