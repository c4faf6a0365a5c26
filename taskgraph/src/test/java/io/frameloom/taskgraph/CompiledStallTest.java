package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.taskgraph.deterministic.DeterministicScheduler;
import io.frameloom.taskgraph.deterministic.Exploration;
import io.frameloom.taskgraph.deterministic.ScheduledProgram;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A run of a compiled graph that stands still says why. The clock of the scheduler moves only when everybody is blocked, so
 * who sleeps looks at a complete stall.
 */
final class CompiledStallTest {
    private static final Duration LIMIT = Duration.ofSeconds(1);
    private static final Duration LATER = Duration.ofHours(1);

    private static void explore(ScheduledProgram program) {
        DeterministicScheduler.explore(Exploration.mixed(83, 40), program);
    }

    private static List<String> names(List<StallExplanation.Step> steps) {
        return steps.stream().map(StallExplanation.Step::name).toList();
    }

    /** In the second run one thread has all nodes to itself, unlike in the first. */
    @Test
    void aNodeThatBlocksIsNamedWithItsThreadItsStackAndWhatWaitsForIt() {
        for (boolean second : new boolean[] {false, true}) {
            explore(scheduler -> {
                try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                    GraphEvent gate = graph.event("gate");
                    boolean[] blocks = {!second};
                    GraphBuilder b = graph.graphBuilder("frame");
                    GraphNode first = b.node("first", () -> {});
                    GraphNode stuck = b.node("stuck", () -> {
                                if (blocks[0]) {
                                    gate.await(LATER);
                                }
                            })
                            .after(first);
                    GraphNode left = b.node("left", () -> {}).after(stuck, first);
                    GraphNode right = b.node("right", () -> {}).after(stuck);
                    b.node("last", () -> {}).after(left, right);
                    CompiledGraph frame = b.build();
                    if (second) {
                        frame.run().asEvent().await();
                        blocks[0] = true;
                    }
                    RunEvent run = frame.run();
                    GraphEvent behind = run.asEvent();
                    scheduler.sleep(LIMIT);
                    Thread waiter = scheduler.thread("waiter", run::await);
                    scheduler.sleep(LIMIT);
                    assertThat(graph.describeWaits())
                            .contains("run of graph 'frame': 1 of 5 nodes have ended")
                            .containsPattern("node 'stuck' is run by thread g-worker-0; 'right', 'left' wait for it\n"
                                    + "        at ")
                            .containsPattern("        at .*CompiledStallTest")
                            .contains("node 'left' waits for 'stuck'\n")
                            .contains("node 'last' waits for 'left', 'right'\n")
                            .contains("thread waiter waits for the run\n")
                            .doesNotContain("node 'first'");
                    StallExplanation why = run.explain();
                    assertThat(why.event()).isEqualTo("frame");
                    assertThat(why.isCycle()).isFalse();
                    assertThat(names(why.steps()))
                            .containsExactly("run of graph 'frame'", "node 'stuck'", "thread g-worker-0", "'gate'");
                    assertThat(why.steps().get(2).stack())
                            .anyMatch(frameOf -> frameOf.getClassName().equals(CompiledStallTest.class.getName()));
                    assertThat(why.toString())
                            .contains("is in progress; nodes that have not ended: 4 of 5")
                            .contains("is run by thread g-worker-0; waiting for it: 'right', 'left'")
                            .contains("waits for 'gate' inside node 'stuck' of graph 'frame'");
                    assertThat(names(behind.explain().steps()))
                            .startsWith("'frame'", "run of graph 'frame'", "node 'stuck'");
                    gate.trigger();
                    behind.await();
                    scheduler.join(waiter);
                    assertThat(run.explain().steps()).isEmpty();
                    assertThat(graph.describeWaits()).doesNotContain("run of graph");
                }
            });
        }
    }

    @Test
    void aLaneThatNobodyPumpsIsNamed() {
        explore(scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphBuilder b = graph.graphBuilder("frame");
                GraphNode cull = b.node("cull", () -> {});
                GraphNode draw = b.node("draw", () -> {}).on(NamedThread.RENDER).after(cull);
                b.node("present", () -> {}).after(draw);
                RunEvent run = b.build().run();
                scheduler.sleep(LIMIT);
                assertThat(graph.describeWaits())
                        .contains("node 'draw' is ready for RENDER, and no thread is attached to RENDER; "
                                + "call attach or start\n")
                        .contains("node 'present' waits for 'draw'\n");
                assertThat(names(run.explain().steps())).containsExactly("run of graph 'frame'", "node 'draw'");
                Thread owner = scheduler.thread("owner", () -> {
                    graph.attach(NamedThread.RENDER);
                    scheduler.sleep(LATER);
                    graph.processUntilIdle(NamedThread.RENDER);
                    graph.detach(NamedThread.RENDER);
                });
                scheduler.sleep(LIMIT);
                String idle = "thread owner is attached to it and does not process its queue; call processUntilIdle or "
                        + "processUntilReturnRequested on it";
                assertThat(graph.describeWaits()).contains("node 'draw' is ready for RENDER, but " + idle);
                StallExplanation why = run.explain();
                assertThat(why.toString()).contains("node 'draw' is ready for RENDER, but " + idle);
                assertThat(why.steps().get(1).thread()).isEqualTo("owner");
                run.await();
                scheduler.join(owner);
            }
        });
    }

    /** A body that is not expected to take long keeps what it made ready; the thread is what holds that up. */
    @Test
    void aReadyNodeThatABlockedThreadKeepsIsNamed() {
        explore(scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent gate = graph.event("gate");
                boolean[] blocks = new boolean[1];
                GraphBuilder b = graph.graphBuilder("frame").maxHelpers(0);
                GraphNode first = b.node("first", () -> {});
                b.node("stuck", () -> {
                            if (blocks[0]) {
                                gate.await(LATER);
                            }
                        })
                        .after(first);
                b.node("kept", () -> {}).after(first);
                b.node("draw", () -> {}).on(NamedThread.RENDER).after(first);
                CompiledGraph frame = b.build();
                graph.start(NamedThread.RENDER);
                frame.execute();
                blocks[0] = true;
                Thread executor = scheduler.thread("executor", frame::execute);
                scheduler.sleep(LIMIT);
                assertThat(graph.describeWaits())
                        .contains("run of graph 'frame': 2 of 4 nodes have ended\n")
                        .contains("node 'stuck' is run by thread executor\n")
                        .contains("node 'kept' is ready for thread executor, which runs 'stuck'\n");
                assertThat(names(frame.event().explain().steps()))
                        .containsExactly("run of graph 'frame'", "node 'stuck'", "thread executor", "'gate'");
                gate.trigger();
                scheduler.join(executor);
            }
        });
    }

    /** The game waits for the run, a node of the run for a task that only the game's main queue can run. */
    @Test
    void aCycleThroughARunIsFound() {
        explore(scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                CompiledGraph[] frame = new CompiledGraph[1];
                Thread game = scheduler.thread("game", () -> {
                    graph.attach(NamedThread.GAME);
                    GraphBuilder b = graph.graphBuilder("frame");
                    b.node(
                            "load",
                            () -> graph.task("callback", () -> {})
                                    .on(NamedThread.GAME)
                                    .dispatch()
                                    .await(LATER));
                    frame[0] = b.build();
                    frame[0].run().await();
                    graph.processUntilIdle(NamedThread.GAME);
                    graph.detach(NamedThread.GAME);
                });
                scheduler.sleep(LIMIT);
                StallExplanation why = frame[0].event().explain();
                assertThat(why.isCycle()).isTrue();
                assertThat(names(why.cycle()))
                        .containsExactly(
                                "run of graph 'frame'",
                                "node 'load'",
                                "thread g-worker-0",
                                "'callback'",
                                "thread game");
                assertThat(why.toString()).contains("thread game waits for the run of graph 'frame'");
                assertThat(graph.describeWaits()).containsOnlyOnce("never will be: it waits for a cycle");
                scheduler.join(game);
            }
        });
    }

    @Test
    void aRunThatNoWorkerCanBeginIsExplainedByTheWorkers() {
        explore(scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent signal = graph.event("signal");
                GraphEvent hog = graph.task("hog", () -> scheduler.sleep(LATER)).dispatch();
                scheduler.sleep(LIMIT);
                GraphBuilder b = graph.graphBuilder("frame");
                b.node("only", signal::trigger);
                RunEvent run = b.build().run();
                assertThat(graph.describeWaits())
                        .contains("run of graph 'frame': 0 of 1 nodes have ended, nobody has begun it\n")
                        .contains("node 'only' is ready for NORMAL\n");
                assertThat(run.explain().toString())
                        .contains("was not begun by anybody; nodes that have not ended: 1 of 1")
                        .contains("node 'only' is ready for workers at NORMAL; g-worker-0 runs 'hog'")
                        .contains("thread g-worker-0 runs 'hog'");
                hog.await();
                run.await();
            }
        });
    }

    @Test
    @Timeout(60)
    void theWatchdogReportsWaitsForRuns() throws InterruptedException {
        BlockingQueue<StallExplanation> reports = new LinkedBlockingQueue<>();
        BlockingQueue<Thread> waiting = new LinkedBlockingQueue<>();
        try (TaskGraph graph = TaskGraph.builder()
                .name("watched")
                .workers(1)
                .stallWatchdog(Duration.ofMillis(2), (thread, waited, why) -> {
                    waiting.add(thread);
                    reports.add(why);
                })
                .build()) {
            GraphBuilder b = graph.graphBuilder("frame");
            CountDownLatch[] latches = new CountDownLatch[2];
            b.node("stuck", () -> {
                latches[0].countDown();
                latches[1].await();
            });
            CompiledGraph frame = b.build();
            // Each run is a wait of its own.
            for (int i = 0; i < 2; i++) {
                latches[0] = new CountDownLatch(1);
                latches[1] = new CountDownLatch(1);
                RunEvent run = frame.run();
                latches[0].await();
                Thread outside = new Thread(run::await, "outside");
                outside.start();
                assertThat(waiting.take()).isEqualTo(outside);
                assertThat(reports.take().toString())
                        .contains("'frame' is not complete")
                        .contains("node 'stuck' is run by thread watched-worker-0")
                        .contains("CountDownLatch.await");
                latches[1].countDown();
                outside.join();
                waiting.clear();
                reports.clear();
            }
        }
    }
}
