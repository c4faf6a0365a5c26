package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.taskgraph.deterministic.DeterministicScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Handing out a broadcast (race 35) against sleeping, waiting, closing, attaching and another broadcast. That no
 * share is lost needs no assertion: the scheduler fails a run in which somebody waits for good.
 */
final class BroadcastScheduleTest {
    /** Counts who ran a body; the scheduler orders all accesses. */
    private static final class Roll {
        final Map<String, Integer> runs = new HashMap<>();

        void note() {
            runs.merge(Thread.currentThread().getName(), 1, Integer::sum);
        }

        void everybodyOnce(String... threads) {
            assertThat(runs).containsOnlyKeys(threads);
            assertThat(runs.values()).containsOnly(1);
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

    @Test
    void everybodyRunsItOnceWhateverTheyAreDoing() {
        Schedules.explore(101, scheduler -> {
            Roll roll = new Roll();
            try (TaskGraph graph = graph(scheduler, 2, 0)) {
                graph.start(NamedThread.RENDER);
                GraphEvent task =
                        graph.task("task", () -> scheduler.point("in the task")).dispatch();
                GraphEvent all = graph.broadcast("all", roll::note);
                graph.task("later", () -> {}).dispatch();
                graph.awaitAll(all, task);
                roll.everybodyOnce("g-worker-0", "g-worker-1", "g-RENDER");
            }
        });
    }

    /** Wake-ups for work are given out while workers fall asleep that have yet to see their share (race 16). */
    @Test
    void aWakeUpForWorkDoesNotStandInForOneForABroadcast() {
        Schedules.explore(102, scheduler -> {
            Roll roll = new Roll();
            try (TaskGraph graph = graph(scheduler, 3, 0)) {
                Thread producer = scheduler.thread("producer", () -> {
                    graph.task("a", () -> {}).dispatch();
                    graph.task("b", () -> {}).dispatch();
                });
                graph.broadcast("all", roll::note).await();
                scheduler.join(producer);
                roll.everybodyOnce("g-worker-0", "g-worker-1", "g-worker-2");
            }
        });
    }

    @Test
    void workersThatWaitForEachOthersBroadcastsGoOn() {
        Schedules.explore(103, scheduler -> {
            Roll first = new Roll();
            Roll second = new Roll();
            try (TaskGraph graph = graph(scheduler, 2, 0)) {
                GraphEvent a = graph.task(
                                "a", () -> graph.broadcast("first", first::note).await())
                        .dispatch();
                GraphEvent b = graph.task(
                                "b",
                                () -> graph.broadcast("second", second::note).await())
                        .dispatch();
                graph.awaitAll(a, b);
                first.everybodyOnce("g-worker-0", "g-worker-1");
                second.everybodyOnce("g-worker-0", "g-worker-1");
            }
        });
    }

    @Test
    void aWaitingWorkerIsToldWhenTheBroadcastBegins() {
        Schedules.explore(104, scheduler -> {
            Roll roll = new Roll();
            try (TaskGraph graph = graph(scheduler, 1, 0)) {
                GraphEvent begin = graph.event("begin");
                GraphEvent all = graph.broadcast("all", roll::note, begin);
                GraphEvent waiting = graph.task("waiting", all::await).dispatch();
                begin.trigger();
                waiting.await();
                roll.everybodyOnce("g-worker-0");
            }
        });
    }

    @Test
    void aWaitForSomethingElseRunsNoShare() {
        Schedules.explore(105, scheduler -> {
            boolean[] inside = new boolean[1];
            boolean[] ranInside = new boolean[1];
            try (TaskGraph graph = graph(scheduler, 1, 0)) {
                GraphEvent other = graph.event("other");
                GraphEvent waiting = graph.task("waiting", () -> {
                            inside[0] = true;
                            other.await();
                            inside[0] = false;
                        })
                        .dispatch();
                GraphEvent all = graph.broadcast("all", () -> ranInside[0] |= inside[0]);
                other.trigger();
                graph.awaitAll(waiting, all);
                assertThat(ranInside[0]).isFalse();
            }
        });
    }

    @Test
    void aBroadcastEndsWhateverCloses() {
        Schedules.explore(106, scheduler -> {
            Roll roll = new Roll();
            List<GraphEvent> accepted = new ArrayList<>();
            TaskGraph graph = graph(scheduler, 2, 0);
            graph.start(NamedThread.RENDER);
            GraphEvent begin = graph.event("begin");
            accepted.add(graph.broadcast("behind", () -> {}, begin));
            Thread caller = scheduler.thread("caller", () -> {
                try {
                    accepted.add(graph.broadcast("all", roll::note));
                    begin.trigger();
                } catch (TaskGraphClosedException e) {
                    assertThat(e).hasMessageContaining("refused");
                }
            });
            graph.close();
            scheduler.join(caller);
            for (GraphEvent all : accepted) {
                assertThat(all.isComplete()).as(all.name()).isTrue();
            }
            assertThat(roll.runs.values()).allMatch(count -> count == 1);
            if (accepted.size() == 2) {
                if (accepted.get(1).isFailed()) {
                    assertThat(accepted.get(1).failure()).isInstanceOf(TaskGraphClosedException.class);
                } else {
                    roll.runs.remove("g-RENDER");
                    roll.everybodyOnce("g-worker-0", "g-worker-1");
                }
            }
        });
    }

    @Test
    void aThreadThatDetachesMeanwhileRunsItOrHasNoPartInIt() {
        Schedules.explore(107, scheduler -> {
            Roll roll = new Roll();
            try (TaskGraph graph = graph(scheduler, 1, 0)) {
                TaskBody visit = () -> {
                    graph.attach(NamedThread.GAME);
                    scheduler.point("attached");
                    graph.processUntilIdle(NamedThread.GAME);
                    graph.detach(NamedThread.GAME);
                };
                Thread visitor = scheduler.thread("visitor", visit);
                graph.broadcast("all", roll::note).await();
                scheduler.join(visitor);
                roll.runs.remove("visitor");
                roll.everybodyOnce("g-worker-0");
            }
        });
    }

    @Test
    void anotherThreadOfTheSameNameDoesNotRunIt() {
        Schedules.explore(108, scheduler -> {
            Roll roll = new Roll();
            try (TaskGraph graph = graph(scheduler, 1, 0)) {
                graph.attach(NamedThread.GAME);
                Thread caller = scheduler.thread("caller", () -> {
                    graph.broadcast("all", roll::note).await();
                });
                scheduler.point("attached");
                graph.detach(NamedThread.GAME);
                String self = Thread.currentThread().getName();
                boolean took = roll.runs.containsKey(self);
                Thread next = scheduler.thread("next", () -> {
                    graph.attach(NamedThread.GAME);
                    graph.processUntilIdle(NamedThread.GAME);
                    graph.detach(NamedThread.GAME);
                });
                scheduler.join(next);
                scheduler.join(caller);
                assertThat(roll.runs.getOrDefault(self, 0)).isEqualTo(took ? 1 : 0);
                assertThat(roll.runs.getOrDefault("g-worker-0", 0)).isEqualTo(1);
                assertThat(roll.runs.values()).containsOnly(1);
            }
        });
    }

    /** Time passes only when nobody can run: then nobody searches, and nobody is said to have mail. */
    @Test
    void whenAllIsQuietTheCountsAreRight() {
        Schedules.explore(110, scheduler -> {
            try (TaskGraph graph = graph(scheduler, 2, 1)) {
                GraphEvent task = graph.task("task", () -> {}).dispatch();
                graph.broadcast("first", () -> {}).await();
                GraphEvent second = graph.broadcast("second", () -> {});
                GraphEvent blocking = graph.task("blocking", () -> graph.blocking("nothing", () -> 0))
                        .dispatch();
                graph.awaitAll(task, second, blocking);
                scheduler.sleep(Duration.ofMillis(1));
                assertThat(graph.parts.workers().searching()).isZero();
                assertThat(graph.parts.workers().blocked())
                        .isEqualTo(graph.parts.workers().workers().stream()
                                .filter(worker -> worker.resting)
                                .count());
                assertThat(graph.parts.workers().queues().showsMail()).isFalse();
                assertThat(graph.parts.runnable().valueVolatile()).isZero();
            }
        });
    }

    @Test
    void spareWorkersRunItInWhateverStateTheyAre() {
        Schedules.explore(109, scheduler -> {
            Roll first = new Roll();
            Roll second = new Roll();
            try (TaskGraph graph = graph(scheduler, 1, 1)) {
                GraphEvent open = graph.event("open");
                GraphEvent blocking = graph.task(
                                "blocking",
                                () -> graph.blocking("wait", () -> {
                                    open.await();
                                    return 0;
                                }))
                        .dispatch();
                GraphEvent a = graph.broadcast("first", first::note);
                graph.task("open", open::trigger).dispatch();
                GraphEvent b = graph.broadcast("second", second::note);
                graph.awaitAll(blocking, a, b);
                first.everybodyOnce("g-worker-0", "g-spare-0");
                second.everybodyOnce("g-worker-0", "g-spare-0");
            }
        });
    }
}
