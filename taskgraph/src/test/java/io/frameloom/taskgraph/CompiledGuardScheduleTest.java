package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.taskgraph.compiled.GraphPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * One program for each guard of the compiled engine that the programs of {@link CompiledScheduleTest} do not miss: with the
 * guard taken out, some schedule deadlocks or breaks what the program checks.
 */
final class CompiledGuardScheduleTest {
    /** Guard: of several threads that join a run, one gets the part of the caller ({@code RunCaller.claim}). */
    @Test
    void aNodeKnowsItsRunThoughSeveralThreadsJoinIt() {
        Schedules.explore(101, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent over = graph.event("over");
                graph.task("hog", over::await).fireAndForget();
                int[] refused = new int[1];
                RunEvent[] own = new RunEvent[1];
                GraphBuilder b = graph.graphBuilder("frame");
                b.node("selfish", () -> {
                    scheduler.point("in selfish");
                    try {
                        own[0].await();
                    } catch (IllegalStateException e) {
                        refused[0]++;
                    }
                });
                own[0] = b.build().run();
                Thread other = scheduler.thread("other", own[0]::await);
                own[0].await();
                scheduler.join(other);
                assertThat(refused[0]).isEqualTo(1);
                over.trigger();
            }
        });
    }

    /** Guard: who joins claims the caller's part inside the gate, so that it is free when a run begins. */
    @Test
    void aLateJoinerIsNotInTheWayOfTheNextRun() {
        for (boolean takesTime : new boolean[] {false, true}) {
            Schedules.explore(102, scheduler -> {
                try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                    CheckedGraph checked = new CheckedGraph(scheduler, graph);
                    checked.takesTime = takesTime;
                    checked.node("a", WorkerLevel.NORMAL);
                    checked.node("b", WorkerLevel.NORMAL);
                    CompiledGraph frame = checked.builder.build();
                    Thread late = scheduler.thread("late", () -> {
                        for (int i = 0; i < 20; i++) {
                            frame.event().await();
                        }
                    });
                    for (int run = 1; run <= 3; run++) {
                        frame.execute();
                        checked.check(run);
                    }
                    scheduler.join(late);
                }
            });
        }
    }

    /** Guard: the caller's part is given back inside the gate. */
    @Test
    void anotherThreadMayBeginTheNextRunAtOnce() {
        Schedules.explore(103, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                CheckedGraph checked = new CheckedGraph(scheduler, graph);
                checked.takesTime = true;
                checked.node("a", WorkerLevel.NORMAL);
                checked.node("b", WorkerLevel.NORMAL);
                CompiledGraph frame = checked.builder.build();
                TaskBody twoRuns = () -> {
                    for (int runs = 0; runs < 2; ) {
                        try {
                            frame.execute();
                            runs++;
                        } catch (IllegalStateException e) {
                            assertThat(e).hasMessageContaining("is running");
                            frame.event().await();
                        }
                    }
                };
                Thread other = scheduler.thread("other", twoRuns);
                twoRuns.run();
                scheduler.join(other);
                checked.check(4);
            }
        });
    }

    /** Guard: who launches a run enters the gate before it begins it, as another may have begun and ended it. */
    @Test
    void aLauncherThatIsLateLeavesTheNextRunAlone() {
        Schedules.explore(104, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                graph.start(NamedThread.RENDER);
                CheckedGraph checked = new CheckedGraph(scheduler, graph);
                checked.node("draw", NamedThread.RENDER);
                CompiledGraph frame = checked.builder.build();
                TaskBody twoRuns = () -> {
                    for (int runs = 0; runs < 2; ) {
                        try {
                            frame.run();
                            runs++;
                        } catch (IllegalStateException e) {
                            assertThat(e).hasMessageContaining("is running");
                        }
                        frame.event().await();
                    }
                };
                Thread other = scheduler.thread("other", twoRuns);
                twoRuns.run();
                scheduler.join(other);
                checked.check(4);
            }
        });
    }

    /** Guard: a joiner begins a run that was offered. */
    @Test
    void aWaiterBeginsTheRunThatNoWorkerCan() {
        Schedules.explore(105, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent over = graph.event("over");
                GraphEvent hogRuns = graph.event("hog runs");
                graph.task("hog", () -> {
                            hogRuns.trigger();
                            over.await();
                        })
                        .fireAndForget();
                hogRuns.await();
                CheckedGraph checked = new CheckedGraph(scheduler, graph);
                CheckedGraph.Node first = checked.node("first", WorkerLevel.NORMAL);
                checked.node("last", WorkerLevel.NORMAL, first);
                CompiledGraph frame = checked.builder.build();
                frame.run().await();
                checked.check(1);
                over.trigger();
            }
        });
    }

    /** Guard: before it parks, the caller of execute looks once more at the lanes that it serves. */
    @Test
    void aNamedThreadInExecuteSeesEveryNodeOfItsOwn() {
        Schedules.explore(106, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                graph.start(NamedThread.RENDER);
                Thread.currentThread().setName("GAME");
                graph.attach(NamedThread.GAME);
                CheckedGraph checked = new CheckedGraph(scheduler, graph);
                CheckedGraph.Node draw = checked.node("draw", NamedThread.RENDER);
                CheckedGraph.Node game = checked.node("game", NamedThread.GAME, draw);
                CheckedGraph.Node again = checked.node("draw again", NamedThread.RENDER, game);
                checked.node("game again", NamedThread.GAME.local(), again);
                CompiledGraph frame = checked.builder.build();
                for (int run = 1; run <= 2; run++) {
                    frame.execute();
                    checked.check(run);
                }
                graph.detach(NamedThread.GAME);
            }
        });
    }

    /** Guard: the thread that stops serving its lanes looks once more, after it has said so ({@code RunLane.endServing}). */
    @Test
    void aNodeThatArrivesWhenItsThreadStopsWaitingIsQueued() {
        int[] timedOut = new int[1];
        Schedules.exploreWithTime(107, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                graph.start(NamedThread.RENDER);
                Thread.currentThread().setName("GAME");
                graph.attach(NamedThread.GAME);
                CheckedGraph checked = new CheckedGraph(scheduler, graph);
                CheckedGraph.Node draw = checked.node("draw", NamedThread.RENDER);
                checked.node("game", NamedThread.GAME, draw);
                RunEvent run = checked.builder.build().run();
                Thread other = scheduler.thread("other", () -> {
                    run.await();
                    graph.requestReturn(NamedThread.GAME);
                });
                if (!run.await(Duration.ofNanos(1))) {
                    timedOut[0]++;
                }
                graph.processUntilReturnRequested(NamedThread.GAME);
                scheduler.join(other);
                checked.check(1);
                graph.detach(NamedThread.GAME);
            }
        });
        assertThat(timedOut[0]).isPositive();
    }

    /** Guard: a named thread that waits for a run looks once more at its local queue before it parks. */
    @Test
    void aLocalTaskRunsWhileItsThreadWaitsForTheRun() {
        Schedules.explore(108, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                graph.attach(NamedThread.GAME);
                GraphBuilder b = graph.graphBuilder("frame");
                b.node(
                        "asks",
                        () -> graph.task("local", () -> {})
                                .on(NamedThread.GAME.local())
                                .dispatch()
                                .await());
                CompiledGraph frame = b.build();
                for (int run = 1; run <= 2; run++) {
                    frame.run().await();
                }
                graph.detach(NamedThread.GAME);
            }
        });
    }

    /** Guard: without helpers, one thread at a time runs nodes of workers. */
    @Test
    void withoutHelpersBodiesDoNotOverlap() {
        Schedules.explore(109, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                graph.start(NamedThread.RENDER);
                GraphBuilder b = graph.graphBuilder("frame").maxHelpers(0);
                int[] inside = new int[2];
                TaskBody body = () -> {
                    inside[1] = Math.max(inside[1], ++inside[0]);
                    scheduler.point("in body");
                    inside[0]--;
                };
                GraphNode draw = b.node("draw", () -> {}).on(NamedThread.RENDER);
                for (int i = 0; i < 3; i++) {
                    b.node("apart", body);
                    b.node("behind", body).after(draw);
                }
                RunEvent run = b.build().run();
                Thread other = scheduler.thread("other", run::await);
                run.await();
                scheduler.join(other);
                assertThat(inside[1]).isEqualTo(1);
            }
        });
    }

    /** Guard: who gives back the right to run nodes alone looks for those that others were turned away from. */
    @Test
    void withoutHelpersNoNodeIsLeftToNobody() {
        Schedules.explore(110, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                graph.start(NamedThread.RENDER);
                CheckedGraph checked = new CheckedGraph(scheduler, graph);
                CheckedGraph.Node draw = checked.node("draw", NamedThread.RENDER);
                CheckedGraph.Node back = checked.node("read back", WorkerLevel.NORMAL, draw);
                CheckedGraph.Node again = checked.node("draw again", NamedThread.RENDER, back);
                checked.node("read back again", WorkerLevel.NORMAL, again);
                CompiledGraph frame = checked.builder.maxHelpers(0).build();
                for (int run = 1; run <= 2; run++) {
                    frame.run().await();
                    checked.check(run);
                }
            }
        });
    }

    /** Guard: completion triggers the events of its own run only. */
    @Test
    void anEventOfTheNextRunIsNotTriggeredByTheEndOfThisOne() {
        Schedules.explore(111, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                CheckedGraph checked = new CheckedGraph(scheduler, graph);
                checked.node("only", WorkerLevel.NORMAL);
                CompiledGraph frame = checked.builder.build();
                for (int run = 1; run <= 4; run += 2) {
                    frame.run().await();
                    frame.run().asEvent().await();
                    checked.check(run + 1);
                }
            }
        });
    }

    /** Guard: a worker that is blocked until the run ends is woken for what nobody else can run. */
    @Test
    void aWorkerThatWaitsForTheRunHelpsIt() {
        Schedules.explore(112, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                graph.start(NamedThread.RENDER);
                CheckedGraph checked = new CheckedGraph(scheduler, graph);
                CheckedGraph.Node draw = checked.node("draw", NamedThread.RENDER);
                CheckedGraph.Node back = checked.node("read back", WorkerLevel.NORMAL, draw);
                CheckedGraph.Node again = checked.node("draw again", NamedThread.RENDER, back);
                checked.node("read back again", WorkerLevel.NORMAL, again);
                CompiledGraph frame = checked.builder.build();
                graph.task("runs", () -> {
                            frame.run().await();
                            frame.run().await();
                        })
                        .dispatch()
                        .await();
                checked.check(2);
            }
        });
    }

    /** Guard: waiters beyond the places that cost no allocation are woken, too. */
    @Test
    void allOfManyWaitersAreWoken() {
        Schedules.explore(113, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent gate = graph.event("gate");
                GraphBuilder b = graph.graphBuilder("frame");
                b.node("waits", gate::await);
                RunEvent run = b.build().run();
                List<Thread> waiters = new ArrayList<>();
                for (int i = 0; i < 10; i++) {
                    waiters.add(scheduler.thread("waiter " + i, run::await));
                }
                scheduler.sleep(Duration.ofMillis(1));
                gate.trigger();
                for (Thread waiter : waiters) {
                    scheduler.join(waiter);
                }
            }
        });
    }

    /** Guard: arrivals that a lane has collected for a wide join are reported before it leaves. */
    @Test
    void aWideJoinBehindANamedThreadIsReached() {
        Schedules.explore(114, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                graph.start(NamedThread.RENDER);
                CheckedGraph checked = new CheckedGraph(scheduler, graph);
                CheckedGraph.Node[] draws = new CheckedGraph.Node[GraphPlan.WIDE_JOIN];
                for (int i = 0; i < draws.length; i++) {
                    draws[i] = checked.node("draw " + i, NamedThread.RENDER);
                }
                checked.node("join", WorkerLevel.NORMAL, draws);
                checked.builder.build().run().await();
                checked.check(1);
            }
        });
    }

    /**
     * Guard: a worker that parks in {@code execute} counts as blocked. What becomes ready carries the number of its walk,
     * from a wait that it gave up, so only the look at all blocked workers wakes the other one that waits.
     */
    @Test
    void aWorkerThatIsParkedInARunCountsAsBlocked() {
        Schedules.explore(310, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                graph.start(NamedThread.RENDER);
                GraphEvent gate = graph.event("gate");
                GraphEvent wanted = graph.task("wanted", () -> {}).after(gate).dispatch();
                GraphBuilder builder = graph.graphBuilder("bound");
                builder.node("waits", () -> wanted.await()).on(NamedThread.RENDER);
                CompiledGraph bound = builder.build();
                GraphEvent waits = graph.task("waits", () -> wanted.await()).dispatch();
                scheduler.sleep(Duration.ofSeconds(1));
                GraphEvent executes = graph.task("executes", () -> {
                            assertThat(wanted.await(Duration.ofMillis(1))).isFalse();
                            bound.execute();
                        })
                        .dispatch();
                scheduler.sleep(Duration.ofSeconds(1));
                gate.trigger();
                graph.awaitAll(waits, executes);
            }
        });
    }
}
