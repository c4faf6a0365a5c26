package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.frameloom.taskgraph.task.CoreEvent;
import io.frameloom.taskgraph.task.Task;
import io.frameloom.taskgraph.task.Urgency;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scopes whose tasks end with them. */
@Timeout(60)
final class TaskGroupTest {
    /** All nodes of a tree in one group: each forks those below it. */
    private static int flat(TaskGraph graph, int depth) {
        AtomicInteger nodes = new AtomicInteger();
        try (TaskGroup group = graph.group("flat")) {
            visit(group, depth, nodes);
        }
        return nodes.get();
    }

    private static void visit(TaskGroup group, int depth, AtomicInteger nodes) {
        nodes.incrementAndGet();
        if (depth > 1) {
            group.fork("left", () -> visit(group, depth - 1, nodes));
            group.fork("right", () -> visit(group, depth - 1, nodes));
        }
    }

    /** A group of its own for each node. */
    private static int nested(TaskGraph graph, int depth) {
        if (depth == 1) {
            return 1;
        }
        try (TaskGroup group = graph.group("nested")) {
            ResultEvent<Integer> left = group.fork("left", () -> nested(graph, depth - 1));
            ResultEvent<Integer> right = group.fork("right", () -> nested(graph, depth - 1));
            group.join();
            return left.result() + right.result() + 1;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void everyKindOfThreadWaitsForAllTasks(int workers) {
        try (TaskGraph graph = TaskGraph.builder().workers(workers).build()) {
            for (int round = 0; round < 20; round++) {
                assertThat(flat(graph, 8)).isEqualTo(255);
                assertThat(nested(graph, 8)).isEqualTo(255);
                assertThat(graph.fork("flat", () -> flat(graph, 10)).await()).isEqualTo(1023);
                assertThat(graph.fork("nested", () -> nested(graph, 10)).await())
                        .isEqualTo(1023);
            }
            graph.attach(NamedThread.GAME);
            assertThat(flat(graph, 8)).isEqualTo(255);
            assertThat(nested(graph, 8)).isEqualTo(255);
            graph.detach(NamedThread.GAME);
        }
    }

    @Test
    void virtualThreadsOwnGroups() throws Exception {
        Assumptions.assumeTrue(Runtime.version().feature() >= 21, "virtual threads exist from JDK 21 on");
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            List<Integer> counts = Collections.synchronizedList(new ArrayList<>());
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                Runnable body = () -> counts.add(flat(graph, 6) + nested(graph, 6));
                threads.add((Thread) Thread.class
                        .getMethod("startVirtualThread", Runnable.class)
                        .invoke(null, body));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(counts).hasSize(20).containsOnly(126);
        }
    }

    /** A join pops what lies at the end of the worker's deque, that which its tasks fork there included. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatAJoinHasRunIsQueuedNoMore(boolean flat) {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            int left = graph.fork("root", () -> {
                        assertThat(flat ? flat(graph, 10) : nested(graph, 10)).isEqualTo(1023);
                        return graph.parts.workers().queued(WorkerLevel.NORMAL);
                    })
                    .await();
            assertThat(left).isZero();
        }
    }

    /** The event of a group that lasts as long as the program must not keep what has ended. */
    @Test
    void anEventLetsGoOfChildrenThatHaveEnded() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            CoreEvent all = (CoreEvent) graph.event("all");
            GraphEvent running = graph.event("running");
            all.dontCompleteUntil(running);
            for (int i = 0; i < 100; i++) {
                GraphEvent child = graph.fork("child", () -> {});
                all.dontCompleteUntil(child);
                child.await();
            }
            assertThat(all.inputs()).hasSize(2).contains((CoreEvent) running);
            all.trigger();
            assertThat(all.isComplete()).isFalse();
            running.trigger();
            assertThat(all.isComplete()).isTrue();
        }
    }

    /** As above, where the newest child is never complete when the next one is added. */
    @Test
    void anEventLetsGoOfOlderChildrenThatHaveEnded() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            CoreEvent all = (CoreEvent) graph.event("all");
            List<GraphEvent> running = new ArrayList<>();
            GraphEvent newest = graph.event("newest");
            all.dontCompleteUntil(newest);
            for (int i = 0; i < 10_000; i++) {
                GraphEvent next = graph.event("next");
                all.dontCompleteUntil(next);
                if (i % 100 == 0) {
                    running.add(newest);
                } else {
                    newest.trigger();
                }
                newest = next;
            }
            running.add(newest);
            assertThat(all.inputs().length).isLessThan(4 * running.size());
            assertThat(all.inputs()).containsAll(cores(running));
            all.trigger();
            for (GraphEvent event : running) {
                assertThat(all.isComplete()).isFalse();
                event.trigger();
            }
            assertThat(all.isComplete()).isTrue();
        }
    }

    private static List<CoreEvent> cores(List<GraphEvent> events) {
        return events.stream().map(CoreEvent.class::cast).toList();
    }

    /** What a worker dispatched before it opened the group is not part of it, and waits. */
    @Test
    void aJoinRunsNothingElse() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            List<String> order = new ArrayList<>();
            GraphEvent[] other = new GraphEvent[2];
            graph.fork("outer", () -> {
                        other[0] = graph.fork("other", () -> {
                            order.add("other");
                        });
                        try (TaskGroup group = graph.group("group")) {
                            group.fork("in the group", () -> {
                                order.add("in the group");
                                other[1] = graph.fork("further", () -> {
                                    order.add("further");
                                });
                            });
                        }
                        order.add("joined");
                    })
                    .await();
            graph.awaitAll(other);
            assertThat(order).containsSubsequence("in the group", "joined", "other");
            assertThat(order).containsSubsequence("joined", "further");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void aFailureStopsNoOtherTask(int workers) {
        try (TaskGraph graph = TaskGraph.builder().workers(workers).build()) {
            AtomicInteger ran = new AtomicInteger();
            TaskFailedException thrown = catchThrowableOfType(TaskFailedException.class, () -> {
                try (TaskGroup group = graph.group("group")) {
                    for (int i = 0; i < 100; i++) {
                        int number = i;
                        group.fork("task " + number, () -> {
                            ran.incrementAndGet();
                            if (number % 10 == 0) {
                                throw new IOException("disk " + number);
                            }
                        });
                    }
                }
            });
            assertThat(ran).hasValue(100);
            assertThat(thrown).hasMessageContaining("task 'task ").hasCauseInstanceOf(IOException.class);
            assertThat(thrown.getSuppressed()).hasSize(9).allMatch(IOException.class::isInstance);
        }
    }

    @Test
    void theFirstFailureIsTheCause() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            TaskFailedException thrown = catchThrowableOfType(TaskFailedException.class, () -> {
                try (TaskGroup group = graph.group("group")) {
                    GraphEvent early = group.fork("early", () -> {
                        if (graph.workerCount() == 1) {
                            throw new IOException("early");
                        }
                    });
                    early.awaitCompletion();
                    group.fork("late", () -> {
                        if (graph.workerCount() == 1) {
                            throw new IOException("late");
                        }
                    });
                }
            });
            assertThat(thrown).hasMessageContaining("task 'early' failed").hasRootCauseMessage("early");
            assertThat(thrown.getSuppressed())
                    .singleElement()
                    .satisfies(e -> assertThat(e).hasMessage("late"));
        }
    }

    /** Also after each has been thrown to a wait inside of the scope. */
    @Test
    void aFailureThatWasSeenIsThrownAgain() {
        List<Throwable> unseen = new ArrayList<>();
        try (TaskGraph graph = TaskGraph.builder()
                .workers(1)
                .uncaughtHandler((task, failure) -> unseen.add(failure))
                .build()) {
            assertThatThrownBy(() -> {
                        try (TaskGroup group = graph.group("group")) {
                            ResultEvent<Integer> broken = group.fork("broken", () -> {
                                throw new IOException("disk");
                            });
                            assertThatThrownBy(broken::await).hasRootCauseMessage("disk");
                        }
                    })
                    .hasRootCauseMessage("disk");
        }
        assertThat(unseen).isEmpty();
    }

    @Test
    void aScopeThatThrowsIsWaitedForAndSuppressesTheFailures() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            CountDownLatch go = new CountDownLatch(1);
            AtomicInteger ran = new AtomicInteger();
            IllegalStateException thrown = catchThrowableOfType(IllegalStateException.class, () -> {
                try (TaskGroup group = graph.group("group")) {
                    group.fork("slow", () -> {
                        go.await();
                        ran.incrementAndGet();
                        throw new IOException("disk");
                    });
                    go.countDown();
                    throw new IllegalStateException("scope");
                }
            });
            assertThat(ran).hasValue(1);
            assertThat(thrown).hasMessage("scope");
            assertThat(thrown.getSuppressed()).singleElement().isInstanceOf(TaskFailedException.class);
        }
    }

    @Test
    void closeAfterJoinThrowsNothingMore() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            TaskFailedException thrown = catchThrowableOfType(TaskFailedException.class, () -> {
                try (TaskGroup group = graph.group("group")) {
                    group.fork("broken", () -> {
                        throw new IOException("disk");
                    });
                    group.join();
                }
            });
            assertThat(thrown.getSuppressed()).isEmpty();
        }
    }

    @Test
    void aForkAfterTheEndIsRefused() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            for (boolean empty : new boolean[] {false, true}) {
                TaskGroup group = graph.group("frame");
                if (!empty) {
                    group.fork("first", () -> {});
                }
                group.close();
                group.close();
                assertThatThrownBy(() -> group.fork("late", () -> {}))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("'late' was refused: group 'frame' has ended");
                assertThatThrownBy(() -> group.fork("late", () -> 1)).isInstanceOf(IllegalStateException.class);
                assertThat(group).hasToString("TaskGroup[frame, ended]");
            }
        }
    }

    @Test
    void onlyTheOwnerJoins() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build();
                TaskGroup group = graph.group("frame")) {
            GraphEvent wrong = graph.fork("wrong", group::close);
            wrong.awaitCompletion();
            assertThat(wrong.failure())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("group 'frame' belongs to thread '");
        }
    }

    @Test
    void aTaskThatJoinsItsOwnGroupIsTold() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            GraphEvent outer = graph.fork("outer", () -> {
                try (TaskGroup group = graph.group("group")) {
                    group.fork("inner", group::join);
                }
            });
            outer.awaitCompletion();
            assertThat(outer.failure())
                    .isInstanceOf(TaskFailedException.class)
                    .hasMessageContaining("task 'inner' failed")
                    .hasCauseInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aTaskThatJoinsItsOwnGroupLeavesItUsable() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            AtomicInteger ran = new AtomicInteger();
            graph.fork("outer", () -> {
                        try (TaskGroup group = graph.group("group")) {
                            group.fork("inner", () -> {
                                        assertThatThrownBy(group::join)
                                                .isInstanceOf(IllegalStateException.class)
                                                .hasMessageContaining("waiting for 'group' from inside 'inner'");
                                        group.fork("by the inner", () -> {
                                            ran.incrementAndGet();
                                        });
                                    })
                                    .await();
                            group.fork("by the owner", () -> {
                                ran.incrementAndGet();
                            });
                        }
                        assertThat(ran).hasValue(2);
                    })
                    .await();
        }
    }

    @Test
    void anInterruptIsKept() throws InterruptedException {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            CountDownLatch go = new CountDownLatch(1);
            AtomicReference<Boolean> kept = new AtomicReference<>();
            Thread owner = new Thread(() -> {
                Thread.currentThread().interrupt();
                try (TaskGroup group = graph.group("group")) {
                    group.fork("slow", () -> {
                        go.await();
                    });
                }
                kept.set(Thread.currentThread().isInterrupted());
            });
            owner.start();
            while (!graph.describeWaits().contains("waits for 'group'")) {
                Thread.onSpinWait();
            }
            go.countDown();
            owner.join();
            assertThat(kept).hasValue(true);
        }
    }

    /**
     * A task of the group on another worker waits for what only a further task of the group triggers: the owner has to
     * run that one, though it lies in the deque of the other.
     */
    @Test
    void theOwnerRunsWhatABlockedTaskHasForked() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            for (int round = 0; round < 200; round++) {
                GraphEvent triggered = graph.event("triggered");
                CountDownLatch stolen = new CountDownLatch(1);
                graph.fork("owner", () -> {
                            try (TaskGroup group = graph.group("group")) {
                                group.fork("blocked", () -> {
                                    stolen.countDown();
                                    group.fork("trigger", triggered::trigger);
                                    triggered.await();
                                });
                                stolen.await();
                            }
                        })
                        .await();
            }
        }
    }

    /** A join of urgent work makes its tasks urgent, that which they fork meanwhile included. */
    @Test
    void tasksOfAnUrgentGroupAreUrgent() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            AtomicReference<Integer> urgency = new AtomicReference<>();
            CountDownLatch stolen = new CountDownLatch(1);
            graph.task("owner", () -> {
                        try (TaskGroup group = graph.group("group")) {
                            group.fork("outer", () -> {
                                stolen.countDown();
                                while (!graph.describeWaits().contains("waits for 'group'")) {
                                    Thread.onSpinWait();
                                }
                                Task inner = (Task) group.fork("inner", () -> {});
                                urgency.set(inner.urgency());
                            });
                            stolen.await();
                        }
                    })
                    .priority(TaskPriority.HIGH)
                    .on(WorkerLevel.HIGH)
                    .dispatch()
                    .await();
            assertThat(urgency).hasValue(Urgency.of(WorkerLevel.HIGH, true));
        }
    }

    @Test
    void aClosedGraphRefusesForksAndTheGroupStillEnds() {
        TaskGraph graph = TaskGraph.builder().name("g").workers(1).build();
        try (TaskGroup group = graph.group("group")) {
            group.fork("first", () -> {});
            graph.close();
            assertThatThrownBy(() -> group.fork("late", () -> {})).isInstanceOf(TaskGraphClosedException.class);
        }
    }
}
