package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.taskgraph.deterministic.DeterministicScheduler;
import io.frameloom.taskgraph.deterministic.Exploration;
import io.frameloom.testing.TestEffort;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Graphs that are launched once from all kinds of threads, and waits for their nodes, under chosen schedules. That
 * nothing hangs needs no assertion: the scheduler fails such a run.
 */
final class RunOnceScheduleTest {
    /** Enough nodes to be run by one thread in the beginning, and shared later if bodies take time. */
    private static CheckedGraph layers(DeterministicScheduler scheduler, TaskGraph graph) {
        CheckedGraph checked = new CheckedGraph(scheduler, graph);
        CheckedGraph.Node before = checked.node("0", WorkerLevel.NORMAL);
        for (int i = 1; i < 12; i++) {
            CheckedGraph.Node node = checked.node("" + i, WorkerLevel.NORMAL, before);
            before = i % 3 == 0 ? node : before;
        }
        return checked;
    }

    @Test
    void aBatchThatTurnsOutToBeLongIsShared() {
        for (boolean takesTime : new boolean[] {false, true}) {
            boolean[] helped = new boolean[1];
            Schedules.explore(131, scheduler -> {
                try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                    CheckedGraph checked = layers(scheduler, graph);
                    checked.takesTime = takesTime;
                    checked.builder.executeOnce();
                    checked.check(1);
                    helped[0] |= scheduler.log().stream()
                            .anyMatch(line -> line.contains("g-worker") && line.contains("in 11"));
                }
            });
            assertThat(helped[0]).isEqualTo(takesTime);
        }
    }

    /** The first body waits for another one that is independent of it: a worker shares the run while it does. */
    @Test
    void aWorkerSharesARunWhoseBodyBlocks() {
        for (boolean byCaller : new boolean[] {true, false}) {
            Schedules.explore(139, scheduler -> {
                try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                    CheckedGraph checked = new CheckedGraph(scheduler, graph);
                    GraphEvent meets = graph.event("meets");
                    checked.builder.node("waits", meets::await);
                    CheckedGraph.Node apart = checked.node("apart", WorkerLevel.NORMAL);
                    checked.builder.node("meets", meets::trigger);
                    checked.node("after", WorkerLevel.NORMAL, apart);
                    if (byCaller) {
                        checked.builder.executeOnce();
                    } else {
                        checked.builder.runOnce().await();
                    }
                    checked.check(1);
                }
            });
        }
    }

    /** The launcher waits, a worker waits, and a helper begins: any of them may run the nodes, alone or not. */
    @Test
    void anyThreadMayBeginWhatManyAwait() {
        for (boolean takesTime : new boolean[] {false, true}) {
            Schedules.explore(132, scheduler -> {
                try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                    CheckedGraph checked = layers(scheduler, graph);
                    checked.takesTime = takesTime;
                    RunEvent run = checked.builder.runOnce();
                    Thread other = scheduler.thread("other", run::await);
                    GraphEvent waits = graph.task("waits", run::await).dispatch();
                    run.await();
                    checked.check(1);
                    scheduler.join(other);
                    waits.await();
                }
            });
        }
    }

    @Test
    void aNodeIsAwaitedByAllKindsOfThreads() {
        for (boolean takesTime : new boolean[] {false, true}) {
            Schedules.explore(133, scheduler -> {
                try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                    graph.start(NamedThread.RENDER);
                    CheckedGraph checked = layers(scheduler, graph);
                    checked.takesTime = takesTime;
                    CheckedGraph.Node sixth = checked.nodes.get(6);
                    RunEvent event = sixth.declared.event();
                    TaskBody waits = () -> {
                        event.await();
                        assertThat(sixth.ended).isEqualTo(1);
                    };
                    GraphEvent behind = graph.task(
                                    "behind", () -> assertThat(sixth.ended).isEqualTo(1))
                            .after(event.asEvent())
                            .dispatch();
                    RunEvent run = checked.builder.runOnce();
                    Thread other = scheduler.thread("other", waits);
                    GraphEvent worker = graph.task("worker", waits).dispatch();
                    GraphEvent render =
                            graph.task("render", waits).on(NamedThread.RENDER).dispatch();
                    waits.run();
                    scheduler.join(other);
                    graph.awaitAll(behind, worker, render);
                    run.await();
                    checked.check(1);
                }
            });
        }
    }

    /** The run cannot end before those that wait for its first node have seen that end. */
    @Test
    void whoWaitsForANodeIsWokenBeforeTheRunEnds() {
        Schedules.explore(138, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                graph.start(NamedThread.RENDER);
                GraphEvent[] seen = {graph.event("outside"), graph.event("render")};
                GraphBuilder b = graph.graphBuilder("batch");
                GraphNode first = b.node("first", () -> {});
                RunEvent event = first.event();
                b.node("last", () -> graph.awaitAll(seen)).after(first);
                RunEvent run = b.runOnce();
                Thread outside = scheduler.thread("outside", () -> {
                    event.await();
                    seen[0].trigger();
                });
                GraphEvent render = graph.task("render", () -> {
                            event.await();
                            seen[1].trigger();
                        })
                        .on(NamedThread.RENDER)
                        .dispatch();
                run.await();
                scheduler.join(outside);
                render.await();
            }
        });
    }

    /** The event is asked for while the node ends; it is triggered once. */
    @Test
    void theEventOfANodeIsMadeWhileTheNodeEnds() {
        Schedules.explore(134, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                CheckedGraph checked = layers(scheduler, graph);
                RunEvent event = checked.nodes.get(1).declared.event();
                checked.builder.runOnce();
                Thread other = scheduler.thread("other", () -> event.asEvent().await());
                event.asEvent().await();
                scheduler.join(other);
                assertThat(checked.nodes.get(1).ended).isEqualTo(1);
            }
        });
    }

    /** Nobody but the worker that waits can run what a named thread makes ready. */
    @Test
    void theOnlyWorkerWaitsForANode() {
        Schedules.explore(135, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                graph.start(NamedThread.RENDER);
                CheckedGraph checked = new CheckedGraph(scheduler, graph);
                CheckedGraph.Node draw = checked.node("draw", NamedThread.RENDER);
                CheckedGraph.Node back = checked.node("read back", WorkerLevel.NORMAL, draw);
                CheckedGraph.Node again = checked.node("draw again", NamedThread.RENDER, back);
                checked.node("read back again", WorkerLevel.NORMAL, again);
                RunEvent drawnAgain = again.declared.event();
                graph.task("launches", () -> {
                            RunEvent run = checked.builder.runOnce();
                            drawnAgain.await();
                            assertThat(again.ended).isEqualTo(1);
                            run.await();
                        })
                        .dispatch()
                        .await();
                checked.check(1);
            }
        });
    }

    @Test
    void aWaitForANodeWithALimitTellsTheTruth() {
        int[] ends = new int[2];
        Schedules.exploreWithTime(136, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                CheckedGraph checked = layers(scheduler, graph);
                checked.takesTime = true;
                RunEvent event = checked.nodes.get(11).declared.event();
                RunEvent run = checked.builder.runOnce();
                Thread other = scheduler.thread("other", () -> {
                    boolean over = event.await(Duration.ofNanos(1));
                    assertThat(over && !event.isComplete()).isFalse();
                    ends[over ? 1 : 0]++;
                });
                run.await();
                checked.check(1);
                scheduler.join(other);
            }
        });
        assertThat(ends).doesNotContain(0);
    }

    @Test
    void aLaunchThatMeetsTheCloseEndsEitherWay() {
        int[] outcomes = new int[3];
        Schedules.explore(137, scheduler -> {
            TaskGraph graph = Schedules.graph(scheduler, 2);
            graph.start(NamedThread.RENDER);
            CheckedGraph checked = layers(scheduler, graph);
            checked.node("draw", NamedThread.RENDER, checked.nodes.get(6));
            RunEvent event = checked.nodes.get(12).declared.event();
            Thread closer = scheduler.thread("closer", graph::close);
            try {
                RunEvent run = checked.builder.runOnce();
                run.await();
                checked.check(1);
                event.await();
                outcomes[0]++;
            } catch (RunFailedException e) {
                assertThat(e).hasRootCauseInstanceOf(TaskGraphClosedException.class);
                outcomes[1]++;
            } catch (TaskGraphClosedException e) {
                checked.check(0);
                outcomes[2]++;
            }
            graph.close();
            scheduler.join(closer);
            assertThat(checked.problems).isEmpty();
        });
        assertThat(outcomes).doesNotContain(0);
    }

    @Test
    void randomBatches() {
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
                boolean alike = random.nextBoolean();
                try (TaskGraph graph = Schedules.graph(scheduler, 1 + random.nextInt(2))) {
                    graph.start(NamedThread.RENDER);
                    graph.start(NamedThread.RHI);
                    CheckedGraph checked = new CheckedGraph(scheduler, graph);
                    checked.takesTime = random.nextBoolean();
                    for (int i = 0; i < 10; i++) {
                        CheckedGraph.Node[] prerequisites = checked.nodes.stream()
                                .filter(node -> random.nextInt(3) == 0)
                                .toArray(CheckedGraph.Node[]::new);
                        checked.node(
                                "node " + i,
                                alike ? WorkerLevel.NORMAL : targets.get(random.nextInt(targets.size())),
                                prerequisites);
                    }
                    CheckedGraph.Node chosenNode = checked.nodes.get(random.nextInt(10));
                    RunEvent event = chosenNode.declared.event();
                    checked.builder.maxHelpers(random.nextInt(3));
                    Thread other = null;
                    if (random.nextBoolean()) {
                        checked.builder.executeOnce();
                    } else {
                        RunEvent run = checked.builder.runOnce();
                        other = scheduler.thread("other", event::await);
                        graph.task("waiter", event::await).fireAndForget();
                        run.await();
                    }
                    event.await();
                    checked.check(1);
                    if (other != null) {
                        scheduler.join(other);
                    }
                }
            });
        }
    }
}
