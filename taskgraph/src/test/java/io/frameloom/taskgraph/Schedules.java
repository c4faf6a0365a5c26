package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.taskgraph.deterministic.DeterministicScheduler;
import io.frameloom.taskgraph.deterministic.Exploration;
import io.frameloom.taskgraph.deterministic.Explored;
import io.frameloom.taskgraph.deterministic.ScheduledProgram;
import io.frameloom.testing.TestEffort;
import java.util.List;
import java.util.function.UnaryOperator;

/** The schedules under which the protocol tests run their programs. */
final class Schedules {
    /** Runs per policy. */
    private static final int RUNS = Integer.getInteger("frameloom.schedules", TestEffort.of(20, 400));

    private Schedules() {}

    static void explore(long seed, ScheduledProgram program) {
        explore(seed, UnaryOperator.identity(), program);
    }

    /** As {@link #explore}, with time limits that may run out at any point. */
    static void exploreWithTime(long seed, ScheduledProgram program) {
        explore(seed, Exploration::timePasses, program);
    }

    private static void explore(long seed, UnaryOperator<Exploration> options, ScheduledProgram program) {
        for (Exploration exploration : List.of(
                Exploration.oldestFirst(),
                Exploration.newestFirst(),
                Exploration.pct(seed, RUNS, 3),
                Exploration.random(seed, RUNS))) {
            Explored explored = DeterministicScheduler.explore(options.apply(exploration), program);
            if (explored.runs() > 1) {
                // A program with a single interleaving would prove nothing.
                assertThat(explored.distinctSchedules()).isGreaterThan(explored.runs() / 20);
            }
        }
    }

    static TaskGraph graph(DeterministicScheduler scheduler, int workers) {
        return TaskGraph.builder()
                .name("g")
                .workers(workers)
                .scheduler(scheduler)
                .build();
    }
}
