package io.frameloom.taskgraph.deterministic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The scheduler itself: repeatable, complete in what it reports, and able to find what is planted. */
final class DeterministicSchedulerTest {
    /** Three threads that take turns. */
    private static void race(DeterministicScheduler scheduler, List<String> order) throws Exception {
        Thread a = scheduler.thread("a", () -> {
            order.add("a1");
            scheduler.point("middle of a");
            order.add("a2");
        });
        Thread b = scheduler.thread("b", () -> {
            order.add("b1");
            scheduler.point("middle of b");
            order.add("b2");
        });
        scheduler.join(a);
        scheduler.join(b);
    }

    private static Explored record(Exploration exploration, List<String> results) {
        return DeterministicScheduler.explore(exploration, scheduler -> {
            List<String> order = new ArrayList<>();
            race(scheduler, order);
            results.add(order + " " + scheduler.schedule() + " " + scheduler.log());
        });
    }

    @Test
    void theSameSeedGivesTheSameRuns() {
        List<String> first = new ArrayList<>();
        List<String> second = new ArrayList<>();
        List<String> other = new ArrayList<>();
        Explored explored = record(Exploration.mixed(7, 60), first);
        record(Exploration.mixed(7, 60), second);
        record(Exploration.mixed(8, 60), other);
        assertThat(second).isEqualTo(first);
        assertThat(other).isNotEqualTo(first);
        assertThat(explored.runs()).isEqualTo(60);
        assertThat(explored.distinctSchedules()).isGreaterThan(10);
        assertThat(explored.decisions()).isGreaterThan(60 * 6);
    }

    @Test
    void randomSchedulesCoverEveryOrder() {
        List<String> results = new ArrayList<>();
        record(Exploration.random(1, 400), results);
        // Interleavings of two sequences of two: 4 over 2.
        assertThat(results.stream().map(r -> r.substring(0, r.indexOf(']'))).distinct())
                .hasSize(6);
    }

    @Test
    void theOrdersOfAgeAreThoseOrders() {
        List<String> results = new ArrayList<>();
        record(Exploration.oldestFirst(), results);
        record(Exploration.newestFirst(), results);
        assertThat(results.get(0)).startsWith("[a1, a2, b1, b2]");
        assertThat(results.get(1)).startsWith("[a1, a2, b1, b2]");
        List<String> started = new ArrayList<>();
        DeterministicScheduler.explore(Exploration.newestFirst(), scheduler -> {
            Thread child = scheduler.thread("child", () -> started.add("child"));
            started.add("parent");
            scheduler.join(child);
        });
        DeterministicScheduler.explore(Exploration.oldestFirst(), scheduler -> {
            Thread child = scheduler.thread("child", () -> started.add("child"));
            started.add("parent");
            scheduler.join(child);
        });
        assertThat(started).containsExactly("child", "parent", "parent", "child");
    }

    @Test
    void delayingPutsTheNamedThreadOrStepLast() {
        for (String delayed : List.of("a", "middle of b")) {
            List<String> results = new ArrayList<>();
            record(Exploration.delaying(delayed, 3, 50), results);
            assertThat(results)
                    .allMatch(r -> delayed.equals("a") ? r.startsWith("[b1, b2, a1, a2]") : r.contains("b2]"));
        }
    }

    @Test
    void aFailingRunIsRepeatedByItsSchedule() {
        ScheduledProgram program = scheduler -> {
            List<String> order = new ArrayList<>();
            race(scheduler, order);
            assertThat(order).isNotEqualTo(List.of("a1", "b1", "b2", "a2"));
        };
        ScheduleFailure failure = catchThrowableOfType(
                ScheduleFailure.class, () -> DeterministicScheduler.explore(Exploration.random(5, 1000), program));
        assertThat(failure.seed()).isEqualTo(5);
        assertThat(failure.getCause()).isInstanceOf(AssertionError.class);
        assertThat(failure)
                .hasMessageContaining("seed 5")
                .hasMessageContaining("run " + failure.run())
                .hasMessageContaining("Exploration.replay(\"" + failure.schedule() + "\")")
                .hasMessageContaining("middle of a");
        Schedule parsed = Schedule.parse(failure.schedule().toString());
        assertThat(parsed).isEqualTo(failure.schedule());
        ScheduleFailure again = catchThrowableOfType(
                ScheduleFailure.class,
                () -> DeterministicScheduler.explore(Exploration.replay(parsed.toString()), program));
        assertThat(again.log()).isEqualTo(failure.log());
        assertThat(again.schedule()).isEqualTo(failure.schedule());
        assertThat(again.getCause()).hasToString(String.valueOf(failure.getCause()));
    }

    @Test
    void aScheduleOfAnotherProgramIsRefused() {
        assertThatThrownBy(() -> DeterministicScheduler.explore(
                        Exploration.replay("0 5 0x2"), scheduler -> race(scheduler, new ArrayList<>())))
                .isInstanceOf(ScheduleFailure.class)
                .rootCause()
                .hasMessageContaining("does not follow the schedule")
                .hasMessageContaining("thread 5");
        for (String text : List.of("1x", "x2", "a", "1x0", "-1", "1x2x3", "99999999999")) {
            assertThatThrownBy(() -> Schedule.parse("0 " + text))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + text + "'");
        }
        assertThat(Schedule.parse(" ").length()).isZero();
    }

    @Test
    void aDeadlockIsReportedWithEveryThreadAndItsStack() {
        assertThatThrownBy(() -> DeterministicScheduler.explore(Exploration.random(1, 1), scheduler -> {
                    try (TaskGraph graph = TaskGraph.builder()
                            .name("stuck")
                            .workers(1)
                            .scheduler(scheduler)
                            .build()) {
                        GraphEvent never = graph.event("never");
                        graph.task("waits", never::await).dispatch().await();
                    }
                }))
                .isInstanceOf(ScheduleFailure.class)
                .cause()
                .isInstanceOf(DeadlockException.class)
                .hasMessageContaining("0 main: parked on ThreadParker")
                .hasMessageContaining("1 stuck-worker-0: parked")
                .hasMessageContaining("io.frameloom.taskgraph.GraphEvent.await")
                .hasMessageContaining("'never'");
    }

    @Test
    void aThreadThatIsLeftBehindIsADeadlock() {
        assertThatThrownBy(() -> DeterministicScheduler.explore(
                        Exploration.oldestFirst(),
                        scheduler -> scheduler.thread("left behind", () -> scheduler.park("nothing in particular"))))
                .cause()
                .isInstanceOf(DeadlockException.class)
                .hasMessageContaining("left behind: parked on nothing in particular");
    }

    @Test
    void endlessTurnsAreALivelock() {
        assertThatThrownBy(() ->
                        DeterministicScheduler.explore(Exploration.oldestFirst().maxSteps(3000), scheduler -> {
                            while (true) {
                                scheduler.point("turn");
                            }
                        }))
                .cause()
                .isInstanceOf(LivelockException.class)
                .hasMessageContaining("3000 steps")
                .hasMessageContaining("main");
    }

    @Test
    void whoSpinsDoesNotStarveTheOthers() {
        for (Exploration exploration :
                List.of(Exploration.oldestFirst(), Exploration.newestFirst(), Exploration.pct(3, 20, 2))) {
            DeterministicScheduler.explore(exploration, scheduler -> {
                boolean[] set = new boolean[1];
                Thread setter = scheduler.thread("setter", () -> {
                    scheduler.point("set");
                    set[0] = true;
                });
                Thread spinner = scheduler.thread("spinner", () -> {
                    while (!set[0]) {
                        scheduler.point("spin");
                    }
                });
                scheduler.join(spinner);
                scheduler.join(setter);
            });
        }
    }

    @Test
    void timeStandsStillUntilEverybodyWaits() {
        DeterministicScheduler.explore(Exploration.random(11, 50), scheduler -> {
            List<String> order = new ArrayList<>();
            long start = scheduler.nanoTime();
            Thread slow = scheduler.thread("slow", () -> {
                scheduler.sleep(Duration.ofHours(30));
                order.add("slow");
            });
            Thread fast = scheduler.thread("fast", () -> {
                scheduler.sleep(Duration.ofSeconds(2));
                order.add("fast");
                assertThat(scheduler.nanoTime() - start).isEqualTo(2_000_000_000L);
            });
            for (int i = 0; i < 5; i++) {
                scheduler.point("busy");
            }
            scheduler.join(slow);
            scheduler.join(fast);
            assertThat(order).containsExactly("fast", "slow");
            assertThat(scheduler.nanoTime() - start)
                    .isEqualTo(Duration.ofHours(30).toNanos());
        });
    }

    @Test
    void timeMayPassAtAnyPointIfAllowed() {
        List<Boolean> timedOut = new ArrayList<>();
        DeterministicScheduler.explore(Exploration.random(11, 100).timePasses(), scheduler -> {
            Thread main = Thread.currentThread();
            Thread waker = scheduler.thread("waker", () -> {
                scheduler.point("late");
                scheduler.unpark(main);
            });
            long deadline = scheduler.nanoTime() + 5;
            scheduler.parkUntil("permit", deadline);
            timedOut.add(deadline - scheduler.nanoTime() <= 0);
            scheduler.join(waker);
        });
        assertThat(timedOut).contains(true, false);
    }

    @Test
    void aPermitGivenBeforeTheParkIsKeptAndAnInterruptEndsThePark() {
        DeterministicScheduler.explore(Exploration.random(2, 50), scheduler -> {
            scheduler.unpark(Thread.currentThread());
            scheduler.park("permit");
            Thread main = Thread.currentThread();
            Thread interrupter = scheduler.thread("interrupter", main::interrupt);
            scheduler.park("interrupt");
            assertThat(Thread.interrupted()).isTrue();
            scheduler.join(interrupter);
            Thread parked = scheduler.thread("parked", () -> scheduler.park("release"));
            main.interrupt();
            try {
                scheduler.join(parked);
                assertThat(parked.isAlive()).isTrue();
            } catch (InterruptedException e) {
                assertThat(main.isInterrupted()).isFalse();
            }
            scheduler.unpark(parked);
            scheduler.join(parked);
        });
    }

    @Test
    void whatAThreadThrowsFailsTheRunAndEndsTheOthers() {
        AtomicReference<Thread> other = new AtomicReference<>();
        assertThatThrownBy(() -> DeterministicScheduler.explore(Exploration.oldestFirst(), scheduler -> {
                    other.set(scheduler.thread("other", () -> scheduler.park("for ever")));
                    scheduler.thread("thrower", () -> {
                        throw new IllegalArgumentException("thrown");
                    });
                    scheduler.park("for ever, too");
                }))
                .isInstanceOf(ScheduleFailure.class)
                .cause()
                .hasMessage("thrown");
        assertThat(other.get()).isNotNull().matches(thread -> !thread.isAlive());
    }

    @Test
    void aThreadThatBlocksOutsideOfControlIsNamed() {
        CountDownLatch latch = new CountDownLatch(1);
        ScheduleFailure failure = catchThrowableOfType(
                ScheduleFailure.class,
                () -> DeterministicScheduler.explore(
                        Exploration.oldestFirst().patience(Duration.ofMillis(50)),
                        scheduler -> scheduler.join(scheduler.thread("blocker", latch::await))));
        latch.countDown();
        assertThat(failure.getCause())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'blocker' has the turn")
                .hasMessageContaining("a latch");
        assertThat(Objects.requireNonNull(failure.getCause()).getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(CountDownLatch.class.getName()));
    }

    @Test
    void aThreadThatDiesFailsTheRun() {
        assertThatThrownBy(() -> DeterministicScheduler.explore(Exploration.oldestFirst(), scheduler -> {
                    Thread dying = new Thread(() -> {
                        scheduler.begin();
                        scheduler.end();
                        throw new IllegalStateException("the end");
                    });
                    dying.setName("dying");
                    scheduler.start(dying);
                    scheduler.join(dying);
                }))
                .isInstanceOf(ScheduleFailure.class)
                .cause()
                .hasMessageContaining("'dying' died")
                .hasRootCauseMessage("the end");
    }

    @Test
    void threadsThatAreNotUnderControlAreTurnedAway() {
        AtomicReference<Throwable> seen = new AtomicReference<>();
        DeterministicScheduler.explore(Exploration.random(1, 1), scheduler -> {
            try (TaskGraph graph =
                    TaskGraph.builder().workers(1).scheduler(scheduler).build()) {
                Thread stranger = new Thread(() -> {
                    try {
                        graph.task("t", () -> {}).dispatch();
                    } catch (IllegalStateException e) {
                        seen.set(e);
                    }
                });
                stranger.setName("stranger");
                stranger.start();
                stranger.join();
            }
        });
        assertThat(seen.get())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'stranger'")
                .hasMessageContaining("DeterministicScheduler.thread");
    }

    @Test
    void graphsRunAndCloseUnderManySchedules() {
        Explored explored = DeterministicScheduler.explore(Exploration.mixed(4, 200), scheduler -> {
            List<String> order = new ArrayList<>();
            try (TaskGraph graph =
                    TaskGraph.builder().workers(2).scheduler(scheduler).build()) {
                graph.start(NamedThread.RENDER);
                GraphEvent load = graph.task("load", () -> order.add("load")).dispatch();
                GraphEvent draw = graph.task("draw", () -> order.add("draw"))
                        .after(load)
                        .on(NamedThread.RENDER)
                        .dispatch();
                draw.await();
            }
            assertThat(order).containsExactly("load", "draw");
        });
        assertThat(explored.distinctSchedules()).isGreaterThan(150);
    }
}
