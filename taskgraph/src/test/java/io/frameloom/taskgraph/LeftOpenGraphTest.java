package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.taskgraph.deterministic.DeadlockException;
import io.frameloom.taskgraph.deterministic.DeterministicScheduler;
import io.frameloom.taskgraph.deterministic.Exploration;
import io.frameloom.taskgraph.deterministic.ScheduleFailure;
import io.frameloom.taskgraph.deterministic.ScheduledProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A program that ends without closing its graphs is told which. */
@Timeout(60)
final class LeftOpenGraphTest {
    private static TaskGraph graph(DeterministicScheduler scheduler, String name) {
        return TaskGraph.builder().name(name).workers(1).scheduler(scheduler).build();
    }

    private static void ends(ScheduledProgram program, Class<? extends Throwable> cause, String message) {
        for (Exploration exploration : new Exploration[] {Exploration.oldestFirst(), Exploration.newestFirst()}) {
            assertThatThrownBy(() -> DeterministicScheduler.explore(exploration, program))
                    .isInstanceOf(ScheduleFailure.class)
                    .hasMessageContaining(message.lines().findFirst().orElseThrow())
                    .cause()
                    .isInstanceOf(cause)
                    .hasMessageContaining(message);
        }
    }

    @Test
    void aGraphThatWasNeverClosedIsNamed() {
        ends(
                scheduler ->
                        graph(scheduler, "left").task("t", () -> {}).dispatch().await(),
                IllegalStateException.class,
                "the program has ended without closing task graph 'left'");
    }

    @Test
    void onlyThoseThatWereLeftAreNamed() {
        ends(
                scheduler -> {
                    graph(scheduler, "twin");
                    graph(scheduler, "closed").close();
                    graph(scheduler, "twin").close();
                    scheduler.thread("last", () -> graph(scheduler, "other"));
                },
                IllegalStateException.class,
                "without closing task graph 'twin' and 'other', whose threads are left");
    }

    @Test
    void aProgramThatHasNotEndedIsDeadlocked() {
        ends(
                scheduler -> {
                    try (TaskGraph graph = graph(scheduler, "g")) {
                        graph.event("never").await();
                    }
                },
                DeadlockException.class,
                "deadlock: no thread can run");
    }
}
