package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tasks that become more urgent, while they wait, become ready, are queued or run (race 33). */
final class PriorityInheritanceScheduleTest {
    private static final int FLOOD = 8;

    /** NORMAL tasks before the urgent one; counts those that have started. */
    private static final class Flood {
        int started;
        final List<GraphEvent> events = new ArrayList<>();

        Flood(TaskGraph graph) {
            for (int i = 0; i < FLOOD; i++) {
                events.add(graph.task("flood " + i, () -> started++).dispatch());
            }
        }
    }

    /** One worker: from the end of the launch on, it can have at most one task of the flood in its hands. */
    @Test
    void aQueuedTaskGoesWithWhatIsBehindIt() {
        Schedules.explore(331, scheduler -> {
            int[] before = new int[2];
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent needed = background(graph, "needed", null);
                GraphEvent join = graph.whenAll("join", needed);
                Flood flood = new Flood(graph);
                GraphEvent urgent = urgent(graph, flood, join, before);
                before[0] = flood.started;
                graph.whenAll("all", flood.events).await();
                urgent.await();
            }
            assertThat(before[1] - before[0]).isLessThanOrEqualTo(1);
        });
    }

    @Test
    void aTaskThatBecomesReadyMeanwhileIsNotMissed() {
        Schedules.explore(332, scheduler -> {
            int[] before = new int[2];
            boolean[] triggered = new boolean[1];
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent gate = graph.event("gate");
                GraphEvent first = background(graph, "first", gate);
                GraphEvent second = background(graph, "second", first);
                Flood flood = new Flood(graph);
                scheduler.thread("trigger", () -> {
                    gate.trigger();
                    triggered[0] = true;
                    before[0] = flood.started;
                });
                GraphEvent urgent = urgent(graph, flood, second, before);
                if (triggered[0]) {
                    before[0] = Math.max(before[0], flood.started);
                }
                graph.whenAll("all", flood.events).await();
                urgent.await();
            }
            assertThat(before[1] - before[0]).isLessThanOrEqualTo(1);
        });
    }

    @Test
    void aHeldTaskIsAsUrgentAsWhatWaitsForItWheneverItIsReleased() {
        Schedules.explore(333, scheduler -> {
            int[] before = new int[2];
            boolean[] released = new boolean[1];
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                HeldTask held =
                        graph.task("held", () -> {}).on(WorkerLevel.BACKGROUND).hold();
                Flood flood = new Flood(graph);
                scheduler.thread("release", () -> {
                    held.release();
                    released[0] = true;
                    before[0] = flood.started;
                });
                GraphEvent urgent = urgent(graph, flood, held.event(), before);
                if (released[0]) {
                    before[0] = Math.max(before[0], flood.started);
                }
                graph.whenAll("all", flood.events).await();
                urgent.await();
            }
            assertThat(before[1] - before[0]).isLessThanOrEqualTo(1);
        });
    }

    /** Promoted from several sides at once, on several workers: every body runs once, after what it needs. */
    @Test
    void secondEntriesRunNothingTwice() {
        Schedules.explore(334, scheduler -> {
            int[] runs = new int[6];
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                GraphEvent[] chain = new GraphEvent[4];
                for (int i = 0; i < chain.length; i++) {
                    int index = i;
                    chain[i] = graph.task("chain " + i, () -> {
                                assertThat(runs[index]++).isZero();
                                assertThat(index == 0 || runs[index - 1] == 1).isTrue();
                            })
                            .after(i == 0 ? null : chain[i - 1])
                            .on(WorkerLevel.BACKGROUND)
                            .dispatch();
                }
                Thread waiter = scheduler.thread("waiter", () -> chain[2].await());
                Thread launcher = scheduler.thread(
                        "launcher",
                        () -> graph.task("urgent", () -> runs[4]++)
                                .after(chain[1], chain[3])
                                .on(WorkerLevel.HIGH)
                                .dispatch()
                                .await());
                graph.task("inside", () -> {
                            chain[3].await();
                            runs[5]++;
                        })
                        .priority(TaskPriority.HIGH)
                        .dispatch()
                        .await();
                scheduler.join(waiter);
                scheduler.join(launcher);
            }
            assertThat(runs).containsOnly(1);
        });
    }

    private static GraphEvent background(TaskGraph graph, String name, @Nullable GraphEvent after) {
        return graph.task(name, () -> {})
                .after(after)
                .on(WorkerLevel.BACKGROUND)
                .dispatch();
    }

    private static GraphEvent urgent(TaskGraph graph, Flood flood, GraphEvent after, int[] before) {
        return graph.task("urgent", () -> before[1] = flood.started)
                .after(after)
                .on(WorkerLevel.HIGH)
                .dispatch();
    }
}
