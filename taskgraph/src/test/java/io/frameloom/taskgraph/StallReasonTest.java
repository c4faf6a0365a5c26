package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.taskgraph.deterministic.DeterministicScheduler;
import io.frameloom.taskgraph.deterministic.Exploration;
import io.frameloom.taskgraph.deterministic.ScheduledProgram;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * What an explanation says of waits for something else than prerequisites: delays, futures, one of several events, slots,
 * permits. The clock of the scheduler moves only when everybody is blocked.
 */
final class StallReasonTest {
    private static final Duration LIMIT = Duration.ofSeconds(1);
    private static final Duration LATER = Duration.ofHours(1);

    private static void explore(ScheduledProgram program) {
        DeterministicScheduler.explore(Exploration.mixed(67, 40), program);
    }

    private static List<String> names(List<StallExplanation.Step> steps) {
        return steps.stream().map(StallExplanation.Step::name).toList();
    }

    @Test
    void aDelaySaysHowLongItStillTakes() {
        explore(scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent late = graph.delay("late", Duration.ofSeconds(5));
                GraphEvent task =
                        graph.task("task", () -> {}).delay(LATER.plusNanos(1)).dispatch();
                scheduler.sleep(LIMIT);
                assertThat(late.explain())
                        .hasToString("'late' is not complete\n  'late' waits until its time is up, in 4.000 s");
                StallExplanation why = task.explain();
                assertThat(why.isCycle()).isFalse();
                assertThat(names(why.steps())).containsExactly("'task'", "'task delay'");
                assertThat(why.toString())
                        .contains("'task' is for workers at NORMAL and waits for its prerequisite 'task delay'\n")
                        .endsWith("'task delay' waits until its time is up, in 3599.001 s");
            }
        });
    }

    @Test
    void aDelayThatIsOverSaysWhoHasToCompleteIt() {
        explore(scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                CompletableFuture<?> busy = graph.delay("first", Duration.ofMillis(1))
                        .toCompletableFuture()
                        .thenRun(() -> scheduler.sleep(LATER));
                GraphEvent second = graph.delay("second", Duration.ofMillis(2));
                scheduler.sleep(LIMIT);
                assertThat(second.explain().toString())
                        .endsWith("'second' was due, and thread g-timer is about to complete it");
                second.await();
                assertThat(busy).isDone();
            }
        });
    }

    @Test
    void aFutureIsSaidNotToBeComplete() {
        explore(scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                CompletableFuture<String> future = new CompletableFuture<>();
                GraphEvent event = graph.fromFuture("fut", future);
                assertThat(event.explain().toString())
                        .endsWith("'fut' waits for its future, which is not complete; complete that, or let it fail");
                // The last dependent of a future is told first.
                CompletableFuture<String> inside =
                        future.thenApply(value -> event.explain().toString());
                future.complete("value");
                assertThat(inside.join())
                        .endsWith("the thread that completed it runs something else that depends on it first");
                event.await();
            }
        });
    }

    @Test
    void whenAnyNamesAndExplainsAllThatAreLeft() {
        explore(scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent first = graph.event("first");
                GraphEvent gate = graph.event("gate");
                GraphEvent load = graph.task("load", () -> {}).after(gate).dispatch();
                GraphEvent third = graph.event("third");
                GraphEvent any = graph.whenAny("any", first, load, third).event();
                StallExplanation why = any.explain();
                assertThat(why.isCycle()).isFalse();
                assertThat(names(why.steps())).containsExactly("'any'", "'first'");
                assertThat(why.steps().get(0).state())
                        .isEqualTo("waits for any of 'first', 'load' and 'third'; as for the others, 'load' is for "
                                + "workers at NORMAL and waits for its prerequisite 'gate'; 'third' was never "
                                + "triggered; call trigger() or fail() on it");
                first.fail(new IllegalStateException("first"));
                assertThat(any.explain().toString())
                        .contains("'any' waits for any of 'load' and 'third' (events that failed: 1); as for");
                third.fail(new IllegalStateException("third"));
                why = any.explain();
                assertThat(names(why.steps())).containsExactly("'any'", "'load'", "'gate'");
                assertThat(why.toString()).contains("'any' waits for its only event that has not failed, 'load'\n");
                gate.trigger();
                any.await();
            }
        });
    }

    /** As long as one of the events may come there is no cycle, and the chain leads to that one. */
    @Test
    void whenAnyIsInACycleOnlyWithAllOfItsEvents() {
        explore(scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent[] any = new GraphEvent[1];
                HeldTask held = graph.task("task", () -> any[0].await(LATER)).hold();
                GraphEvent gate = graph.event("gate");
                any[0] = graph.whenAny("any", held.event(), gate).event();
                held.release();
                scheduler.sleep(LIMIT);
                StallExplanation why = any[0].explain();
                assertThat(why.isCycle()).isFalse();
                assertThat(names(why.steps())).containsExactly("'any'", "'gate'");
                assertThat(why.toString()).contains("; as for the others, 'task' is run by thread g-worker-0\n");
                gate.fail(new IllegalStateException("gate"));
                why = any[0].explain();
                assertThat(names(why.cycle())).containsExactly("'any'", "'task'", "thread g-worker-0");
            }
        });
    }

    @Test
    void aTaskWithoutASlotNamesTheLimiterAndTheHolders() {
        explore(scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                ConcurrencyLimiter limiter = graph.limiter("l", 1);
                GraphEvent gate = graph.event("gate");
                GraphEvent x1 = limiter.task("x1", slot -> gate.await(LATER)).dispatch();
                GraphEvent x2 = limiter.task("x2", slot -> {}).dispatch();
                GraphEvent x3 = limiter.task("x3", slot -> {}).dispatch();
                scheduler.sleep(LIMIT);
                StallExplanation why = x2.explain();
                assertThat(why.isCycle()).isFalse();
                assertThat(names(why.steps()))
                        .containsExactly("'x2'", "'x1'", "thread g-worker-" + worker(why), "'gate'");
                assertThat(why.steps().get(0).state())
                        .isEqualTo(
                                "waits for a slot of limiter 'l', which has none free: its only slot is held by 'x1'");
                assertThat(x3.explain().steps().get(0).state()).endsWith("held by 'x1'; waiting tasks ahead of it: 1");
                gate.trigger();
                graph.awaitAll(x1, x2, x3);
            }
        });
    }

    @Test
    void ofALongQueueOfALimiterTheBeginningIsCounted() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            ConcurrencyLimiter limiter = graph.limiter("l", 1);
            GraphEvent last = null;
            for (int i = 0; i < 103; i++) {
                last = limiter.task("x" + i, slot -> {}).on(NamedThread.RENDER).dispatch();
            }
            assertThat(Objects.requireNonNull(last).explain().steps().get(0).state())
                    .endsWith("held by 'x0'; waiting tasks ahead of it: more than 100");
        }
    }

    private static String worker(StallExplanation why) {
        String thread = String.valueOf(why.steps().get(2).thread());
        return thread.substring(thread.length() - 1);
    }

    @Test
    void tasksOfOneLimiterThatAwaitEachOtherAreACycle() {
        explore(scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                ConcurrencyLimiter limiter = graph.limiter("l", 1);
                GraphEvent d1 = limiter.task(
                                "d1",
                                slot -> limiter.task("d2", inner -> {})
                                        .dispatch()
                                        .await(LATER))
                        .dispatch();
                scheduler.sleep(LIMIT);
                StallExplanation why = d1.explain();
                assertThat(names(why.cycle())).containsExactly("'d1'", "thread g-worker-0", "'d2'");
                assertThat(graph.describeWaits())
                        .contains(
                                "waits for 'd2' (on NORMAL, not ready, waits for a slot of limiter 'l', which has none "
                                        + "free: its only slot is held by 'd1')\n")
                        .containsOnlyOnce("never will be: it waits for a cycle");
                d1.await();
            }
        });
    }

    @Test
    void aHolderThatCanGoOnKeepsTheLimiterOutOfACycle() {
        explore(scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                ConcurrencyLimiter limiter = graph.limiter("l", 2);
                GraphEvent bothRun = graph.event("both run");
                GraphEvent goesOn = limiter.task("goes on", slot -> {
                            bothRun.trigger();
                            scheduler.sleep(LATER);
                        })
                        .dispatch();
                GraphEvent waits = limiter.task("waits", slot -> {
                            bothRun.await();
                            limiter.task("inner", inner -> {}).dispatch().await(LATER);
                        })
                        .dispatch();
                scheduler.sleep(LIMIT);
                StallExplanation why = waits.explain();
                assertThat(why.isCycle()).isFalse();
                assertThat(names(why.steps())).contains("'waits'", "'inner'", "'goes on'");
                assertThat(why.toString())
                        .contains("its 2 slots are held by '")
                        .contains("; as for the others, 'waits' is run by thread g-worker-");
                graph.awaitAll(goesOn, waits);
            }
        });
    }

    /** Explains an event again and again, while others go on; the program is to join the thread. */
    private static Thread spy(DeterministicScheduler scheduler, GraphEvent event, List<StallExplanation> seen) {
        return scheduler.thread("spy", () -> {
            for (int i = 0; i < 24; i++) {
                seen.add(event.explain());
                scheduler.point("spy");
            }
        });
    }

    /** A worker that waits for a task behind the limiter runs what holds the slot, which is therefore not stuck. */
    @Test
    void whatAWaitingWorkerIsAboutToRunIsNoCycle() {
        Set<String> states = new HashSet<>();
        ScheduledProgram program = scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                graph.start(NamedThread.RENDER);
                ConcurrencyLimiter limiter = graph.limiter("l", 1);
                limiter.task("x0", slot -> {}).on(NamedThread.RENDER).dispatch();
                limiter.task("x1", slot -> {}).dispatch();
                GraphEvent x2 = limiter.task("x2", slot -> {}).dispatch();
                GraphEvent waiter = graph.task("waiter", x2::await)
                        .priority(TaskPriority.HIGH)
                        .dispatch();
                List<StallExplanation> seen = new ArrayList<>();
                Thread spy = spy(scheduler, x2, seen);
                waiter.await();
                scheduler.join(spy);
                assertThat(seen).noneMatch(StallExplanation::isCycle);
                seen.forEach(why -> why.steps().forEach(step -> states.add(step.state())));
            }
        };
        // Each of the two has schedules that show both states.
        Schedules.explore(270, program);
        Schedules.explore(271, program);
        assertThat(states)
                .contains("is about to get a slot of limiter 'l'", "is about to run it")
                .noneMatch(state -> state.endsWith("held by "))
                .doesNotContain("is complete by now");
    }

    /** The same for a share of a broadcast, which the worker runs although it is only one of what it waits for. */
    @Test
    void theShareThatAWaitingWorkerIsAboutToRunIsNoCycle() {
        Schedules.explore(69, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                graph.start(NamedThread.RENDER);
                GraphEvent begin =
                        graph.task("begin", () -> {}).on(NamedThread.RENDER).dispatch();
                GraphEvent all = graph.broadcast("all", () -> {}, begin);
                AnyEvent any = graph.whenAny("any", all);
                GraphEvent waiter = graph.task("waiter", () -> any.await()).dispatch();
                List<StallExplanation> seen = new ArrayList<>();
                Thread spy = spy(scheduler, all, seen);
                waiter.await();
                scheduler.join(spy);
                assertThat(seen).noneMatch(StallExplanation::isCycle);
            }
        });
    }

    /** Between the completion of an event and that of what waits for it. */
    @Test
    void whenAnySaysThatItIsAboutToEnd() {
        for (boolean fails : new boolean[] {false, true}) {
            Set<String> states = new HashSet<>();
            Schedules.explore(70, scheduler -> {
                try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                    GraphEvent gate = graph.event("gate");
                    GraphEvent other = graph.event("other");
                    graph.task("told before", () -> {})
                            .onPrerequisiteFailure(FailurePolicy.RUN_ANYWAY)
                            .after(gate, other)
                            .fireAndForget();
                    GraphEvent any = graph.whenAny("any", gate).event();
                    graph.task("told after", () -> {})
                            .onPrerequisiteFailure(FailurePolicy.RUN_ANYWAY)
                            .after(gate, other)
                            .fireAndForget();
                    List<StallExplanation> seen = new ArrayList<>();
                    Thread spy = spy(scheduler, any, seen);
                    scheduler.point("main");
                    if (fails) {
                        gate.fail(new IllegalStateException("gate"));
                    } else {
                        gate.trigger();
                    }
                    scheduler.join(spy);
                    other.trigger();
                    seen.stream()
                            .filter(why -> !why.steps().isEmpty())
                            .forEach(why -> states.add(why.steps().get(0).state()));
                }
            });
            assertThat(states)
                    .containsExactlyInAnyOrder(
                            "waits for its only event 'gate'",
                            fails
                                    ? "is about to fail, because all of its events have"
                                    : "is about to complete, because 'gate' has",
                            "is about to complete");
        }
    }

    @Test
    void joinsAndPrerequisitesReadAsSentences() {
        explore(scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent[] gates = new GraphEvent[10];
                for (int i = 0; i < gates.length; i++) {
                    gates[i] = graph.event("g" + i);
                }
                GraphEvent several = graph.task("t", () -> {})
                        .after(gates[0], gates[1], gates[0])
                        .dispatch();
                assertThat(graph.whenAll("one", several).explain().toString())
                        .contains("'one' joins its events and waits for 't'\n")
                        .contains("'t' is for workers at NORMAL and waits for its prerequisites 'g0' and 'g1'\n");
                assertThat(graph.whenAll("all", gates).explain().toString())
                        .contains("'all' joins its events and waits for 'g0', 'g1', 'g2', 'g3', 'g4', 'g5', 'g6', 'g7' "
                                + "and 2 more\n");
                GraphEvent parent = graph.event("parent");
                parent.dontCompleteUntil(gates[0]);
                parent.dontCompleteUntil(gates[1]);
                parent.trigger();
                assertThat(parent.explain().toString())
                        .contains("'parent' was triggered and waits for its children 'g1' and 'g0'\n");
            }
        });
    }

    @Test
    void aBackgroundTaskWithoutAPermitSaysWhyIdleWorkersLeaveItAlone() {
        explore(scheduler -> {
            try (TaskGraph graph = TaskGraph.builder()
                    .name("g")
                    .workers(2)
                    .spareWorkers(2)
                    .scheduler(scheduler)
                    .build()) {
                GraphEvent load = graph.task(
                                "load",
                                () -> graph.blocking("disk", () -> {
                                    scheduler.sleep(LATER);
                                    return 0;
                                }))
                        .on(WorkerLevel.BACKGROUND)
                        .dispatch();
                scheduler.sleep(LIMIT);
                GraphEvent load2 =
                        graph.task("load2", () -> {}).on(WorkerLevel.BACKGROUND).dispatch();
                scheduler.sleep(LIMIT);
                StallExplanation why = load2.explain();
                assertThat(why.isCycle()).isFalse();
                assertThat(why.steps().get(0).state())
                        .matches("is queued for workers at BACKGROUND; at most 1 of 2 workers may run that level at a "
                                + "time \\(reservedWorkers 1\\), and that is used up: g-worker-[01] runs 'load' in its "
                                + "blocking region 'disk', which counts even while it blocks; g-worker-[01], g-spare-0 "
                                + "are idle but must stay free for the other levels; a spare worker replaces a blocked "
                                + "one for the other levels only");
                graph.awaitAll(load, load2);
            }
        });
    }

    @Test
    void aBlockingRegionIsNamedForEveryLevel() {
        explore(scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                graph.task(
                                "hog",
                                () -> graph.blocking("socket", () -> {
                                    scheduler.sleep(LATER);
                                    return 0;
                                }))
                        .dispatch();
                scheduler.sleep(LIMIT);
                GraphEvent queued = graph.task("queued", () -> {}).dispatch();
                assertThat(queued.explain().steps().get(0).state())
                        .isEqualTo("is queued for workers at NORMAL; g-worker-0 runs 'hog' in its blocking region "
                                + "'socket'");
                queued.await();
            }
        });
    }
}
