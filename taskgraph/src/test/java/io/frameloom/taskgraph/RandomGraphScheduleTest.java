package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.taskgraph.deterministic.DeterministicScheduler;
import io.frameloom.taskgraph.deterministic.Exploration;
import io.frameloom.testing.TestEffort;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Random graphs of everything there is under random schedules, against a model of what must come of them. */
final class RandomGraphScheduleTest {
    private static final int GRAPHS = Integer.getInteger("frameloom.schedules", TestEffort.of(60, 200)) / 5;
    private static final int SCHEDULES = 12;
    private static final int SIZE = 9;
    private static final List<ExecutionTarget> TARGETS = List.of(
            WorkerLevel.NORMAL,
            WorkerLevel.HIGH,
            WorkerLevel.BACKGROUND,
            NamedThread.RENDER,
            NamedThread.RHI,
            NamedThread.RHI.local());

    /** A task or manual event of the model, fixed before the run. */
    private static final class Node {
        final int index;
        final @Nullable ExecutionTarget target;
        final Set<Integer> prerequisites = new HashSet<>();
        final boolean throwsUp;
        final boolean runsAnyway;
        final boolean held;
        final int awaits;
        final int child;
        boolean expectFailure;
        boolean expectRun;

        Node(int index, Random random) {
            this.index = index;
            boolean manual = random.nextInt(6) == 0;
            target = manual ? null : TARGETS.get(random.nextInt(TARGETS.size()));
            throwsUp = random.nextInt(10) == 0;
            runsAnyway = random.nextInt(3) == 0;
            held = random.nextInt(4) == 0;
            for (int i = random.nextInt(4); i > 0 && index > 0 && !manual; i--) {
                prerequisites.add(random.nextInt(index));
            }
            boolean worker = target instanceof WorkerLevel;
            awaits = worker && index > 0 && random.nextInt(4) == 0 ? random.nextInt(index) : -1;
            child = !manual && index > 0 && random.nextInt(4) == 0 ? random.nextInt(index) : -1;
        }

        String name() {
            return "node " + index;
        }
    }

    private static List<Node> model(long seed) {
        Random random = new Random(seed);
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < SIZE; i++) {
            Node node = new Node(i, random);
            boolean failedBefore = node.prerequisites.stream().anyMatch(p -> nodes.get(p).expectFailure);
            node.expectRun = node.target != null && (!failedBefore || node.runsAnyway);
            node.expectFailure = node.throwsUp
                    || (failedBefore && !node.runsAnyway)
                    || (node.child >= 0 && nodes.get(node.child).expectFailure);
            nodes.add(node);
        }
        return nodes;
    }

    /** One run of a model. The scheduler orders all accesses. */
    private static final class Run {
        final DeterministicScheduler scheduler;
        final List<Node> nodes;
        final GraphEvent[] events = new GraphEvent[SIZE];
        final int[] started = new int[SIZE];
        final int[] ended = new int[SIZE];
        final int[] runs = new int[SIZE];
        final List<HeldTask> held = new ArrayList<>();
        int clock;

        Run(DeterministicScheduler scheduler, List<Node> nodes) {
            this.scheduler = scheduler;
            this.nodes = nodes;
        }

        void run() throws InterruptedException {
            try (TaskGraph graph = TaskGraph.builder()
                    .name("g")
                    .workers(2)
                    .reservedWorkers(1)
                    .scheduler(scheduler)
                    .build()) {
                graph.start(NamedThread.RENDER);
                graph.start(NamedThread.RHI);
                for (Node node : nodes) {
                    events[node.index] = node.target == null ? graph.event(node.name()) : launch(graph, node);
                }
                List<HeldTask> toRelease = List.copyOf(held);
                Thread releaser = scheduler.thread("releaser", () -> toRelease.forEach(HeldTask::release));
                for (Node node : nodes) {
                    if (node.target == null) {
                        trigger(node);
                    }
                }
                scheduler.join(releaser);
                for (GraphEvent event : events) {
                    try {
                        event.await();
                    } catch (TaskFailedException e) {
                        assertThat(event.isFailed()).isTrue();
                    }
                }
            }
            check();
        }

        private GraphEvent launch(TaskGraph graph, Node node) {
            TaskBuilder builder = graph.task(node.name(), () -> body(node))
                    .on(node.target == null ? WorkerLevel.NORMAL : node.target)
                    .onPrerequisiteFailure(node.runsAnyway ? FailurePolicy.RUN_ANYWAY : FailurePolicy.SKIP);
            for (int prerequisite : node.prerequisites) {
                builder.after(events[prerequisite]);
            }
            // What adds a child to itself needs its own event, and that exists for sure only in a held task.
            if (!node.held && node.child < 0) {
                return builder.dispatch();
            }
            HeldTask task = builder.hold();
            held.add(task);
            return task.event();
        }

        private void trigger(Node node) {
            ended[node.index] = ++clock;
            if (node.throwsUp) {
                events[node.index].fail(new IllegalStateException("planted in " + node.name()));
            } else {
                events[node.index].trigger();
            }
        }

        private void body(Node node) {
            runs[node.index]++;
            started[node.index] = ++clock;
            if (node.target instanceof NamedThread || node.target instanceof NamedThread.Local) {
                String lane = node.target == NamedThread.RENDER ? "g-RENDER" : "g-RHI";
                assertThat(Thread.currentThread().getName()).isEqualTo(lane);
            }
            if (node.child >= 0) {
                events[node.index].dontCompleteUntil(events[node.child]);
            }
            if (node.awaits >= 0) {
                try {
                    events[node.awaits].await();
                } catch (TaskFailedException e) {
                    assertThat(nodes.get(node.awaits).expectFailure).isTrue();
                }
                assertThat(events[node.awaits].isComplete()).isTrue();
            }
            scheduler.point("in " + node.name());
            ended[node.index] = ++clock;
            if (node.throwsUp) {
                throw new IllegalStateException("planted in " + node.name());
            }
        }

        private void check() {
            for (Node node : nodes) {
                assertThat(runs[node.index]).as("runs of %s", node.name()).isEqualTo(node.expectRun ? 1 : 0);
                assertThat(events[node.index].isFailed())
                        .as("failure of %s", node.name())
                        .isEqualTo(node.expectFailure);
                for (int prerequisite : node.prerequisites) {
                    if (node.expectRun) {
                        assertThat(ended[prerequisite])
                                .as("end of %d before start of %s", prerequisite, node.name())
                                .isLessThan(started[node.index]);
                    }
                }
            }
        }
    }

    @Test
    void randomGraphsDoWhatTheModelSays() {
        for (long seed = 1; seed <= GRAPHS; seed++) {
            List<Node> nodes = model(seed);
            DeterministicScheduler.explore(
                    Exploration.mixed(seed, SCHEDULES), scheduler -> new Run(scheduler, nodes).run());
        }
    }

    @Test
    void theSameSeedGivesTheSameScheduleAndLogTwice() {
        List<Node> nodes = model(77);
        List<List<String>> logs = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            List<String> seen = new ArrayList<>();
            DeterministicScheduler.explore(Exploration.mixed(77, 20), scheduler -> {
                new Run(scheduler, nodes).run();
                seen.add(scheduler.schedule().toString());
                seen.addAll(scheduler.log());
            });
            logs.add(seen);
        }
        assertThat(logs.get(1)).isEqualTo(logs.get(0));
        assertThat(logs.get(0)).hasSizeGreaterThan(20 * 100);
    }
}
