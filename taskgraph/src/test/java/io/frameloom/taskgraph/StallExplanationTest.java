package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.frameloom.taskgraph.deterministic.DeterministicScheduler;
import io.frameloom.taskgraph.deterministic.Exploration;
import io.frameloom.taskgraph.deterministic.ScheduledProgram;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A wait that does not end says why. Under the deterministic scheduler, whose clock moves only when everybody is blocked: so the
 * explanation is asked for exactly when the hang is complete, under every schedule.
 */
final class StallExplanationTest {
    private static final Duration LIMIT = Duration.ofSeconds(1);
    /** Lets the hung tasks of a test go, long after the hang was explained. */
    private static final Duration LATER = Duration.ofHours(1);

    private static void explore(ScheduledProgram program) {
        DeterministicScheduler.explore(Exploration.mixed(61, 40), program);
    }

    private static StallExplanation explain(GraphEvent event) {
        StalledException stalled = catchThrowableOfType(StalledException.class, () -> event.awaitOrExplain(LIMIT));
        assertThat(stalled).as("'%s' is stuck", event.name()).isNotNull();
        assertThat(stalled).hasMessageContaining(stalled.explanation().toString());
        return stalled.explanation();
    }

    private static List<String> names(List<StallExplanation.Step> steps) {
        return steps.stream().map(StallExplanation.Step::name).toList();
    }

    @Test
    void aChainEndsAtTheEventThatNobodyTriggered() {
        explore(scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent gate = graph.event("gate");
                GraphEvent load = graph.task("load", () -> {}).after(gate).dispatch();
                GraphEvent draw = graph.task("draw", () -> {})
                        .after(graph.task("done", () -> {}).dispatch(), load)
                        .on(NamedThread.RENDER)
                        .dispatch();
                GraphEvent frame = graph.whenAll("frame", draw);
                StallExplanation why = explain(frame);
                assertThat(why.isCycle()).isFalse();
                assertThat(why.cycle()).isEmpty();
                assertThat(names(why.steps())).containsExactly("'frame'", "'draw'", "'load'", "'gate'");
                assertThat(why.toString())
                        .contains("'frame' is not complete\n")
                        .contains("'draw' is for RENDER and waits for its prerequisite 'load'")
                        .contains("'gate' was never triggered; call trigger() or fail() on it");
                assertThat(frame.explain().toString()).isEqualTo(why.toString());
                gate.trigger();
                load.await();
                assertThat(load.explain().toString()).isEqualTo("'load' is complete");
                assertThat(load.explain().steps()).isEmpty();
            }
        });
    }

    /** It cannot complete before them, on whichever thread it is triggered. */
    @Test
    void anEventThatNobodyHasTriggeredYetWaitsForItsChildrenFirst() {
        explore(scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent submit =
                        graph.task("submit", () -> {}).on(NamedThread.RHI).dispatch();
                GraphEvent frame = graph.event("frame");
                frame.dontCompleteUntil(submit);
                assertThat(explain(frame).toString())
                        .contains("'frame' waits for its child 'submit'")
                        .contains("no thread is attached to RHI; call attach or start");
            }
        });
    }

    @Test
    void anEventThatADeviceCompletesSaysWhatThatWaitsFor() {
        explore(scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent point = graph.event("graphics@6", () -> "waits for queue 'graphics' to reach 6");
                GraphEvent load = graph.task("load", () -> {}).after(point).dispatch();
                assertThat(explain(load).toString())
                        .contains("'graphics@6' waits for queue 'graphics' to reach 6")
                        .doesNotContain("trigger()");
                point.trigger();
                load.await();
            }
        });
    }

    @Test
    void aHeldTaskThatNobodyReleasedIsNamed() {
        explore(scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent gate = graph.event("gate");
                HeldTask held = graph.task("held", () -> {}).after(gate).hold();
                GraphEvent parent = graph.event("parent");
                parent.dontCompleteUntil(held.event());
                parent.trigger();
                assertThat(explain(parent).toString())
                        .contains("'parent' was triggered and waits for its child 'held'")
                        .contains("'held' is for workers at NORMAL, is held and was never released, and waits for its "
                                + "prerequisite 'gate'");
                gate.trigger();
                StallExplanation why = explain(parent);
                assertThat(why.isCycle()).isFalse();
                assertThat(names(why.steps())).containsExactly("'parent'", "'held'");
                assertThat(why.toString()).contains("is held and was never released; call release() on it");
                held.release();
                parent.await();
            }
        });
    }

    @Test
    void aNamedThreadThatNobodyPumpsIsNamed() {
        explore(scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent submit =
                        graph.task("submit", () -> {}).on(NamedThread.RHI).dispatch();
                GraphEvent waiter =
                        graph.task("waiter", () -> submit.await(LATER)).dispatch();
                StallExplanation why = explain(waiter);
                assertThat(why.isCycle()).isFalse();
                assertThat(names(why.steps())).containsExactly("'waiter'", "thread g-worker-0", "'submit'");
                assertThat(why.steps().get(1).thread()).isEqualTo("g-worker-0");
                assertThat(why.steps().get(1).stack())
                        .anyMatch(frame -> frame.getClassName().equals(StallExplanationTest.class.getName()));
                assertThat(why.toString())
                        .contains("'waiter' is run by thread g-worker-0")
                        .contains("'submit' is queued for RHI, and no thread is attached to RHI; call attach or start");
                Thread[] owner = new Thread[1];
                owner[0] = scheduler.thread("owner", () -> {
                    graph.attach(NamedThread.RHI);
                    scheduler.sleep(LATER);
                    graph.processUntilIdle(NamedThread.RHI);
                    graph.detach(NamedThread.RHI);
                });
                assertThat(explain(submit).toString())
                        .contains("but thread owner is attached to it and does not process its queue; call "
                                + "processUntilIdle or processUntilReturnRequested on it");
                scheduler.join(owner[0]);
                waiter.await();
            }
        });
    }

    @Test
    void twoTasksThatAwaitEachOtherAreACycle() {
        explore(scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                GraphEvent[] task = new GraphEvent[2];
                GraphEvent bothRun = graph.event("both run");
                HeldTask a = graph.task("a", () -> {
                            bothRun.await();
                            task[1].await(LATER);
                        })
                        .hold();
                HeldTask b = graph.task("b", () -> {
                            bothRun.trigger();
                            task[0].await(LATER);
                        })
                        .hold();
                task[0] = a.event();
                task[1] = b.event();
                a.release();
                b.release();
                GraphEvent behind = graph.whenAll("behind", task[0]);
                StallExplanation why = explain(behind);
                assertThat(why.isCycle()).isTrue();
                assertThat(names(why.steps()).get(0)).isEqualTo("'behind'");
                assertThat(names(why.cycle()))
                        .hasSize(4)
                        .contains("'a'", "'b'", "thread g-worker-0", "thread g-worker-1");
                assertThat(why.toString())
                        .contains("never will be: it waits for a cycle")
                        .contains("waits for 'b' inside 'a'")
                        .contains("waits for 'a' inside 'b'")
                        .contains("back to 'a'");
                assertThat(graph.describeWaits())
                        .contains("runs 'a'")
                        .containsOnlyOnce("never will be: it waits for a cycle");
            }
        });
    }

    /** The game waits for the loader, that for a worker, and the worker for the game's main queue. */
    @Test
    void aHangOfFourPartiesIsACycle() {
        NamedThread loader = NamedThread.of("LOADER");
        explore(scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                graph.start(NamedThread.RENDER);
                graph.start(loader);
                graph.attach(NamedThread.GAME);
                GraphEvent load = graph.task("load", () -> {
                            GraphEvent decompress = graph.task(
                                            "decompress",
                                            () -> graph.task(
                                                            "upload",
                                                            () -> graph.task("callback", () -> {})
                                                                    .on(NamedThread.GAME)
                                                                    .dispatch()
                                                                    .await(LATER))
                                                    .on(NamedThread.RENDER)
                                                    .dispatch()
                                                    .await(LATER))
                                    .dispatch();
                            decompress.await(LATER);
                        })
                        .on(loader)
                        .dispatch();
                StallExplanation why = explain(load);
                assertThat(why.isCycle()).isTrue();
                assertThat(names(why.cycle()))
                        .containsExactly(
                                "'load'",
                                "thread g-LOADER",
                                "'decompress'",
                                "thread g-worker-0",
                                "'upload'",
                                "thread g-RENDER",
                                "'callback'",
                                "thread main");
                assertThat(why.toString())
                        .contains("'callback' is queued for GAME, which thread main has to process")
                        .contains("thread main waits for 'load'");
                graph.processUntilIdle(NamedThread.GAME);
                load.await();
                graph.detach(NamedThread.GAME);
            }
        });
    }

    @Test
    void whatIsQueuedBehindBlockedWorkersIsExplainedByThem() {
        explore(scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent signal = graph.event("signal");
                GraphEvent hog = graph.task("hog", () -> signal.await(LATER)).dispatch();
                GraphEvent queued = graph.task("queued", () -> {}).dispatch();
                StallExplanation why = explain(queued);
                assertThat(why.isCycle()).isFalse();
                assertThat(names(why.steps())).containsExactly("'queued'", "thread g-worker-0", "'signal'");
                assertThat(why.toString()).contains("'queued' is queued for workers at NORMAL; g-worker-0 runs 'hog'");
                signal.trigger();
                hog.await();
            }
        });
    }

    @Test
    void aBusyWorkerAmongBlockedOnesIsNoCycle() {
        explore(scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                GraphEvent bothRun = graph.event("both run");
                GraphEvent[] later = new GraphEvent[1];
                GraphEvent blocked = graph.task("blocked", () -> {
                            bothRun.await();
                            later[0].await(LATER);
                        })
                        .dispatch();
                GraphEvent busy = graph.task("busy", () -> {
                            later[0] = graph.task("later", () -> {})
                                    .on(NamedThread.RHI)
                                    .dispatch();
                            bothRun.trigger();
                            scheduler.sleep(LATER);
                        })
                        .dispatch();
                GraphEvent queued =
                        graph.task("queued", () -> {}).after(bothRun).dispatch();
                StallExplanation why = explain(queued);
                assertThat(why.isCycle()).isFalse();
                assertThat(why.toString()).contains("runs 'blocked'").contains("runs 'busy'");
                graph.awaitAll(busy, queued);
                graph.attach(NamedThread.RHI);
                graph.processUntilIdle(NamedThread.RHI);
                graph.detach(NamedThread.RHI);
                blocked.await();
            }
        });
    }

    @Test
    void aLongChainIsCutInTheMiddle() {
        explore(scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent last = graph.event("root");
                for (int i = 0; i < 300; i++) {
                    last = graph.whenAll("link " + i, last);
                }
                StallExplanation why = last.explain();
                assertThat(why.steps()).hasSizeLessThan(100);
                assertThat(why.steps().get(0).name()).isEqualTo("'link 299'");
                assertThat(names(why.steps())).endsWith("'link 0'", "'root'");
                assertThat(why.toString()).contains("more)");
            }
        });
    }
}
