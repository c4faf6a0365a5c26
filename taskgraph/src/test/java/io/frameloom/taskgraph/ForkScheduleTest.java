package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Forks against the waits for them, and groups against what their tasks still fork into them. */
final class ForkScheduleTest {
    private static void recursion(TaskGraph graph, int depth, int[] leaves) {
        if (depth == 0) {
            leaves[0]++;
            return;
        }
        GraphEvent left = graph.fork("left " + depth, () -> recursion(graph, depth - 1, leaves));
        recursion(graph, depth - 1, leaves);
        left.await();
    }

    @Test
    void aRecursionRunsEachPartOnce() {
        Schedules.explore(2401, scheduler -> {
            int[] leaves = new int[1];
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                GraphEvent inside = graph.fork("inside", () -> recursion(graph, 2, leaves));
                recursion(graph, 2, leaves);
                inside.await();
            }
            assertThat(leaves[0]).isEqualTo(8);
        });
    }

    /** Each task forks two, which may be taken by any worker while the owner joins. */
    private static void visit(TaskGroup group, int depth, int[] ran) {
        ran[0]++;
        if (depth > 0) {
            group.fork("left " + depth, () -> visit(group, depth - 1, ran));
            group.fork("right " + depth, () -> visit(group, depth - 1, ran));
        }
    }

    @Test
    void aGroupOfAWorkerEndsAfterAllThatItsTasksFork() {
        Schedules.explore(2402, scheduler -> {
            int[] ran = new int[1];
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                graph.fork("owner", () -> {
                            TaskGroup group = graph.group("group");
                            visit(group, 2, ran);
                            group.close();
                            assertThat(ran[0]).isEqualTo(7);
                        })
                        .await();
            }
        });
    }

    @Test
    void aGroupOfAnyThreadEndsAfterAllThatItsTasksFork() {
        Schedules.explore(2403, scheduler -> {
            int[] ran = new int[1];
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                Thread other = scheduler.thread("other owner", () -> {
                    int[] others = new int[1];
                    try (TaskGroup group = graph.group("others")) {
                        visit(group, 1, others);
                    }
                    assertThat(others[0]).isEqualTo(3);
                });
                graph.attach(NamedThread.GAME);
                try (TaskGroup group = graph.group("group")) {
                    visit(group, 1, ran);
                    group.fork("local", () -> {
                        GraphEvent local = graph.task("on its thread", () -> ran[0]++)
                                .on(NamedThread.GAME.local())
                                .dispatch();
                        local.await();
                    });
                }
                assertThat(ran[0]).isEqualTo(4);
                graph.detach(NamedThread.GAME);
                scheduler.join(other);
            }
        });
    }

    @Test
    void groupsInsideOfGroupsEndFirst() {
        Schedules.explore(2404, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                graph.fork("owner", () -> {
                            int[] ended = new int[1];
                            try (TaskGroup outer = graph.group("outer")) {
                                for (int i = 0; i < 2; i++) {
                                    outer.fork("task " + i, () -> {
                                        int[] inside = new int[1];
                                        try (TaskGroup inner = graph.group("inner")) {
                                            visit(inner, 1, inside);
                                        }
                                        assertThat(inside[0]).isEqualTo(3);
                                        ended[0]++;
                                    });
                                }
                            }
                            assertThat(ended[0]).isEqualTo(2);
                        })
                        .await();
            }
        });
    }

    /** A worker whose task waits has its forks in its deque: the owner finds them, also when all workers are blocked. */
    @Test
    void theOwnerRunsWhatABlockedTaskHasForked() {
        Schedules.explore(2405, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                GraphEvent triggered = graph.event("triggered");
                graph.fork("owner", () -> {
                            try (TaskGroup group = graph.group("group")) {
                                group.fork("blocked", () -> {
                                    group.fork("trigger", triggered::trigger);
                                    triggered.await();
                                });
                                scheduler.point("before the join");
                            }
                        })
                        .await();
            }
        });
    }

    @Test
    void allFailuresOfAGroupArrive() {
        Schedules.explore(2406, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 2)) {
                List<Throwable> thrown = new ArrayList<>();
                graph.fork("owner", () -> {
                            TaskGroup group = graph.group("group");
                            group.fork("a", () -> {
                                group.fork("b", () -> failing("b"));
                                failing("a");
                            });
                            group.fork("fine", () -> {});
                            thrown.add(catchThrowable(group::close));
                        })
                        .await();
                Throwable failure = thrown.get(0);
                assertThat(failure).isInstanceOf(TaskFailedException.class);
                assertThat(failure.getSuppressed()).hasSize(1);
                assertThat(List.of(failure.getCause(), failure.getSuppressed()[0]))
                        .extracting(Throwable::getMessage)
                        .containsExactlyInAnyOrder("a", "b");
            }
        });
    }

    private static void failing(String name) {
        throw new IllegalStateException(name);
    }

    /** A fork by a thread that is no part of the group is in it, or is refused. */
    @Test
    void aForkFromElsewhereIsWaitedForOrRefused() {
        int[] outcomes = new int[2];
        Schedules.explore(2407, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                TaskGroup group = graph.group("group");
                boolean[] ran = new boolean[1];
                boolean[] refused = new boolean[1];
                Thread other = scheduler.thread("other", () -> {
                    try {
                        group.fork("late", () -> ran[0] = true);
                    } catch (IllegalStateException e) {
                        refused[0] = true;
                    }
                });
                group.fork("first", () -> {});
                group.close();
                boolean seen = ran[0];
                scheduler.join(other);
                assertThat(seen).isEqualTo(!refused[0]);
                outcomes[refused[0] ? 1 : 0]++;
            }
        });
        assertThat(outcomes).doesNotContain(0);
    }
}
