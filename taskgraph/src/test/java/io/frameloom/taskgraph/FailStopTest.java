package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.frameloom.taskgraph.deterministic.DeterministicScheduler;
import io.frameloom.taskgraph.deterministic.Exploration;
import io.frameloom.taskgraph.task.ManualEvent;
import io.frameloom.testing.TestEffort;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An error at each step of the engine in turn. It stops the graph, or fails one task if the step is that before a body.
 * An exception of the scheduler does the same, or refuses the call that begins with it. The deterministic scheduler shows
 * that nothing hangs: it reports a thread that waits for nothing.
 */
@Timeout(300)
final class FailStopTest {
    private static final NamedThread LANE = NamedThread.of("LANE");
    private static final InheritedValue<String> SCOPE = InheritedValue.named("scope");

    /** The error that is planted. */
    private static final class Planted extends Error {
        private static final long serialVersionUID = 1L;

        Planted(String step) {
            super("planted at " + step);
        }
    }

    /** The exception of a scheduler that is planted. */
    private static final class PlantedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        PlantedException(String step) {
            super("planted at " + step);
        }

        /** Whether it was thrown where a call begins, which it refuses. */
        boolean refuses() {
            return Arrays.stream(getStackTrace())
                    .anyMatch(frame -> frame.getMethodName().equals("callBegins"));
        }
    }

    /**
     * A scheduler that throws at a given step: an error at a point, or an exception out of any method that threads of
     * the graph call on their way.
     */
    private static final class Faults implements ThreadScheduler {
        private final DeterministicScheduler threads;
        private final boolean exceptions;
        private final int at;
        private int steps;

        @Nullable
        Throwable planted;

        boolean failsOneCall;

        Faults(DeterministicScheduler threads, boolean exceptions, int at) {
            this.threads = threads;
            this.exceptions = exceptions;
            this.at = at;
        }

        @Override
        public void reached(SchedulingPoint point, @Nullable String subject) {
            if (steps++ == at) {
                String step = point + " of " + subject;
                failsOneCall = point == SchedulingPoint.BODY;
                if (!exceptions) {
                    Planted error = new Planted(step);
                    planted = error;
                    throw error;
                }
                throwException(step);
            }
            threads.reached(point, subject);
        }

        private void stepOf(String method) {
            if (exceptions && steps++ == at) {
                throwException(method);
            }
        }

        private void throwException(String step) {
            PlantedException exception = new PlantedException(step);
            planted = exception;
            failsOneCall |= exception.refuses();
            throw exception;
        }

        @Override
        public void start(Thread thread) {
            threads.start(thread);
        }

        @Override
        public void begin() {
            threads.begin();
        }

        @Override
        public void end() {
            threads.end();
        }

        @Override
        public void park(Object blocker) {
            stepOf("park");
            threads.park(blocker);
        }

        @Override
        public void parkUntil(Object blocker, long deadlineNanos) {
            stepOf("parkUntil");
            threads.parkUntil(blocker, deadlineNanos);
        }

        @Override
        public void unpark(Thread thread) {
            stepOf("unpark");
            threads.unpark(thread);
        }

        @Override
        public void join(Thread thread) throws InterruptedException {
            threads.join(thread);
        }

        @Override
        public long nanoTime() {
            stepOf("nanoTime");
            return threads.nanoTime();
        }

        @Override
        public void explainWith(String graph, Supplier<String> waits) {
            threads.explainWith(graph, waits);
        }

        @Override
        public void closing(String graph) {
            threads.closing(graph);
        }
    }

    /** What a program does with a graph; each of its waits may fail. */
    private static final class Waits {
        final TaskGraph graph;
        final List<CompletableFuture<?>> futures = new ArrayList<>();

        Waits(TaskGraph graph) {
            this.graph = graph;
        }

        GraphEvent launch(String name, @Nullable GraphEvent... after) {
            return graph.task(name, () -> {}).after(after).dispatch();
        }

        /** Waits for an event, which may fail. */
        void end(GraphEvent event) {
            try {
                event.await();
            } catch (TaskFailedException e) {
                assertThat(event.isFailed()).isTrue();
            }
        }
    }

    private interface Program {
        void run(Waits waits) throws Exception;
    }

    /** Programs that come to every protocol of the engine. */
    enum Protocol implements Program {
        CHAIN {
            @Override
            public void run(Waits waits) {
                waits.end(waits.launch("c", waits.launch("b", waits.launch("a"))));
            }
        },
        FAN {
            @Override
            public void run(Waits waits) {
                GraphEvent gate = waits.graph.event("gate");
                GraphEvent all = waits.graph.whenAll(
                        "all", waits.launch("a", gate), waits.launch("b", gate), waits.launch("c", gate));
                gate.trigger();
                waits.end(all);
            }
        },
        WAIT_INSIDE {
            @Override
            public void run(Waits waits) {
                waits.end(waits.graph
                        .task("outer", () -> waits.end(waits.launch("inner", waits.launch("before"))))
                        .dispatch());
            }
        },
        RAISED {
            @Override
            public void run(Waits waits) {
                GraphEvent low = waits.graph
                        .task("low", () -> {})
                        .on(WorkerLevel.BACKGROUND)
                        .dispatch();
                waits.end(waits.graph
                        .task("high", () -> waits.end(low))
                        .on(WorkerLevel.HIGH)
                        .dispatch());
            }
        },
        CHILDREN {
            @Override
            public void run(Waits waits) {
                GraphEvent[] own = new GraphEvent[1];
                GraphEvent held = waits.graph.event("until");
                own[0] = waits.graph.event("parent");
                own[0].dontCompleteUntil(held);
                own[0].trigger();
                GraphEvent after = waits.launch("after", own[0]);
                held.trigger();
                waits.end(after);
            }
        },
        NAMED {
            @Override
            public void run(Waits waits) {
                waits.graph.start(LANE);
                GraphEvent first = waits.graph.task("first", () -> {}).on(LANE).dispatch();
                GraphEvent second = waits.graph
                        .task("second", () -> {})
                        .on(LANE)
                        .after(first)
                        .dispatch();
                waits.end(waits.launch("third", second));
                waits.graph.requestReturn(LANE);
            }
        },
        ATTACHED {
            @Override
            public void run(Waits waits) {
                waits.graph.attach(NamedThread.GAME);
                GraphEvent first =
                        waits.graph.task("first", () -> {}).on(NamedThread.GAME).dispatch();
                waits.graph.processUntilIdle(NamedThread.GAME);
                waits.end(first);
                waits.end(waits.graph
                        .task("local", () -> {})
                        .on(NamedThread.GAME.local())
                        .after(waits.launch("worker"))
                        .dispatch());
                waits.graph.detach(NamedThread.GAME);
            }
        },
        BROADCAST {
            @Override
            public void run(Waits waits) {
                waits.graph.start(LANE);
                waits.end(waits.graph.broadcast("everywhere", () -> {}));
            }
        },
        BLOCKING {
            @Override
            public void run(Waits waits) {
                waits.end(waits.graph
                        .task("blocks", () -> waits.graph.blocking("region", () -> 0))
                        .after(waits.launch("before"))
                        .dispatch());
                waits.end(waits.launch("after"));
            }
        },
        DELAY {
            @Override
            public void run(Waits waits) {
                waits.end(waits.graph.delay("delay", Duration.ofMillis(1)));
                CancellationToken token = new CancellationToken();
                GraphEvent late = waits.graph
                        .task("late", () -> {})
                        .delay(Duration.ofDays(1))
                        .cancelledBy(token)
                        .dispatch();
                token.cancel();
                waits.end(late);
            }
        },
        PIPE_AND_LIMIT {
            @Override
            public void run(Waits waits) {
                Pipe pipe = waits.graph.pipe("pipe");
                pipe.task("one", () -> {}).dispatch();
                pipe.task("two", () -> {}).dispatch();
                waits.end(pipe.whenIdle());
                ConcurrencyLimiter limiter = waits.graph.limiter("limiter", 1);
                GraphEvent one = limiter.task("three", slot -> {}).dispatch();
                waits.end(limiter.task("four", slot -> {}).dispatch());
                waits.end(one);
            }
        },
        HELD {
            @Override
            public void run(Waits waits) {
                HeldTask held = waits.graph.task("held", () -> {}).hold();
                held.release();
                waits.end(held.event());
            }
        },
        ANY {
            @Override
            public void run(Waits waits) {
                AnyEvent any = waits.graph.whenAny("any", waits.launch("one"), waits.launch("other"));
                waits.end(any.event());
            }
        },
        FUTURE {
            @Override
            public void run(Waits waits) {
                GraphEvent event = waits.launch("a");
                waits.futures.add(event.toCompletableFuture());
                waits.futures.add(
                        waits.graph.call("b", () -> 1).after(event).dispatch().toCompletableFuture());
                CompletableFuture<Integer> outside = new CompletableFuture<>();
                GraphEvent from = waits.graph.fromFuture("from", outside);
                outside.complete(1);
                waits.end(from);
                waits.end(event);
            }
        },
        LOOP {
            @Override
            public void run(Waits waits) {
                try {
                    waits.graph.parallelFor("loop", 4, 1, (from, to, slot) -> {});
                    waits.end(waits.graph
                            .task("loops", () -> waits.graph.parallelFor("inner", 3, 1, (from, to, slot) -> {}))
                            .dispatch());
                } catch (TaskFailedException e) {
                    assertThat(e).hasStackTraceContaining("planted at ");
                }
            }
        },
        FORK {
            @Override
            public void run(Waits waits) {
                try {
                    waits.graph.fork("outer", () -> forked(waits.graph, 3)).await();
                    forked(waits.graph, 2);
                } catch (TaskFailedException e) {
                    assertThat(e).hasStackTraceContaining("planted at ");
                }
            }

            private void forked(TaskGraph graph, int depth) {
                if (depth > 0) {
                    try (TaskGroup group = graph.group("group")) {
                        group.fork("left", () -> forked(graph, depth - 1));
                        group.fork("right", () -> {
                            graph.fork("part", () -> 1).await();
                        });
                    }
                }
            }
        },
        COMPILED {
            @Override
            public void run(Waits waits) {
                waits.graph.start(LANE);
                GraphBuilder builder = waits.graph.graphBuilder("compiled");
                GraphNode a = builder.node("a", () -> {});
                GraphNode b = builder.node("b", () -> {}).after(a);
                GraphNode c = builder.node("c", () -> {}).after(a).on(LANE);
                builder.node("d", () -> {}).after(b, c).on(WorkerLevel.BACKGROUND);
                CompiledGraph compiled = builder.build();
                compiled.execute();
                waits.end(compiled.run().asEvent());
                compiled.event().await();
                waits.end(waits.graph.task("inside", compiled::execute).dispatch());
            }
        },
        COMPILED_CALLER {
            @Override
            public void run(Waits waits) {
                GraphBuilder builder = waits.graph.graphBuilder("compiled");
                GraphNode a = builder.node("a", () -> {});
                GraphNode b = builder.node("b", () -> {}).after(a).on(NamedThread.GAME);
                builder.node("c", () -> {}).after(b);
                CompiledGraph compiled = builder.build();
                SCOPE.where("run", compiled::run);
                keepingWhatIsOfTheThread(() -> {
                    compiled.event().await(Duration.ofMillis(1));
                    waits.graph.attach(NamedThread.GAME);
                    compiled.event().await();
                    compiled.execute();
                    waits.graph.detach(NamedThread.GAME);
                });
            }

            /** Takes part in runs that were begun with other values. */
            private void keepingWhatIsOfTheThread(Runnable part) {
                Thread.currentThread().interrupt();
                try {
                    SCOPE.where("caller", () -> {
                        try {
                            part.run();
                        } finally {
                            assertThat(SCOPE.get()).isEqualTo("caller");
                        }
                    });
                } finally {
                    assertThat(Thread.interrupted()).as("interrupted").isTrue();
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void anErrorAtAnyStepFailsOneTaskOrStopsTheGraph(Protocol protocol) {
        plantEverywhere(protocol, false, Exploration.oldestFirst(), 0, 1);
        // In a usual run each of two other schedules takes every eighth step, not the same ones.
        int stride = TestEffort.of(8, 1);
        plantEverywhere(protocol, false, Exploration.newestFirst(), 0, stride);
        for (int seed = 0; seed < TestEffort.of(1, 10); seed++) {
            plantEverywhere(protocol, false, Exploration.random(seed, 1), stride - 1, stride);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void anExceptionOfTheSchedulerRefusesOneCallFailsOneTaskOrStopsTheGraph(Protocol protocol) {
        int stride = TestEffort.of(5, 1);
        plantEverywhere(protocol, true, Exploration.oldestFirst(), 0, stride);
        plantEverywhere(protocol, true, Exploration.newestFirst(), stride - 1, stride);
    }

    private static void plantEverywhere(
            Protocol protocol, boolean exceptions, Exploration schedule, int first, int stride) {
        int stops = 0;
        int at = first;
        for (boolean planted = true; planted; at += stride) {
            Faults[] faults = new Faults[1];
            boolean[] stopped = new boolean[1];
            int step = at;
            DeterministicScheduler.explore(schedule.timePasses(), scheduler -> {
                faults[0] = new Faults(scheduler, exceptions, step);
                stopped[0] = runWith(faults[0], protocol);
            });
            Throwable thrown = faults[0].planted;
            planted = thrown != null;
            if (stopped[0]) {
                stops++;
            } else if (thrown != null && !faults[0].failsOneCall) {
                fail(thrown.getMessage() + ", step " + step + ", stopped nothing");
            }
        }
        assertThat(stops).isPositive();
    }

    /** Returns whether the graph has stopped. */
    private static boolean runWith(Faults faults, Program program) throws Exception {
        TaskGraph graph;
        try {
            graph = TaskGraph.builder()
                    .name("g")
                    .workers(2)
                    .spareWorkers(1)
                    .scheduler(faults)
                    .uncaughtHandler((task, failure) -> {})
                    .build();
        } catch (Error e) {
            assertThat(e == faults.planted || e.getCause() == faults.planted).isTrue();
            return true;
        }
        Waits waits = new Waits(graph);
        GraphEvent open = new ManualEvent(graph.parts, "open", null);
        try {
            program.run(waits);
            graph.close();
        } catch (TaskGraphStoppedException | RunFailedException e) {
            assertThat(e).hasRootCause(faults.planted);
        } catch (PlantedException refusal) {
            assertThat(refusal.refuses()).isTrue();
            graph.close();
        }
        if (graph.parts.failStop().isStopped()) {
            assertEverythingFails(graph, open, faults);
            for (CompletableFuture<?> future : waits.futures) {
                while (!future.isDone()) {
                    faults.threads.sleep(Duration.ofMillis(1));
                }
            }
            return true;
        }
        return false;
    }

    private static void assertEverythingFails(TaskGraph graph, GraphEvent open, Faults faults) {
        List<Runnable> calls = List.of(
                () -> graph.task("t", () -> {}).dispatch(),
                () -> graph.fork("f", () -> {}),
                () -> graph.event("e"),
                open::trigger,
                () -> graph.parallelFor("p", 2, 1, (from, to, slot) -> {}),
                () -> graph.delay("d", Duration.ofSeconds(1)),
                () -> graph.attach(NamedThread.GAME),
                () -> graph.start(NamedThread.RHI),
                () -> graph.requestReturn(LANE),
                () -> graph.graphBuilder("b"),
                () -> graph.broadcast("all", () -> {}),
                graph::close);
        for (Runnable call : calls) {
            assertThatThrownBy(call::run)
                    .isInstanceOf(TaskGraphStoppedException.class)
                    .hasRootCause(faults.planted);
        }
        if (!open.isComplete()) {
            assertThatThrownBy(open::await)
                    .isInstanceOf(TaskGraphStoppedException.class)
                    .hasRootCause(faults.planted);
        }
    }

    /** The operating system's threads, of which no worker begins, or ends, properly. */
    private static final class BadThreads extends OperatingSystemThreads {
        private final boolean begins;

        BadThreads(boolean begins) {
            this.begins = begins;
        }

        @Override
        public void begin() {
            if (!begins) {
                BadThreads.<RuntimeException>raise(new IOException("cannot begin"));
            }
        }

        @SuppressWarnings("unchecked")
        private static <T extends Throwable> void raise(Throwable undeclared) throws T {
            throw (T) undeclared;
        }

        @Override
        public void end() {
            throw new IllegalStateException("cannot end");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aThreadThatTheSchedulerLetsNotBeginOrEndStopsTheGraph(boolean begins) {
        TaskGraph graph = TaskGraph.builder()
                .workers(1)
                .idlePolicy(IdlePolicy.parking())
                .scheduler(new BadThreads(begins))
                .uncaughtHandler((task, failure) -> {})
                .build();
        if (!begins) {
            // The graph stops before or after the launch: it refuses the task, or fails it.
            assertThatThrownBy(() -> graph.task("t", () -> {}).dispatch().await())
                    .isInstanceOfAny(TaskGraphStoppedException.class, TaskFailedException.class)
                    .hasRootCauseMessage("cannot begin");
        }
        assertThatThrownBy(graph::close)
                .isInstanceOf(TaskGraphStoppedException.class)
                .hasRootCauseMessage(begins ? "cannot end" : "cannot begin");
    }

    /** The operating system's threads, which cannot be woken for a while. */
    private static final class NoWakeUps extends OperatingSystemThreads {
        final CountDownLatch parked = new CountDownLatch(2);
        volatile boolean refuses;

        @Override
        public void park(Object blocker) {
            parked.countDown();
            super.park(blocker);
        }

        @Override
        public void unpark(Thread thread) {
            if (refuses) {
                throw new IllegalStateException("cannot wake " + thread.getName());
            }
            super.unpark(thread);
        }
    }

    @Test
    void theNextCallReleasesWhatTheFirstOneCouldNot() throws InterruptedException {
        NoWakeUps threads = new NoWakeUps();
        TaskGraph graph = TaskGraph.builder()
                .workers(2)
                .idlePolicy(IdlePolicy.parking())
                .scheduler(threads)
                .uncaughtHandler((task, failure) -> {})
                .build();
        while (graph.parts.runnable().valueVolatile() > 0L) {
            Thread.onSpinWait();
        }
        Error planted = new Error("planted");
        threads.parked.await();
        threads.refuses = true;
        TaskGraphStoppedException stopped = graph.parts.stopped(planted);
        assertThat(stopped).hasCause(planted);
        assertThat(stopped.getSuppressed()).singleElement().asString().contains("cannot wake");
        threads.refuses = false;
        assertThatThrownBy(graph::close)
                .isInstanceOf(TaskGraphStoppedException.class)
                .hasCause(planted);
    }

    @Test
    void everyWaitAndCallThrowsButWhatCompletedBeforeStaysSo() {
        TaskGraph graph = TaskGraph.builder()
                .workers(1)
                .stallWatchdog(Duration.ofMillis(1), (thread, waited, why) -> {})
                .uncaughtHandler((task, failure) -> {})
                .build();
        ResultEvent<String> done = graph.call("done", () -> "value").dispatch();
        done.await();
        IllegalStateException failure = new IllegalStateException("failed");
        GraphEvent failed = graph.event("failed");
        failed.fail(failure);
        CompletableFuture<?> before = failed.toCompletableFuture();
        GraphEvent open = graph.event("open");
        GraphBuilder builder = graph.graphBuilder("run");
        RunEvent node = builder.node("node", () -> {}).event();
        RunEvent run = builder.runOnce();
        run.await();
        Error planted = new Error("planted");
        graph.parts.stopped(planted);
        List<Runnable> calls = List.of(
                () -> graph.group("group"),
                () -> graph.beginBlocking("region"),
                graph::beginFrame,
                () -> open.dontCompleteUntil(done.event()),
                open::await,
                run::asEvent,
                node::asEvent);
        for (Runnable call : calls) {
            assertThatThrownBy(call::run)
                    .isInstanceOf(TaskGraphStoppedException.class)
                    .hasCause(planted);
        }
        int[] looks = new int[1];
        assertThat(graph.awaitOutside("outside", () -> "waits", Long.MAX_VALUE, nanos -> ++looks[0] == 3))
                .isTrue();
        assertThat(done.await()).isEqualTo("value");
        assertThat(done.toCompletableFuture()).isCompletedWithValue("value");
        assertThat(done.event().toCompletableFuture()).isCompletedWithValue(null);
        assertThat(before).isCompletedExceptionally();
        assertThatThrownBy(failed.toCompletableFuture()::join).hasCause(failure);
        run.await();
        node.await();
        assertThatThrownBy(graph::close)
                .isInstanceOf(TaskGraphStoppedException.class)
                .hasCause(planted);
    }

    @Test
    void theErrorIsReportedOnce() {
        List<String> reported = new ArrayList<>();
        TaskGraph graph = TaskGraph.builder()
                .name("g")
                .workers(1)
                .uncaughtHandler((task, failure) -> reported.add(task + ": " + failure.getMessage()))
                .build();
        graph.parts.stopped(new OutOfMemoryError("none left"));
        assertThatThrownBy(graph::close).isInstanceOf(TaskGraphStoppedException.class);
        assertThat(reported)
                .containsExactly("task graph g: task graph 'g' has stopped because of an error in its own code"
                        + " (java.lang.OutOfMemoryError: none left); close it and make a new one");
    }
}
