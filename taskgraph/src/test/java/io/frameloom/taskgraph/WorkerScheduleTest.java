package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.taskgraph.deterministic.DeterministicScheduler;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sleeping and waking of workers (races 14 and 15), the reserve, and parallelFor. */
final class WorkerScheduleTest {
    /** A body that returns only when all the bodies have begun: it takes a worker each. */
    private static TaskBody meet(TaskGraph graph, List<GraphEvent> arrivals, int index) {
        return () -> {
            arrivals.get(index).trigger();
            graph.awaitAll(arrivals.toArray(new GraphEvent[0]));
        };
    }

    private static List<GraphEvent> arrivals(TaskGraph graph, int count) {
        List<GraphEvent> arrivals = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            arrivals.add(graph.event("arrival " + i));
        }
        return arrivals;
    }

    @Test
    void asManyWorkersWakeAsThereAreTasks() {
        Schedules.explore(41, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                List<GraphEvent> arrivals = arrivals(graph, 2);
                GraphEvent first = graph.task("first", meet(graph, arrivals, 0)).dispatch();
                GraphEvent second =
                        graph.task("second", meet(graph, arrivals, 1)).dispatch();
                graph.awaitAll(first, second);
            }
        });
    }

    @Test
    void successorsOfOneEventSpreadOverTheWorkers() {
        Schedules.explore(42, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 3)) {
                List<GraphEvent> arrivals = arrivals(graph, 3);
                GraphEvent source = graph.task("source", () -> {}).dispatch();
                GraphEvent[] all = new GraphEvent[3];
                for (int i = 0; i < 3; i++) {
                    all[i] = graph.task("successor " + i, meet(graph, arrivals, i))
                            .after(source)
                            .dispatch();
                }
                graph.awaitAll(all);
            }
        });
    }

    @Test
    void backgroundWorkKeepsToItsWorkersAndIsNotForgotten() {
        Schedules.explore(43, scheduler -> {
            int[] running = new int[1];
            int[] ran = new int[1];
            try (TaskGraph graph = TaskGraph.builder()
                    .workers(2)
                    .reservedWorkers(1)
                    .scheduler(scheduler)
                    .build()) {
                List<GraphEvent> events = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    events.add(graph.task("background " + i, () -> {
                                assertThat(++running[0]).isEqualTo(1);
                                scheduler.point("background work");
                                running[0]--;
                                ran[0]++;
                            })
                            .on(WorkerLevel.BACKGROUND)
                            .dispatch());
                }
                events.add(graph.task("foreground", () -> ran[0]++)
                        .on(WorkerLevel.HIGH)
                        .dispatch());
                graph.whenAll("all", events).await();
            }
            assertThat(ran[0]).isEqualTo(4);
        });
    }

    @Test
    void parallelForCallsTheBodyOnceForEveryIndex() {
        Schedules.explore(44, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                int[] seen = new int[6];
                graph.task("outer", () -> runPieces(scheduler, graph, seen))
                        .dispatch()
                        .await();
                runPieces(scheduler, graph, seen);
                assertThat(seen).containsOnly(2);
            }
        });
    }

    private static void runPieces(DeterministicScheduler scheduler, TaskGraph graph, int[] seen) {
        graph.parallelFor("pieces", seen.length, 2, (from, to, slot) -> {
            scheduler.point("piece");
            for (int i = from; i < to; i++) {
                seen[i]++;
            }
        });
    }
}
