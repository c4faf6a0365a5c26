package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.testing.WaitGraphs;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Race 27: errors of the virtual machine, and checked exceptions where none is declared. Bodies throw them, and the
 * callbacks that the scheduler makes between claiming a task and completing it. Workers and lanes outlive them and every event completes.
 */
@Timeout(60)
final class SchedulerErrorsTest {
    private static final NamedThread LANE = NamedThread.of("LANE");
    private static final int ROUNDS = 20;

    /** What breaks. */
    enum Broken {
        OUT_OF_MEMORY {
            @Override
            void happen() {
                throw new OutOfMemoryError("none left");
            }
        },
        STACK_OVERFLOW {
            @Override
            void happen() {
                recurse(1);
            }
        },
        LINKAGE {
            @Override
            void happen() {
                throw new NoClassDefFoundError("missing");
            }
        },
        ASSERTION {
            @Override
            void happen() {
                throw new AssertionError("wrong");
            }
        },
        CHECKED {
            @Override
            void happen() {
                Broken.<RuntimeException>raise(new IOException("not declared"));
            }
        };

        abstract void happen();

        /** Without stack traces, which fill the log where the handler itself breaks. */
        void happenTersely() {
            try {
                happen();
            } catch (Throwable e) {
                e.setStackTrace(new StackTraceElement[0]);
                throw e;
            }
        }

        @SuppressWarnings("unchecked")
        private static <T extends Throwable> void raise(Throwable thrown) throws T {
            throw (T) thrown;
        }

        static boolean isOne(Throwable thrown) {
            return thrown instanceof Error || thrown instanceof IOException;
        }

        @SuppressWarnings("InfiniteRecursion")
        private static int recurse(int depth) {
            return recurse(depth + 1) + 1;
        }
    }

    @ParameterizedTest
    @EnumSource(Broken.class)
    void aBodyThatBreaksFailsItsOwnEventAndNothingElse(Broken broken, WaitGraphs waits) {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            waits.show("graph", graph::describeWaits);
            graph.start(LANE);
            for (ExecutionTarget target : targets()) {
                List<GraphEvent> failing = new ArrayList<>();
                List<GraphEvent> dependents = new ArrayList<>();
                for (int i = 0; i < ROUNDS; i++) {
                    GraphEvent event =
                            graph.task("breaks", broken::happen).on(target).dispatch();
                    failing.add(event);
                    dependents.add(graph.task("dependent", () -> {})
                            .after(event)
                            .on(target)
                            .dispatch());
                }
                failing.forEach(event -> assertThatThrownBy(event::await).isInstanceOf(TaskFailedException.class));
                dependents.forEach(event -> assertThatThrownBy(event::await).isInstanceOf(TaskFailedException.class));
            }
            assertEverythingStillRuns(graph);
        }
    }

    @ParameterizedTest
    @EnumSource(Broken.class)
    void aNestedWaitThatRunsABrokenTaskGoesOn(Broken broken, WaitGraphs waits) {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            waits.show("graph", graph::describeWaits);
            graph.start(LANE);
            AtomicInteger went = new AtomicInteger();
            for (ExecutionTarget target : targets()) {
                ExecutionTarget inner = target.equals(LANE) ? LANE.local() : target;
                graph.task("outer", () -> {
                            GraphEvent event = graph.task("inner", broken::happen)
                                    .on(inner)
                                    .dispatch();
                            assertThatThrownBy(event::await).isInstanceOf(TaskFailedException.class);
                            went.incrementAndGet();
                        })
                        .on(target)
                        .dispatch()
                        .await();
            }
            assertThat(went).hasValue(targets().size());
            assertEverythingStillRuns(graph);
        }
    }

    @ParameterizedTest
    @EnumSource(Broken.class)
    void anObserverThatBreaksLosesNoTask(Broken broken, WaitGraphs waits) {
        ConcurrentLinkedQueue<Throwable> reported = new ConcurrentLinkedQueue<>();
        TaskObserver observer = new TaskObserver() {
            @Override
            public void taskStarted(String task, ExecutionTarget target, int threadOrdinal) {
                broken.happen();
            }

            @Override
            public void taskFinished(
                    String task, ExecutionTarget target, int threadOrdinal, @Nullable Throwable failure) {
                broken.happen();
            }

            @Override
            public void threadParked(int threadOrdinal, @Nullable String waitingFor) {
                broken.happen();
            }

            @Override
            public void threadUnparked(int threadOrdinal) {
                broken.happen();
            }

            @Override
            public @Nullable RunObserver runStarted(String name, int nodes) {
                if (name.equals("ends")) {
                    return run -> broken.happen();
                }
                broken.happen();
                return null;
            }
        };
        try (TaskGraph graph = TaskGraph.builder()
                .workers(2)
                .idlePolicy(IdlePolicy.parking())
                .observer(observer)
                .uncaughtHandler((task, failure) -> reported.add(failure))
                .build()) {
            waits.show("graph", graph::describeWaits);
            graph.start(LANE);
            for (String name : List.of("begins", "ends")) {
                GraphBuilder builder = graph.graphBuilder(name);
                builder.node("node", () -> {});
                CompiledGraph compiled = builder.build();
                compiled.execute();
                compiled.run().await();
                assertThat(compiled.event().isComplete()).isTrue();
            }
            assertEverythingStillRuns(graph);
        }
        assertThat(reported)
                .hasSizeGreaterThanOrEqualTo(2 * ROUNDS * targets().size())
                .allMatch(Broken::isOne);
    }

    @ParameterizedTest
    @EnumSource(Broken.class)
    void aHandlerAndAnIdlePolicyThatBreakLoseNoTask(Broken broken, WaitGraphs waits) {
        AtomicInteger handled = new AtomicInteger();
        IdlePolicy policy = (wakeLatencyNanos, runnable, processors, frames) -> {
            broken.happenTersely();
            return 0L;
        };
        try (TaskGraph graph = TaskGraph.builder()
                .workers(2)
                .idlePolicy(policy)
                .uncaughtHandler((task, failure) -> {
                    handled.incrementAndGet();
                    broken.happenTersely();
                })
                .build()) {
            waits.show("graph", graph::describeWaits);
            graph.start(LANE);
            for (ExecutionTarget target : targets()) {
                for (int i = 0; i < ROUNDS; i++) {
                    graph.task("breaks", broken::happenTersely).on(target).fireAndForget();
                }
            }
            assertEverythingStillRuns(graph);
        }
        assertThat(handled).hasValueGreaterThanOrEqualTo(ROUNDS * targets().size());
    }

    @ParameterizedTest
    @EnumSource(Broken.class)
    void aStallListenerThatBreaksEndsNoWait(Broken broken, WaitGraphs waits) {
        ConcurrentLinkedQueue<Throwable> reported = new ConcurrentLinkedQueue<>();
        CountDownLatch stalled = new CountDownLatch(1);
        try (TaskGraph graph = TaskGraph.builder()
                .workers(1)
                .stallWatchdog(Duration.ofMillis(1), (thread, waited, why) -> {
                    stalled.countDown();
                    broken.happen();
                })
                .uncaughtHandler((task, failure) -> reported.add(failure))
                .build()) {
            waits.show("graph", graph::describeWaits);
            graph.start(LANE);
            graph.task("waits for the report", stalled::await).dispatch().await();
            assertEverythingStillRuns(graph);
        }
        assertThat(reported).isNotEmpty().allMatch(Broken::isOne);
    }

    private static List<ExecutionTarget> targets() {
        return List.of(WorkerLevel.NORMAL, WorkerLevel.BACKGROUND, LANE);
    }

    private static void assertEverythingStillRuns(TaskGraph graph) {
        AtomicInteger ran = new AtomicInteger();
        List<GraphEvent> events = new ArrayList<>();
        for (ExecutionTarget target : targets()) {
            for (int i = 0; i < ROUNDS; i++) {
                events.add(graph.task("still runs", ran::incrementAndGet)
                        .on(target)
                        .dispatch());
            }
        }
        events.forEach(GraphEvent::await);
        assertThat(ran).hasValue(events.size());
    }
}
