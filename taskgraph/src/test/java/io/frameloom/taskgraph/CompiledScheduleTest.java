package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.taskgraph.deterministic.DeterministicScheduler;
import io.frameloom.taskgraph.deterministic.Exploration;
import io.frameloom.testing.TestEffort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Runs of compiled graphs from all kinds of threads, under chosen schedules. That nothing hangs needs no
 * assertion: the scheduler fails such a run.
 */
final class CompiledScheduleTest {
    private static CheckedGraph diamonds(DeterministicScheduler scheduler, TaskGraph graph, ExecutionTarget middle) {
        CheckedGraph checked = new CheckedGraph(scheduler, graph);
        CheckedGraph.Node first = checked.node("first", WorkerLevel.NORMAL);
        CheckedGraph.Node left = checked.node("left", WorkerLevel.NORMAL, first);
        CheckedGraph.Node right = checked.node("right", middle, first);
        CheckedGraph.Node apart = checked.node("apart", WorkerLevel.NORMAL);
        checked.node("last", WorkerLevel.NORMAL, left, right, apart);
        return checked;
    }

    @Test
    void aThreadOutsideExecutesRunAfterRun() {
        Schedules.explore(61, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                CheckedGraph checked = diamonds(scheduler, graph, WorkerLevel.HIGH);
                checked.takesTime = true;
                CompiledGraph frame = checked.builder.build();
                for (int run = 1; run <= 3; run++) {
                    frame.execute();
                    checked.check(run);
                }
            }
        });
    }

    /** A helper that leaves one run finds itself counted by the thread that begins the next. */
    @Test
    void aHelperThatIsAboutToLeaveHelpsTheNextRun() {
        Schedules.explore(74, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                CheckedGraph checked = new CheckedGraph(scheduler, graph);
                checked.node("only", WorkerLevel.NORMAL);
                CompiledGraph frame = checked.builder.maxHelpers(1).build();
                for (int run = 1; run <= 3; run++) {
                    frame.run().asEvent().await();
                    checked.check(run);
                }
            }
        });
    }

    @Test
    void workersRunWhatOthersAwait() {
        Schedules.explore(62, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                CheckedGraph checked = diamonds(scheduler, graph, WorkerLevel.BACKGROUND);
                CompiledGraph frame = checked.builder.build();
                for (int run = 1; run <= 2; run++) {
                    RunEvent event = frame.run();
                    Thread other = scheduler.thread("other", event::await);
                    event.await();
                    checked.check(run);
                    scheduler.join(other);
                }
            }
        });
    }

    @Test
    void workersExecuteAndAwait() {
        Schedules.explore(63, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                CheckedGraph checked = diamonds(scheduler, graph, WorkerLevel.BACKGROUND);
                checked.takesTime = true;
                CompiledGraph frame = checked.builder.build();
                GraphEvent executor = graph.task("executor", () -> {
                            frame.execute();
                            checked.check(1);
                            frame.run().await();
                            checked.check(2);
                        })
                        .dispatch();
                GraphEvent waiter =
                        graph.task("waiter", () -> frame.event().await()).dispatch();
                graph.awaitAll(executor, waiter);
                checked.check(2);
            }
        });
    }

    @Test
    void namedThreadsRunTheirNodesWhoeverWaits() {
        Schedules.explore(64, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                graph.start(NamedThread.RENDER);
                Thread.currentThread().setName("GAME");
                graph.attach(NamedThread.GAME);
                CheckedGraph checked = new CheckedGraph(scheduler, graph);
                CheckedGraph.Node game = checked.node("game", NamedThread.GAME);
                CheckedGraph.Node cull = checked.node("cull", WorkerLevel.NORMAL, game);
                CheckedGraph.Node draw = checked.node("draw", NamedThread.RENDER, cull);
                CheckedGraph.Node local = checked.node("local", NamedThread.GAME.local(), cull);
                checked.node("present", NamedThread.RENDER.local(), draw, local);
                CompiledGraph frame = checked.builder.build();
                frame.execute();
                checked.check(1);
                frame.run().await();
                checked.check(2);
                GraphEvent third = graph.task("third", frame::execute).dispatch();
                while (!third.isComplete()) {
                    graph.processUntilIdle(NamedThread.GAME);
                    frame.event().await();
                    third.await(Duration.ofMillis(1));
                }
                checked.check(3);
                graph.detach(NamedThread.GAME);
            }
        });
    }

    @Test
    void nodesOnNamedThreadsOnlyNeedNobodyElse() {
        Schedules.explore(65, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                graph.start(NamedThread.RENDER);
                graph.start(NamedThread.RHI);
                CheckedGraph checked = new CheckedGraph(scheduler, graph);
                CheckedGraph.Node draw = checked.node("draw", NamedThread.RENDER);
                CheckedGraph.Node submit = checked.node("submit", NamedThread.RHI, draw);
                checked.node("present", NamedThread.RENDER.local(), submit);
                checked.node("stats", NamedThread.RHI);
                CompiledGraph frame = checked.builder.build();
                for (int run = 1; run <= 2; run++) {
                    Thread early = scheduler.thread("early", () -> frame.event().await());
                    frame.run().await();
                    checked.check(run);
                    scheduler.join(early);
                }
                frame.execute();
                checked.check(3);
            }
        });
    }

    /** Nobody but the waiter may be looking for work when a named thread makes some ready. */
    @Test
    void whatANamedThreadMakesReadyIsRunThoughTheOnlyOneThatLooksGivesUp() {
        Schedules.explore(72, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                graph.start(NamedThread.RENDER);
                CheckedGraph checked = new CheckedGraph(scheduler, graph);
                CheckedGraph.Node draw = checked.node("draw", NamedThread.RENDER);
                checked.node("readBack", WorkerLevel.NORMAL, draw);
                CompiledGraph frame = checked.builder.build();
                for (int run = 1; run <= 2; run++) {
                    frame.run().await();
                    checked.check(run);
                }
            }
        });
    }

    @Test
    void ofTwoThatBeginARunOneIsRefused() {
        int[] refused = new int[1];
        Schedules.explore(66, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                CheckedGraph checked = diamonds(scheduler, graph, WorkerLevel.NORMAL);
                CompiledGraph frame = checked.builder.build();
                int[] accepted = new int[1];
                TaskBody begin = () -> {
                    for (int i = 0; i < 2; i++) {
                        try {
                            frame.execute();
                            accepted[0]++;
                        } catch (IllegalStateException e) {
                            assertThat(e).hasMessageContaining("graph 'frame' is running");
                            refused[0]++;
                        }
                    }
                };
                Thread other = scheduler.thread("other", begin);
                begin.run();
                scheduler.join(other);
                assertThat(accepted[0]).isBetween(1, 4);
                checked.check(accepted[0]);
            }
        });
        assertThat(refused[0]).isPositive();
    }

    @Test
    void aRunThatMeetsTheCloseEndsEitherWay() {
        int[] outcomes = new int[3];
        Schedules.explore(67, scheduler -> {
            TaskGraph graph = Schedules.graph(scheduler, 2);
            graph.start(NamedThread.RENDER);
            CheckedGraph checked = diamonds(scheduler, graph, NamedThread.RENDER);
            CompiledGraph frame = checked.builder.build();
            Thread closer = scheduler.thread("closer", graph::close);
            Thread waiter = scheduler.thread("waiter", () -> {
                try {
                    frame.event().await();
                } catch (RunFailedException e) {
                    assertThat(e).hasRootCauseInstanceOf(TaskGraphClosedException.class);
                }
            });
            int runs = 0;
            try {
                frame.execute();
                checked.check(++runs);
                frame.run().await();
                checked.check(++runs);
                outcomes[0]++;
            } catch (RunFailedException e) {
                assertThat(e).hasRootCauseInstanceOf(TaskGraphClosedException.class);
                outcomes[1]++;
            } catch (TaskGraphClosedException e) {
                checked.check(runs);
                outcomes[2]++;
            }
            graph.close();
            scheduler.join(closer);
            scheduler.join(waiter);
            assertThat(frame.event().isComplete()).isTrue();
            assertThat(checked.problems).isEmpty();
        });
        assertThat(outcomes).doesNotContain(0);
    }

    /** The first run is short and makes the second begin alone; there the helpers are invited in the middle. */
    @Test
    void aRunThatTurnsOutToBeLongIsShared() {
        boolean[] helped = new boolean[1];
        Schedules.explore(68, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                CheckedGraph checked = new CheckedGraph(scheduler, graph);
                CheckedGraph.Node before = checked.node("0", WorkerLevel.NORMAL);
                for (int i = 1; i < 20; i++) {
                    CheckedGraph.Node node = checked.node("" + i, WorkerLevel.NORMAL, before);
                    before = i % 3 == 0 ? node : before;
                }
                CompiledGraph frame = checked.builder.build();
                frame.execute();
                checked.check(1);
                checked.takesTime = true;
                int switches = scheduler.schedule().length();
                frame.execute();
                checked.check(2);
                helped[0] |= scheduler.log().stream()
                        .skip(switches)
                        .anyMatch(line -> line.contains("g-worker") && line.contains("in 19"));
                frame.execute();
                checked.check(3);
            }
        });
        assertThat(helped[0]).isTrue();
    }

    @Test
    void withoutHelpersOneThreadAtATimeRunsNodes() {
        Schedules.explore(69, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                graph.start(NamedThread.RENDER);
                CheckedGraph checked = new CheckedGraph(scheduler, graph);
                CheckedGraph.Node first = checked.node("first", WorkerLevel.NORMAL);
                CheckedGraph.Node draw = checked.node("draw", NamedThread.RENDER, first);
                checked.node("second", WorkerLevel.BACKGROUND, first);
                checked.node("last", WorkerLevel.HIGH, draw);
                CompiledGraph frame = checked.builder.maxHelpers(0).build();
                frame.execute();
                checked.check(1);
                RunEvent event = frame.run();
                Thread other = scheduler.thread("other", event::await);
                event.await();
                checked.check(2);
                scheduler.join(other);
            }
        });
    }

    @Test
    void tasksStandBehindTheRunTheyWereGiven() {
        Schedules.explore(70, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                CheckedGraph checked = diamonds(scheduler, graph, WorkerLevel.NORMAL);
                CompiledGraph frame = checked.builder.build();
                List<GraphEvent> behind = new ArrayList<>();
                for (int run = 1; run <= 2; run++) {
                    int least = run;
                    GraphEvent over = frame.run().asEvent();
                    behind.add(graph.task(
                                    "behind",
                                    () -> checked.nodes.forEach(
                                            node -> assertThat(node.ended).isGreaterThanOrEqualTo(least)))
                            .after(over)
                            .dispatch());
                    frame.event().await();
                }
                graph.awaitAll(behind.toArray(GraphEvent[]::new));
                checked.check(2);
            }
        });
    }

    @Test
    void aWaitWithALimitTellsTheTruth() {
        int[] ends = new int[2];
        Schedules.exploreWithTime(71, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                CheckedGraph checked = diamonds(scheduler, graph, WorkerLevel.NORMAL);
                checked.takesTime = true;
                CompiledGraph frame = checked.builder.build();
                RunEvent event = frame.run();
                Thread other = scheduler.thread("other", () -> {
                    boolean over = event.await(Duration.ofNanos(1));
                    assertThat(over && !event.isComplete()).isFalse();
                    ends[over ? 1 : 0]++;
                });
                event.await();
                checked.check(1);
                scheduler.join(other);
            }
        });
        assertThat(ends).doesNotContain(0);
    }

    @Test
    void randomGraphsRunAgainAndAgain() {
        List<ExecutionTarget> targets = List.of(
                WorkerLevel.NORMAL,
                WorkerLevel.NORMAL,
                WorkerLevel.HIGH,
                WorkerLevel.BACKGROUND,
                NamedThread.RENDER,
                NamedThread.RHI.local());
        for (long seed = 1; seed <= TestEffort.of(15, 30); seed++) {
            long chosen = seed;
            DeterministicScheduler.explore(Exploration.mixed(seed, 12), scheduler -> {
                Random random = new Random(chosen);
                try (TaskGraph graph = Schedules.graph(scheduler, 1 + random.nextInt(2))) {
                    graph.start(NamedThread.RENDER);
                    graph.start(NamedThread.RHI);
                    CheckedGraph checked = new CheckedGraph(scheduler, graph);
                    for (int i = 0; i < 8; i++) {
                        CheckedGraph.Node[] prerequisites = checked.nodes.stream()
                                .filter(node -> random.nextInt(3) == 0)
                                .toArray(CheckedGraph.Node[]::new);
                        checked.node("node " + i, targets.get(random.nextInt(targets.size())), prerequisites);
                    }
                    CompiledGraph frame =
                            checked.builder.maxHelpers(random.nextInt(3)).build();
                    for (int run = 1; run <= 3; run++) {
                        checked.takesTime = random.nextBoolean();
                        if (random.nextBoolean()) {
                            frame.execute();
                        } else {
                            RunEvent event = frame.run();
                            graph.task("waiter", event::await).fireAndForget();
                            event.await();
                        }
                        checked.check(run);
                    }
                }
            });
        }
    }
}
