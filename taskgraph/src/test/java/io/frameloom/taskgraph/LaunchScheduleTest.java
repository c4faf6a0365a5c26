package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Setting tasks up against the completion of what they wait for (races 1 to 5, 8 and 9). */
final class LaunchScheduleTest {
    @Test
    void aTaskRunsOnceAfterAllItsPrerequisitesWheneverTheyComplete() {
        Schedules.explore(1, scheduler -> {
            List<String> order = new ArrayList<>();
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent a = graph.event("a");
                GraphEvent b = graph.event("b");
                scheduler.thread("trigger a", () -> {
                    order.add("a");
                    a.trigger();
                });
                scheduler.thread("trigger b", () -> {
                    order.add("b");
                    b.trigger();
                });
                GraphEvent single =
                        graph.task("single", () -> order.add("single")).after(a).dispatch();
                GraphEvent both = graph.task("both", () -> order.add("both"))
                        .after(a, null, b, a, single)
                        .dispatch();
                both.await();
                assertThat(single.isComplete()).isTrue();
            }
            assertThat(order).containsExactlyInAnyOrder("a", "b", "single", "both");
            assertThat(order.indexOf("single")).isGreaterThan(order.indexOf("a"));
            assertThat(order.get(3)).isEqualTo("both");
        });
    }

    @Test
    void aHeldTaskStartsAfterItsReleaseAndItsPrerequisites() {
        Schedules.explore(2, scheduler -> {
            List<String> order = new ArrayList<>();
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent a = graph.event("a");
                HeldTask held =
                        graph.task("held", () -> order.add("held")).after(a).hold();
                GraphEvent behind = graph.task("behind", () -> order.add("behind"))
                        .after(held.event())
                        .dispatch();
                scheduler.thread("trigger", () -> {
                    order.add("trigger");
                    a.trigger();
                });
                scheduler.thread("release", () -> {
                    order.add("release");
                    held.release();
                });
                behind.await();
            }
            assertThat(order).hasSize(4);
            assertThat(order.subList(2, 4)).containsExactly("held", "behind");
        });
    }

    @Test
    void nothingBehindATaskRunsBeforeItsChildren() {
        Schedules.explore(3, scheduler -> {
            List<String> order = new ArrayList<>();
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                GraphEvent manual = graph.event("manual");
                scheduler.thread("trigger", () -> {
                    order.add("manual");
                    manual.trigger();
                });
                GraphEvent[] parent = new GraphEvent[1];
                HeldTask held = graph.task("parent", () -> {
                            GraphEvent child = graph.task("child", () -> order.add("child"))
                                    .dispatch();
                            parent[0].dontCompleteUntil(child);
                            parent[0].dontCompleteUntil(manual);
                            order.add("parent");
                        })
                        .hold();
                parent[0] = held.event();
                held.release();
                graph.task("behind", () -> order.add("behind"))
                        .after(parent[0])
                        .dispatch()
                        .await();
            }
            assertThat(order).containsExactlyInAnyOrder("manual", "child", "parent", "behind");
            assertThat(order.get(3)).isEqualTo("behind");
        });
    }

    @Test
    void aManualEventTakesAChildOrRefusesIt() {
        Schedules.explore(4, scheduler -> {
            boolean[] refused = new boolean[1];
            boolean[] childDone = new boolean[1];
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent manual = graph.event("manual");
                scheduler.thread("trigger", manual::trigger);
                GraphEvent child =
                        graph.task("child", () -> childDone[0] = true).dispatch();
                try {
                    manual.dontCompleteUntil(child);
                } catch (IllegalStateException e) {
                    assertThat(e).hasMessageContaining("'manual' was triggered already");
                    refused[0] = true;
                }
                manual.await();
                assertThat(childDone[0] || refused[0]).isTrue();
                assertThat(manual.isFailed()).isFalse();
            }
            assertThat(childDone[0]).isTrue();
        });
    }

    @Test
    void ofTwoTriggersOneIsRefused() {
        Schedules.explore(5, scheduler -> {
            int[] ran = new int[1];
            int[] refused = new int[1];
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent manual = graph.event("manual");
                GraphEvent behind =
                        graph.task("behind", () -> ran[0]++).after(manual).dispatch();
                TaskBody trigger = () -> {
                    try {
                        manual.trigger();
                    } catch (IllegalStateException e) {
                        refused[0]++;
                    }
                };
                Thread other = scheduler.thread("other", trigger);
                trigger.run();
                behind.await();
                scheduler.join(other);
            }
            assertThat(ran[0]).isEqualTo(1);
            assertThat(refused[0]).isEqualTo(1);
        });
    }

    @Test
    void aFailureReachesWhatIsBehindWhoeverCompletesLast() {
        Schedules.explore(6, scheduler -> {
            boolean[] ran = new boolean[2];
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent good = graph.event("good");
                GraphEvent bad = graph.event("bad");
                scheduler.thread("good", good::trigger);
                scheduler.thread("bad", () -> bad.fail(new IllegalStateException("planted")));
                GraphEvent skipped = graph.task("skipped", () -> ran[0] = true)
                        .after(good, bad)
                        .dispatch();
                GraphEvent anyway = graph.task("anyway", () -> ran[1] = true)
                        .after(bad, good)
                        .onPrerequisiteFailure(FailurePolicy.RUN_ANYWAY)
                        .dispatch();
                GraphEvent all = graph.whenAll("all", skipped, anyway);
                try {
                    all.await();
                    throw new AssertionError("no failure");
                } catch (TaskFailedException e) {
                    assertThat(e).hasRootCauseMessage("planted");
                }
                assertThat(skipped.isFailed()).isTrue();
                assertThat(anyway.isFailed()).isFalse();
            }
            assertThat(ran).containsExactly(false, true);
        });
    }
}
