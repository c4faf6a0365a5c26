package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.taskgraph.deterministic.DeterministicScheduler;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Blocking regions (race 36): calling up a spare worker against its rest, its sleep, the end of another region and
 * the closing of the graph. A place that stays empty, or a thread that stays behind, fails the run by itself.
 */
final class BlockingScheduleTest {
    /** Something outside of the graph to block on. */
    private static final class Latch {
        private final DeterministicScheduler scheduler;
        private boolean open;
        private final List<Thread> blocked = new ArrayList<>();

        Latch(DeterministicScheduler scheduler) {
            this.scheduler = scheduler;
        }

        void block() {
            blocked.add(Thread.currentThread());
            while (!open) {
                scheduler.park(this);
            }
        }

        void open() {
            open = true;
            List.copyOf(blocked).forEach(scheduler::unpark);
        }
    }

    private static TaskGraph graph(DeterministicScheduler scheduler, int workers, int spares) {
        return TaskGraph.builder()
                .name("g")
                .workers(workers)
                .spareWorkers(spares)
                .scheduler(scheduler)
                .build();
    }

    private static GraphEvent blocked(TaskGraph graph, Latch latch) {
        return graph.task(
                        "blocked",
                        () -> graph.blocking("latch", () -> {
                            latch.block();
                            return 0;
                        }))
                .dispatch();
    }

    @Test
    void whatABlockedWorkerNeedsRunsOnASpareOne() {
        Schedules.explore(121, scheduler -> {
            try (TaskGraph graph = graph(scheduler, 1, 1)) {
                for (int round = 0; round < 2; round++) {
                    Latch latch = new Latch(scheduler);
                    GraphEvent blocked = blocked(graph, latch);
                    GraphEvent other = graph.task("other", latch::open).dispatch();
                    graph.awaitAll(blocked, other);
                }
            }
        });
    }

    /** While one region ends and lets its spare go, another begins and needs one. */
    @Test
    void aSpareThatIsAboutToRestIsNotOverlooked() {
        Schedules.explore(122, scheduler -> {
            try (TaskGraph graph = graph(scheduler, 2, 1)) {
                Latch first = new Latch(scheduler);
                GraphEvent a = blocked(graph, first);
                GraphEvent b = graph.task("opens and blocks", () -> {
                            first.open();
                            Latch second = new Latch(scheduler);
                            graph.task("opens", second::open).dispatch();
                            graph.blocking("second", () -> {
                                second.block();
                                return 0;
                            });
                        })
                        .dispatch();
                graph.awaitAll(a, b);
            }
        });
    }

    @Test
    void everyWorkerMayBlock() {
        Schedules.explore(123, scheduler -> {
            try (TaskGraph graph = graph(scheduler, 2, 2)) {
                Latch latch = new Latch(scheduler);
                GraphEvent a = blocked(graph, latch);
                GraphEvent b = blocked(graph, latch);
                GraphEvent opens = graph.task("opens", latch::open).dispatch();
                graph.awaitAll(a, b, opens);
            }
        });
    }

    /** Two run at a time after the end of one region, too: the spare of the other is not too many. */
    @Test
    void oneRegionEndsAndTheOtherGoesOn() {
        Schedules.explore(129, scheduler -> {
            try (TaskGraph graph = graph(scheduler, 2, 2)) {
                Latch first = new Latch(scheduler);
                Latch second = new Latch(scheduler);
                GraphEvent a = blocked(graph, first);
                GraphEvent b = blocked(graph, second);
                graph.task("opens", first::open).dispatch();
                a.await();
                for (int round = 0; round < 2; round++) {
                    GraphEvent left = graph.event("left");
                    GraphEvent right = graph.event("right");
                    GraphEvent one = graph.task("one", () -> {
                                left.trigger();
                                right.await();
                            })
                            .dispatch();
                    GraphEvent other = graph.task("other", () -> {
                                right.trigger();
                                left.await();
                            })
                            .dispatch();
                    graph.awaitAll(one, other);
                }
                second.open();
                b.await();
            }
        });
    }

    @Test
    void thePoolShrinksWhenRegionsEnd() {
        Schedules.explore(124, scheduler -> {
            try (TaskGraph graph = graph(scheduler, 1, 1)) {
                Latch latch = new Latch(scheduler);
                GraphEvent blocked = blocked(graph, latch);
                GraphEvent opens = graph.task("opens", latch::open).dispatch();
                graph.awaitAll(blocked, opens);
                int[] running = new int[1];
                int[] onSpare = new int[1];
                int[] most = new int[1];
                GraphEvent[] later = new GraphEvent[4];
                for (int i = 0; i < later.length; i++) {
                    later[i] = graph.task("later", () -> {
                                running[0]++;
                                most[0] = Math.max(most[0], running[0]);
                                if (Thread.currentThread().getName().contains("spare")) {
                                    onSpare[0]++;
                                }
                                scheduler.point("later");
                                running[0]--;
                            })
                            .dispatch();
                }
                graph.awaitAll(later);
                // The spare may have been about to take a task when the region ended; then it rests.
                assertThat(onSpare[0]).isLessThanOrEqualTo(1);
                assertThat(most[0]).isLessThanOrEqualTo(1 + onSpare[0]);
            }
        });
    }

    /** A spare that is woken for work and finds itself too many passes the wake-up on. */
    @Test
    void aWakeUpThatReachesASpareWhichMustRestIsNotLost() {
        Schedules.explore(125, scheduler -> {
            try (TaskGraph graph = graph(scheduler, 2, 1)) {
                Latch latch = new Latch(scheduler);
                GraphEvent blocked = blocked(graph, latch);
                GraphEvent meet = graph.event("meet");
                GraphEvent a = graph.task("a", () -> {
                            latch.open();
                            graph.task("b", meet::trigger).dispatch();
                            // Waits in the hands of another worker: somebody has to be woken for "b".
                            meet.await();
                        })
                        .dispatch();
                graph.awaitAll(blocked, a);
                GraphEvent c = graph.task("c", () -> {}).dispatch();
                GraphEvent d = graph.task("d", () -> {}).dispatch();
                graph.awaitAll(c, d);
            }
        });
    }

    @Test
    void regionsAreClosedWithTheirGraph() {
        Schedules.explore(126, scheduler -> {
            TaskGraph graph = graph(scheduler, 1, 1);
            Latch latch = new Latch(scheduler);
            GraphEvent blocked = blocked(graph, latch);
            GraphEvent opens = graph.task("opens", latch::open).dispatch();
            graph.close();
            assertThat(blocked.isFailed()).isFalse();
            assertThat(opens.isFailed()).isFalse();
        });
    }

    /** What is in a region while the graph closes may need a spare that was resting when it began to. */
    @Test
    void aRestingSpareIsThereUntilTheLastWorkerHasEnded() {
        Schedules.explore(128, scheduler -> {
            TaskGraph graph = graph(scheduler, 1, 1);
            graph.broadcast("starts the spare worker", () -> {}).await();
            Latch latch = new Latch(scheduler);
            GraphEvent blocked = blocked(graph, latch);
            GraphEvent opens = graph.task("opens", latch::open).dispatch();
            graph.close();
            assertThat(blocked.isFailed()).isFalse();
            assertThat(opens.isFailed()).isFalse();
        });
    }

    /** The spare takes what the blocked worker has in its deque; two others wait for what comes of it. */
    @Test
    void aRegionAndAWaitAtTheSameTime() {
        Schedules.explore(127, scheduler -> {
            try (TaskGraph graph = graph(scheduler, 3, 1)) {
                Latch latch = new Latch(scheduler);
                GraphEvent a = graph.task("a", () -> {
                            graph.task("opens", latch::open).dispatch();
                            graph.blocking("latch", () -> {
                                latch.block();
                                return 0;
                            });
                        })
                        .dispatch();
                GraphEvent shared = graph.task("shared", () -> scheduler.point("shared"))
                        .after(a)
                        .dispatch();
                GraphEvent b = graph.task("b", shared::await).dispatch();
                GraphEvent c = graph.task("c", shared::await).dispatch();
                graph.awaitAll(a, b, c);
            }
        });
    }
}
