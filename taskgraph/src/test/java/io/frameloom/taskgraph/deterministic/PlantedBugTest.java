package io.frameloom.taskgraph.deterministic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What users make wrong in their graphs is found, and the corrected program passes the same schedules. */
final class PlantedBugTest {
    private static final List<Exploration> POLICIES =
            List.of(Exploration.mixed(1, 200), Exploration.random(2, 200), Exploration.pct(3, 200, 2));

    private static ScheduleFailure find(Exploration exploration, ScheduledProgram program) {
        ScheduleFailure failure =
                catchThrowableOfType(ScheduleFailure.class, () -> DeterministicScheduler.explore(exploration, program));
        assertThat(failure).as("found by %s", exploration).isNotNull();
        ScheduleFailure again = catchThrowableOfType(
                ScheduleFailure.class,
                () -> DeterministicScheduler.explore(Exploration.replay(failure.schedule()), program));
        assertThat(again).as("repeated").isNotNull();
        assertThat(again.log()).isEqualTo(failure.log());
        return failure;
    }

    /** A frame in which drawing must follow culling and animating. */
    private static ScheduledProgram frame(boolean withEdge) {
        return scheduler -> {
            try (TaskGraph graph =
                    TaskGraph.builder().workers(2).scheduler(scheduler).build()) {
                List<String> visible = new ArrayList<>();
                graph.start(NamedThread.RENDER);
                GraphEvent animate = graph.task("animate", () -> {}).dispatch();
                GraphEvent cull = graph.task("cull", () -> visible.add("tree"))
                        .after(animate)
                        .dispatch();
                graph.task("draw", () -> assertThat(visible).containsExactly("tree"))
                        .after(animate, withEdge ? cull : null)
                        .on(NamedThread.RENDER)
                        .dispatch()
                        .await();
            }
        };
    }

    @Test
    void aMissingEdgeIsFound() {
        for (Exploration exploration : POLICIES) {
            ScheduleFailure failure = find(exploration, frame(false));
            assertThat(failure).hasRootCauseInstanceOf(AssertionError.class);
            DeterministicScheduler.explore(exploration, frame(true));
        }
        find(Exploration.delaying("cull", 1, 20), frame(false));
        DeterministicScheduler.explore(Exploration.delaying("cull", 1, 20), frame(true));
    }

    /** A hand-made parking protocol. */
    private static ScheduledProgram handshake(boolean announcedBeforeLooking) {
        return scheduler -> {
            boolean[] work = new boolean[1];
            boolean[] sleeps = new boolean[1];
            Thread consumer = scheduler.thread("consumer", () -> {
                while (true) {
                    if (announcedBeforeLooking) {
                        sleeps[0] = true;
                    }
                    scheduler.point("look for work");
                    if (work[0]) {
                        return;
                    }
                    scheduler.point("go to sleep");
                    sleeps[0] = true;
                    scheduler.park("work");
                }
            });
            scheduler.point("publish");
            work[0] = true;
            scheduler.point("wake");
            if (sleeps[0]) {
                scheduler.unpark(consumer);
            }
            scheduler.join(consumer);
        };
    }

    @Test
    void aLostWakeUpIsFound() {
        for (Exploration exploration : POLICIES) {
            ScheduleFailure failure = find(exploration, handshake(false));
            assertThat(failure.getCause())
                    .isInstanceOf(DeadlockException.class)
                    .hasMessageContaining("consumer: parked on work");
            DeterministicScheduler.explore(exploration, handshake(true));
        }
    }

    /** Two tasks that take two resources, each of which is an event chain of its own. */
    private static ScheduledProgram embrace(boolean sameOrder) {
        return scheduler -> {
            try (TaskGraph graph = TaskGraph.builder()
                    .name("embrace")
                    .workers(2)
                    .scheduler(scheduler)
                    .build()) {
                GraphEvent[] freed = {graph.event("first freed"), graph.event("second freed")};
                boolean[] taken = new boolean[2];
                int second = sameOrder ? 0 : 1;
                GraphEvent a = graph.task("a", () -> take(scheduler, taken, freed, 0, 1))
                        .dispatch();
                GraphEvent b = graph.task("b", () -> take(scheduler, taken, freed, second, 1 - second))
                        .dispatch();
                graph.awaitAll(a, b);
            }
        };
    }

    private static void take(
            DeterministicScheduler scheduler, boolean[] taken, GraphEvent[] freed, int first, int second) {
        for (int resource : new int[] {first, second}) {
            if (taken[resource]) {
                freed[resource].await();
            }
            taken[resource] = true;
            scheduler.point("took " + resource);
        }
        for (int resource : new int[] {second, first}) {
            if (!freed[resource].isComplete()) {
                freed[resource].trigger();
            }
        }
    }

    @Test
    void aDeadlockIsFound() {
        for (Exploration exploration : POLICIES) {
            ScheduleFailure failure = find(exploration, embrace(false));
            assertThat(failure.getCause())
                    .isInstanceOf(DeadlockException.class)
                    .hasMessageContaining("runs 'a', waits for 'second freed'")
                    .hasMessageContaining("runs 'b', waits for 'first freed'");
            DeterministicScheduler.explore(exploration, embrace(true));
        }
    }

    @Test
    void aLostUpdateIsFound() {
        ScheduledProgram program = scheduler -> {
            AtomicInteger sum = new AtomicInteger();
            try (TaskGraph graph =
                    TaskGraph.builder().workers(2).scheduler(scheduler).build()) {
                graph.parallelFor("sum", 2, 1, (from, to, slot) -> {
                    int seen = sum.get();
                    scheduler.point("add");
                    sum.set(seen + 1);
                });
            }
            assertThat(sum).hasValue(2);
        };
        for (Exploration exploration : POLICIES) {
            find(exploration, program);
        }
    }
}
