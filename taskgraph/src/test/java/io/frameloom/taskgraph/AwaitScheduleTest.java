package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.taskgraph.deterministic.DeterministicScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Waits against completion, against timeouts, and against whoever else could run the task (races 28 and 29). */
final class AwaitScheduleTest {
    private static final Duration LIMIT = Duration.ofMillis(3);

    /** A wait says that it timed out only after its time, and only if the event was incomplete then. */
    private static void awaitTimed(DeterministicScheduler scheduler, GraphEvent event, int[] timeouts) {
        long deadline = scheduler.nanoTime() + LIMIT.toNanos();
        boolean completeBefore = event.isComplete();
        if (event.await(LIMIT)) {
            assertThat(event.isComplete()).isTrue();
        } else {
            assertThat(completeBefore).isFalse();
            assertThat(deadline - scheduler.nanoTime()).isLessThanOrEqualTo(0L);
            timeouts[0]++;
        }
    }

    private static void triggerLater(DeterministicScheduler scheduler, GraphEvent event) {
        scheduler.thread("trigger", () -> {
            scheduler.point("before the trigger");
            event.trigger();
        });
    }

    @Test
    void aWaitOfAThreadOutsideEndsOnceAndTellsTheTruth() {
        int[] timeouts = new int[1];
        int[] waits = new int[1];
        Schedules.exploreWithTime(21, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent event = graph.event("event");
                triggerLater(scheduler, event);
                Thread other = scheduler.thread("other waiter", () -> awaitTimed(scheduler, event, timeouts));
                awaitTimed(scheduler, event, timeouts);
                awaitTimed(scheduler, event, timeouts);
                event.await();
                assertThat(event.isComplete()).isTrue();
                scheduler.join(other);
                waits[0] += 3;
            }
        });
        assertThat(timeouts[0]).isBetween(1, waits[0] - 1);
    }

    @Test
    void aWaitOfAWorkerEndsOnceAndTellsTheTruth() {
        int[] timeouts = new int[1];
        int[] waits = new int[1];
        Schedules.exploreWithTime(22, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent event = graph.event("event");
                triggerLater(scheduler, event);
                graph.task("waiter", () -> {
                            awaitTimed(scheduler, event, timeouts);
                            awaitTimed(scheduler, event, timeouts);
                            event.await();
                            waits[0] += 2;
                        })
                        .dispatch()
                        .await();
            }
        });
        assertThat(timeouts[0]).isBetween(1, waits[0] - 1);
    }

    @Test
    void aWaitOfANamedThreadEndsOnceAndTellsTheTruth() {
        int[] timeouts = new int[1];
        int[] waits = new int[1];
        Schedules.exploreWithTime(23, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent event = graph.event("event");
                List<String> local = new ArrayList<>();
                scheduler.thread("trigger", () -> {
                    graph.task("local", () -> local.add("local"))
                            .on(NamedThread.GAME.local())
                            .fireAndForget();
                    event.trigger();
                });
                graph.attach(NamedThread.GAME);
                awaitTimed(scheduler, event, timeouts);
                awaitTimed(scheduler, event, timeouts);
                event.await();
                graph.processUntilIdle(NamedThread.GAME);
                graph.detach(NamedThread.GAME);
                assertThat(local).hasSize(1);
                waits[0] += 2;
            }
        });
        assertThat(timeouts[0]).isBetween(1, waits[0] - 1);
    }

    @Test
    void anAwaitedTaskIsRunOnceByTheWaiterOrByAnother() {
        Schedules.explore(24, scheduler -> {
            int[] ran = new int[2];
            boolean[] triggered = new boolean[1];
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                GraphEvent gate = graph.event("gate");
                scheduler.thread("trigger", () -> {
                    triggered[0] = true;
                    gate.trigger();
                });
                GraphEvent first = graph.task("first", () -> {
                            assertThat(triggered[0]).isTrue();
                            ran[0]++;
                        })
                        .after(gate)
                        .dispatch();
                GraphEvent second = graph.task("second", () -> {
                            assertThat(ran[0]).isEqualTo(1);
                            ran[1]++;
                        })
                        .after(first)
                        .dispatch();
                GraphEvent waiter = graph.task("waiter", () -> {
                            second.await();
                            assertThat(ran[1]).isEqualTo(1);
                        })
                        .dispatch();
                GraphEvent impatient = graph.task("impatient", () -> second.await(Duration.ofMillis(1)))
                        .dispatch();
                graph.awaitAll(waiter, impatient);
            }
            assertThat(ran).containsExactly(1, 1);
        });
    }

    /** Two workers that fork, and join what may have been stolen meanwhile. */
    @Test
    void eachForkedTaskIsRunOnceByItsWaiterOrByAThief() {
        Schedules.explore(26, scheduler -> {
            AtomicInteger ran = new AtomicInteger();
            int[] left = new int[1];
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                GraphEvent first = graph.task("root", () -> fork(graph, 2, ran)).dispatch();
                GraphEvent second =
                        graph.task("root", () -> fork(graph, 2, ran)).dispatch();
                graph.awaitAll(first, second);
                left[0] = graph.parts.workers().queued(WorkerLevel.NORMAL);
            }
            assertThat(ran).hasValue(14);
            assertThat(left[0]).as("entries of tasks that have run").isZero();
        });
    }

    private static void fork(TaskGraph graph, int depth, AtomicInteger ran) {
        ran.incrementAndGet();
        if (depth == 0) {
            return;
        }
        GraphEvent a = graph.task("a", () -> fork(graph, depth - 1, ran)).dispatch();
        GraphEvent b = graph.task("b", () -> fork(graph, depth - 1, ran)).dispatch();
        if (depth == 1) {
            graph.awaitAll(a, b);
        } else {
            b.await();
            a.await();
        }
    }

    @Test
    void workersThatAllWaitAreWokenForWhatBecomesReady() {
        Schedules.explore(25, scheduler -> {
            int[] ran = new int[1];
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                GraphEvent gate = graph.event("gate");
                GraphEvent late = graph.task("late", () -> ran[0]++).after(gate).dispatch();
                GraphEvent a = graph.task("a", late::await).dispatch();
                GraphEvent b = graph.task("b", late::await).dispatch();
                gate.trigger();
                graph.awaitAll(a, b);
            }
            assertThat(ran[0]).isEqualTo(1);
        });
    }

    /** The closing graph fails pending events that something waits for, and must not keep others. */
    @Test
    void anEventThatWasTriggeredIsNotPending() {
        Schedules.explore(26, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent event = graph.event("event");
                Thread waiter = scheduler.thread("waiter", event::await);
                event.trigger();
                scheduler.join(waiter);
                assertThat(graph.parts.roots().size()).isZero();
            }
        });
    }
}
