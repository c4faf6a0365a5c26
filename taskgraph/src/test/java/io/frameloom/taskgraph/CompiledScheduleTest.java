package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.taskgraph.deterministic.DeterministicScheduler;
import io.frameloom.taskgraph.deterministic.Exploration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Runs of compiled graphs from all kinds of threads, under chosen schedules. That nothing hangs needs no
 * assertion: the scheduler fails such a run.
 */
final class CompiledScheduleTest {
    /** Long enough for a run to be shared and for its helpers to pay. */
    private static final Duration LONG = Duration.ofMillis(1);

    /** A node, and what it has done in all runs. The scheduler orders all accesses. */
    private static final class Node {
        final String name;
        final GraphNode declared;
        final ExecutionTarget target;
        final List<Node> prerequisites;
        int begun;
        int ended;

        Node(String name, GraphNode declared, ExecutionTarget target, List<Node> prerequisites) {
            this.name = name;
            this.declared = declared;
            this.target = target;
            this.prerequisites = prerequisites;
        }
    }

    /** A compiled graph that checks itself: order, lanes, and that no two runs are mixed. */
    private static final class Checked {
        final DeterministicScheduler scheduler;
        final GraphBuilder builder;
        final List<Node> nodes = new ArrayList<>();
        final List<String> problems = new ArrayList<>();
        boolean takesTime;

        Checked(DeterministicScheduler scheduler, TaskGraph graph) {
            this.scheduler = scheduler;
            this.builder = graph.graphBuilder("frame");
        }

        Node node(String name, ExecutionTarget target, Node... prerequisites) {
            int index = nodes.size();
            GraphNode declared =
                    builder.node(name, () -> body(nodes.get(index))).on(target);
            for (Node prerequisite : prerequisites) {
                declared.after(prerequisite.declared);
            }
            Node node = new Node(name, declared, target, List.of(prerequisites));
            nodes.add(node);
            return node;
        }

        private void require(boolean condition, String problem) {
            if (!condition) {
                problems.add(problem);
            }
        }

        private void body(Node node) {
            int before = node.begun++;
            require(node.ended == before, node.name + " is run by two threads");
            for (Node prerequisite : node.prerequisites) {
                require(prerequisite.ended == before + 1, node.name + " before " + prerequisite.name);
            }
            for (Node other : nodes) {
                require(
                        other.ended == before || other.begun == before + 1,
                        node.name + " in run " + before + " meets " + other.name + " of another run");
            }
            String lane = node.target instanceof NamedThread thread
                    ? thread.name()
                    : node.target instanceof NamedThread.Local local
                            ? local.thread().name()
                            : null;
            require(
                    lane == null || Thread.currentThread().getName().endsWith(lane),
                    node.name + " on " + Thread.currentThread().getName());
            scheduler.point("in " + node.name);
            if (takesTime) {
                scheduler.sleep(LONG);
            }
            node.ended++;
            scheduler.point("after " + node.name);
        }

        /** What must hold when the given number of runs is over. */
        void check(int runs) {
            assertThat(problems).isEmpty();
            for (Node node : nodes) {
                assertThat(node.ended).as("runs of %s", node.name).isEqualTo(runs);
                assertThat(node.begun).as("begun runs of %s", node.name).isEqualTo(runs);
            }
        }
    }

    private static Checked diamonds(DeterministicScheduler scheduler, TaskGraph graph, ExecutionTarget middle) {
        Checked checked = new Checked(scheduler, graph);
        Node first = checked.node("first", WorkerLevel.NORMAL);
        Node left = checked.node("left", WorkerLevel.NORMAL, first);
        Node right = checked.node("right", middle, first);
        Node apart = checked.node("apart", WorkerLevel.NORMAL);
        checked.node("last", WorkerLevel.NORMAL, left, right, apart);
        return checked;
    }

    @Test
    void aThreadOutsideExecutesRunAfterRun() {
        Schedules.explore(61, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                Checked checked = diamonds(scheduler, graph, WorkerLevel.HIGH);
                checked.takesTime = true;
                CompiledGraph frame = checked.builder.build();
                for (int run = 1; run <= 3; run++) {
                    frame.execute();
                    checked.check(run);
                }
            }
        });
    }

    @Test
    void workersRunWhatOthersAwait() {
        Schedules.explore(62, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                Checked checked = diamonds(scheduler, graph, WorkerLevel.BACKGROUND);
                CompiledGraph frame = checked.builder.build();
                for (int run = 1; run <= 2; run++) {
                    RunEvent event = frame.run();
                    Thread other = scheduler.thread("other", event::await);
                    event.await();
                    checked.check(run);
                    scheduler.join(other);
                }
            }
        });
    }

    @Test
    void workersExecuteAndAwait() {
        Schedules.explore(63, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                Checked checked = diamonds(scheduler, graph, WorkerLevel.BACKGROUND);
                checked.takesTime = true;
                CompiledGraph frame = checked.builder.build();
                GraphEvent executor = graph.task("executor", () -> {
                            frame.execute();
                            checked.check(1);
                            frame.run().await();
                            checked.check(2);
                        })
                        .dispatch();
                GraphEvent waiter =
                        graph.task("waiter", () -> frame.event().await()).dispatch();
                graph.awaitAll(executor, waiter);
                checked.check(2);
            }
        });
    }

    @Test
    void namedThreadsRunTheirNodesWhoeverWaits() {
        Schedules.explore(64, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                graph.start(NamedThread.RENDER);
                Thread.currentThread().setName("GAME");
                graph.attach(NamedThread.GAME);
                Checked checked = new Checked(scheduler, graph);
                Node game = checked.node("game", NamedThread.GAME);
                Node cull = checked.node("cull", WorkerLevel.NORMAL, game);
                Node draw = checked.node("draw", NamedThread.RENDER, cull);
                Node local = checked.node("local", NamedThread.GAME.local(), cull);
                checked.node("present", NamedThread.RENDER.local(), draw, local);
                CompiledGraph frame = checked.builder.build();
                frame.execute();
                checked.check(1);
                frame.run().await();
                checked.check(2);
                GraphEvent third = graph.task("third", frame::execute).dispatch();
                while (!third.isComplete()) {
                    graph.processUntilIdle(NamedThread.GAME);
                    frame.event().await();
                    third.await(Duration.ofMillis(1));
                }
                checked.check(3);
                graph.detach(NamedThread.GAME);
            }
        });
    }

    @Test
    void nodesOnNamedThreadsOnlyNeedNobodyElse() {
        Schedules.explore(65, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                graph.start(NamedThread.RENDER);
                graph.start(NamedThread.RHI);
                Checked checked = new Checked(scheduler, graph);
                Node draw = checked.node("draw", NamedThread.RENDER);
                Node submit = checked.node("submit", NamedThread.RHI, draw);
                checked.node("present", NamedThread.RENDER.local(), submit);
                checked.node("stats", NamedThread.RHI);
                CompiledGraph frame = checked.builder.build();
                for (int run = 1; run <= 2; run++) {
                    Thread early = scheduler.thread("early", () -> frame.event().await());
                    frame.run().await();
                    checked.check(run);
                    scheduler.join(early);
                }
                frame.execute();
                checked.check(3);
            }
        });
    }

    @Test
    void ofTwoThatBeginARunOneIsRefused() {
        int[] refused = new int[1];
        Schedules.explore(66, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                Checked checked = diamonds(scheduler, graph, WorkerLevel.NORMAL);
                CompiledGraph frame = checked.builder.build();
                int[] accepted = new int[1];
                TaskBody begin = () -> {
                    for (int i = 0; i < 2; i++) {
                        try {
                            frame.execute();
                            accepted[0]++;
                        } catch (IllegalStateException e) {
                            assertThat(e).hasMessageContaining("graph 'frame' is running");
                            refused[0]++;
                        }
                    }
                };
                Thread other = scheduler.thread("other", begin);
                begin.run();
                scheduler.join(other);
                assertThat(accepted[0]).isBetween(1, 4);
                checked.check(accepted[0]);
            }
        });
        assertThat(refused[0]).isPositive();
    }

    @Test
    void aRunThatMeetsTheCloseEndsEitherWay() {
        int[] outcomes = new int[3];
        Schedules.explore(67, scheduler -> {
            TaskGraph graph = Schedules.graph(scheduler, 2);
            graph.start(NamedThread.RENDER);
            Checked checked = diamonds(scheduler, graph, NamedThread.RENDER);
            CompiledGraph frame = checked.builder.build();
            Thread closer = scheduler.thread("closer", graph::close);
            Thread waiter = scheduler.thread("waiter", () -> {
                try {
                    frame.event().await();
                } catch (RunFailedException e) {
                    assertThat(e).hasRootCauseInstanceOf(TaskGraphClosedException.class);
                }
            });
            int runs = 0;
            try {
                frame.execute();
                checked.check(++runs);
                frame.run().await();
                checked.check(++runs);
                outcomes[0]++;
            } catch (RunFailedException e) {
                assertThat(e).hasRootCauseInstanceOf(TaskGraphClosedException.class);
                outcomes[1]++;
            } catch (TaskGraphClosedException e) {
                checked.check(runs);
                outcomes[2]++;
            }
            graph.close();
            scheduler.join(closer);
            scheduler.join(waiter);
            assertThat(frame.event().isComplete()).isTrue();
            assertThat(checked.problems).isEmpty();
        });
        assertThat(outcomes).doesNotContain(0);
    }

    /** The first run is short and makes the second begin alone; there the helpers are invited in the middle. */
    @Test
    void aRunThatTurnsOutToBeLongIsShared() {
        boolean[] helped = new boolean[1];
        Schedules.explore(68, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                Checked checked = new Checked(scheduler, graph);
                Node before = checked.node("0", WorkerLevel.NORMAL);
                for (int i = 1; i < 12; i++) {
                    Node node = checked.node("" + i, WorkerLevel.NORMAL, before);
                    before = i % 3 == 0 ? node : before;
                }
                CompiledGraph frame = checked.builder.build();
                frame.execute();
                checked.check(1);
                checked.takesTime = true;
                int switches = scheduler.schedule().length();
                frame.execute();
                checked.check(2);
                helped[0] |= scheduler.log().stream()
                        .skip(switches)
                        .anyMatch(line -> line.contains("g-worker") && line.contains("in 11"));
                frame.execute();
                checked.check(3);
            }
        });
        assertThat(helped[0]).isTrue();
    }

    @Test
    void withoutHelpersOneThreadAtATimeRunsNodes() {
        Schedules.explore(69, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                graph.start(NamedThread.RENDER);
                Checked checked = new Checked(scheduler, graph);
                Node first = checked.node("first", WorkerLevel.NORMAL);
                Node draw = checked.node("draw", NamedThread.RENDER, first);
                checked.node("second", WorkerLevel.BACKGROUND, first);
                checked.node("last", WorkerLevel.HIGH, draw);
                CompiledGraph frame = checked.builder.maxHelpers(0).build();
                frame.execute();
                checked.check(1);
                RunEvent event = frame.run();
                Thread other = scheduler.thread("other", event::await);
                event.await();
                checked.check(2);
                scheduler.join(other);
            }
        });
    }

    @Test
    void tasksStandBehindTheRunTheyWereGiven() {
        Schedules.explore(70, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                Checked checked = diamonds(scheduler, graph, WorkerLevel.NORMAL);
                CompiledGraph frame = checked.builder.build();
                List<GraphEvent> behind = new ArrayList<>();
                for (int run = 1; run <= 2; run++) {
                    int least = run;
                    GraphEvent over = frame.run().asEvent();
                    behind.add(graph.task(
                                    "behind",
                                    () -> checked.nodes.forEach(
                                            node -> assertThat(node.ended).isGreaterThanOrEqualTo(least)))
                            .after(over)
                            .dispatch());
                    frame.event().await();
                }
                graph.awaitAll(behind.toArray(GraphEvent[]::new));
                checked.check(2);
            }
        });
    }

    @Test
    void aWaitWithALimitTellsTheTruth() {
        int[] ends = new int[2];
        Schedules.exploreWithTime(71, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                Checked checked = diamonds(scheduler, graph, WorkerLevel.NORMAL);
                checked.takesTime = true;
                CompiledGraph frame = checked.builder.build();
                RunEvent event = frame.run();
                Thread other = scheduler.thread("other", () -> {
                    boolean over = event.await(Duration.ofNanos(1));
                    assertThat(over && !event.isComplete()).isFalse();
                    ends[over ? 1 : 0]++;
                });
                event.await();
                checked.check(1);
                scheduler.join(other);
            }
        });
        assertThat(ends).doesNotContain(0);
    }

    @Test
    void randomGraphsRunAgainAndAgain() {
        List<ExecutionTarget> targets = List.of(
                WorkerLevel.NORMAL,
                WorkerLevel.NORMAL,
                WorkerLevel.HIGH,
                WorkerLevel.BACKGROUND,
                NamedThread.RENDER,
                NamedThread.RHI.local());
        for (long seed = 1; seed <= 30; seed++) {
            long chosen = seed;
            DeterministicScheduler.explore(Exploration.mixed(seed, 12), scheduler -> {
                Random random = new Random(chosen);
                try (TaskGraph graph = Schedules.graph(scheduler, 1 + random.nextInt(2))) {
                    graph.start(NamedThread.RENDER);
                    graph.start(NamedThread.RHI);
                    Checked checked = new Checked(scheduler, graph);
                    for (int i = 0; i < 8; i++) {
                        Node[] prerequisites = checked.nodes.stream()
                                .filter(node -> random.nextInt(3) == 0)
                                .toArray(Node[]::new);
                        checked.node("node " + i, targets.get(random.nextInt(targets.size())), prerequisites);
                    }
                    CompiledGraph frame =
                            checked.builder.maxHelpers(random.nextInt(3)).build();
                    for (int run = 1; run <= 3; run++) {
                        checked.takesTime = random.nextBoolean();
                        if (random.nextBoolean()) {
                            frame.execute();
                        } else {
                            RunEvent event = frame.run();
                            graph.task("waiter", event::await).fireAndForget();
                            event.await();
                        }
                        checked.check(run);
                    }
                }
            });
        }
    }
}
