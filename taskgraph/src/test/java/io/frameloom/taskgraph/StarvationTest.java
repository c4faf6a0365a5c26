package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A flood of tasks, each of which dispatches the next, does not keep another task from running for longer than a
 * bounded number of them. The bound is counted in tasks, with room for those that ran on other workers meanwhile.
 */
@Timeout(60)
final class StarvationTest {
    /** Tasks of the flood before the victim has surely run: far above 256 for each worker, far below no bound at all. */
    private static final long BOUND = 200_000;

    static Stream<Arguments> floods() {
        return Stream.of(
                Arguments.of(WorkerLevel.NORMAL, TaskPriority.NORMAL, WorkerLevel.NORMAL, TaskPriority.NORMAL),
                Arguments.of(WorkerLevel.NORMAL, TaskPriority.HIGH, WorkerLevel.NORMAL, TaskPriority.NORMAL),
                Arguments.of(WorkerLevel.HIGH, TaskPriority.HIGH, WorkerLevel.NORMAL, TaskPriority.NORMAL),
                Arguments.of(WorkerLevel.HIGH, TaskPriority.NORMAL, WorkerLevel.BACKGROUND, TaskPriority.NORMAL),
                Arguments.of(WorkerLevel.NORMAL, TaskPriority.NORMAL, WorkerLevel.BACKGROUND, TaskPriority.NORMAL),
                Arguments.of(WorkerLevel.BACKGROUND, TaskPriority.HIGH, WorkerLevel.BACKGROUND, TaskPriority.NORMAL));
    }

    @ParameterizedTest
    @MethodSource("floods")
    void aVictimInTheWorkersOwnDequeRuns(
            WorkerLevel level, TaskPriority priority, WorkerLevel victims, TaskPriority victimsPriority) {
        assertThat(flood(1, level, priority, victims, victimsPriority, true)).isLessThan(BOUND);
    }

    @ParameterizedTest
    @MethodSource("floods")
    void aVictimInTheSharedQueueRuns(
            WorkerLevel level, TaskPriority priority, WorkerLevel victims, TaskPriority victimsPriority) {
        assertThat(flood(2, level, priority, victims, victimsPriority, false)).isLessThan(BOUND);
    }

    /** Returns how many tasks of the flood ran until the victim did, or more than the bound if it did not. */
    private static long flood(
            int workers,
            WorkerLevel level,
            TaskPriority priority,
            WorkerLevel victims,
            TaskPriority victimsPriority,
            boolean own) {
        try (TaskGraph graph = TaskGraph.builder().workers(workers).build()) {
            AtomicLong ran = new AtomicLong();
            AtomicLong atVictim = new AtomicLong(Long.MAX_VALUE);
            Runnable victim = () -> graph.task("victim", () -> atVictim.set(ran.get()))
                    .on(victims)
                    .priority(victimsPriority)
                    .fireAndForget();
            GraphEvent seed = graph.task("seed", () -> {
                        if (own) {
                            victim.run();
                        }
                        for (int chain = 0; chain < 2 * workers; chain++) {
                            again(graph, level, priority, ran, atVictim);
                        }
                    })
                    .on(level)
                    .dispatch();
            seed.await();
            if (!own) {
                victim.run();
            }
            while (atVictim.get() == Long.MAX_VALUE && ran.get() <= BOUND) {
                Thread.onSpinWait();
            }
            return Math.min(atVictim.get(), ran.get() + 1);
        }
    }

    private static void again(
            TaskGraph graph, WorkerLevel level, TaskPriority priority, AtomicLong ran, AtomicLong atVictim) {
        if (ran.incrementAndGet() <= BOUND && atVictim.get() == Long.MAX_VALUE) {
            graph.task("flood", () -> again(graph, level, priority, ran, atVictim))
                    .on(level)
                    .priority(priority)
                    .fireAndForget();
        }
    }
}
