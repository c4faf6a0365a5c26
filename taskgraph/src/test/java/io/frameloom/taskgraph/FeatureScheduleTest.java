package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pipes, limiters, races and delays under chosen schedules: order, completion, and close at any point. */
@Timeout(100)
final class FeatureScheduleTest {
    @Test
    void tasksOfAPipeRunInTheOrderOfEveryLauncher() {
        Schedules.explore(41, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                Pipe pipe = graph.pipe("p");
                List<String> order = new ArrayList<>();
                Thread other = scheduler.thread("other launcher", () -> {
                    pipe.task("a1", () -> order.add("a1")).dispatch();
                    pipe.task("a2", () -> order.add("a2")).dispatch();
                });
                pipe.task("b1", () -> order.add("b1")).dispatch();
                GraphEvent last = pipe.task("b2", () -> order.add("b2")).dispatch();
                last.await();
                scheduler.join(other);
                pipe.whenIdle().await();
                assertThat(order).hasSize(4).containsSubsequence("a1", "a2").containsSubsequence("b1", "b2");
            }
        });
    }

    @Test
    void aSlotReachesEveryTask() {
        Schedules.explore(42, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                ConcurrencyLimiter limiter = graph.limiter("l", 1);
                int[] inside = new int[1];
                int[] ran = new int[1];
                SlotBody body = slot -> {
                    assertThat(inside[0]++).isZero();
                    scheduler.point("in the body");
                    ran[0]++;
                    inside[0]--;
                };
                List<GraphEvent> launchedByOther = new ArrayList<>();
                Thread other = scheduler.thread("other launcher", () -> {
                    launchedByOther.add(limiter.task("a", body).dispatch());
                });
                limiter.task("b", body).dispatch().await();
                scheduler.join(other);
                graph.awaitAll(launchedByOther.toArray(new GraphEvent[0]));
                assertThat(ran[0]).isEqualTo(2);
            }
        });
    }

    @Test
    void aRaceHasOneWinner() {
        Schedules.explore(43, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent a = graph.event("a");
                GraphEvent b = graph.task("b", () -> {}).dispatch();
                scheduler.thread("trigger", a::trigger);
                AnyEvent any = graph.whenAny("any", a, b);
                int winner = any.await();
                assertThat(winner).isBetween(0, 1);
                assertThat(any.winner()).isSameAs(winner == 0 ? a : b);
                a.await();
                b.await();
                assertThat(any.winnerIndex()).isEqualTo(winner);
            }
        });
    }

    @Test
    void aDelayEndsByItsTimeOrByTheClosing() {
        int[] ends = new int[2];
        Schedules.exploreWithTime(44, scheduler -> {
            List<GraphEvent> delays = new ArrayList<>();
            long start = scheduler.nanoTime();
            TaskGraph graph = Schedules.graph(scheduler, 1);
            Thread other = scheduler.thread("other", () -> {
                try {
                    delays.add(graph.delay("long", Duration.ofMillis(3)));
                    delays.add(graph.delay("short", Duration.ofMillis(2)));
                } catch (TaskGraphClosedException refused) {
                    ends[1]++;
                }
            });
            GraphEvent own = graph.delay("own", Duration.ofMillis(1));
            scheduler.point("before the close");
            graph.close();
            scheduler.join(other);
            delays.add(own);
            for (GraphEvent delay : delays) {
                assertThat(delay.isComplete()).as(delay.name()).isTrue();
                ends[delay.isFailed() ? 1 : 0]++;
                if (!delay.isFailed()) {
                    assertThat(scheduler.nanoTime() - start).isGreaterThanOrEqualTo(1_000_000L);
                }
            }
        });
        assertThat(ends[0]).isPositive();
        assertThat(ends[1]).isPositive();
    }

    /** Whichever of the two is first, and wherever the timer is: nobody waits for the time of a cancelled task. */
    @Test
    void aDelayEndsWithItsToken() {
        Schedules.explore(45, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                CancellationToken token = new CancellationToken();
                graph.delay("starts the timer", Duration.ofDays(1));
                Thread other = scheduler.thread("canceller", token::cancel);
                GraphEvent task = graph.task("task", () -> {})
                        .cancelledBy(token.child())
                        .delay(Duration.ofDays(1))
                        .dispatch();
                assertThatThrownBy(() -> task.await(Duration.ofHours(1)))
                        .hasCauseInstanceOf(TaskCancelledException.class);
                scheduler.join(other);
            }
        });
    }
}
