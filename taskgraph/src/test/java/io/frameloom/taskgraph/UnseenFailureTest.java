package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.taskgraph.deterministic.DeterministicScheduler;
import io.frameloom.taskgraph.deterministic.Exploration;
import io.frameloom.taskgraph.task.CoreEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A failure that nobody sees goes to the uncaught handler, once; one that somebody sees does not. */
@Timeout(60)
final class UnseenFailureTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final BlockingQueue<String> uncaught = new LinkedBlockingQueue<>();
    private final TaskGraph graph = TaskGraph.builder()
            .workers(2)
            .uncaughtHandler((task, failure) -> uncaught.add(task + ": " + failure.getMessage()))
            .build();

    /** Looks at a failed event. */
    private interface Look {
        void at(TaskGraph graph, GraphEvent failed) throws Exception;
    }

    @AfterEach
    void close() {
        graph.close();
    }

    private static GraphEvent fail(TaskGraph graph, String name) {
        return graph.task(name, () -> {
                    throw new IllegalStateException("boom");
                })
                .dispatch();
    }

    private static TaskBuilder behind(TaskGraph graph, GraphEvent failed, FailurePolicy policy) {
        return graph.task("behind", () -> {}).after(failed).onPrerequisiteFailure(policy);
    }

    private static Arguments way(String name, Look look) {
        return Arguments.of(name, look);
    }

    static Stream<Arguments> waysToSee() {
        return Stream.of(
                way(
                        "await",
                        (graph, failed) -> assertThatThrownBy(failed::await).hasMessageContaining("boom")),
                way(
                        "await for a time",
                        (graph, failed) ->
                                assertThatThrownBy(() -> failed.await(PATIENCE)).hasMessageContaining("boom")),
                way(
                        "awaitOrExplain",
                        (graph, failed) -> assertThatThrownBy(() -> failed.awaitOrExplain(PATIENCE))
                                .hasMessageContaining("boom")),
                way(
                        "awaitAll",
                        (graph, failed) ->
                                assertThatThrownBy(() -> graph.awaitAll(failed)).hasMessageContaining("boom")),
                way(
                        "await in a task",
                        (graph, failed) -> graph.task(
                                        "looks",
                                        () -> assertThatThrownBy(failed::await).hasMessageContaining("boom"))
                                .dispatch()
                                .await()),
                way("isFailed", (graph, failed) -> {
                    failed.awaitCompletion();
                    assertThat(failed.isFailed()).isTrue();
                }),
                way("failure", (graph, failed) -> {
                    failed.awaitCompletion();
                    assertThat(failed.failure()).hasMessage("boom");
                }),
                way("future", (graph, failed) -> {
                    CompletableFuture<@Nullable Void> future = failed.toCompletableFuture();
                    assertThatThrownBy(future::join).hasRootCauseMessage("boom");
                }),
                way(
                        "whenAll",
                        (graph, failed) -> assertThatThrownBy(graph.whenAll("all", failed)::await)
                                .hasMessageContaining("boom")),
                way(
                        "whenAny",
                        (graph, failed) -> assertThatThrownBy(graph.whenAny("any", failed)::await)
                                .hasMessageContaining("boom")),
                way("whenAny that another wins", (graph, failed) -> {
                    GraphEvent fine = graph.task("fine", () -> {}).dispatch();
                    graph.whenAny("any", failed, fine).await();
                    failed.awaitCompletion();
                }),
                way(
                        "task that is skipped",
                        (graph, failed) -> assertThatThrownBy(behind(graph, failed, FailurePolicy.SKIP)
                                        .dispatch()::await)
                                .hasMessageContaining("boom")),
                way(
                        "task that runs on failure",
                        (graph, failed) -> behind(graph, failed, FailurePolicy.RUN_ON_FAILURE)
                                .dispatch()
                                .await()),
                way(
                        "task that runs anyway and asks",
                        (graph, failed) -> graph.task(
                                        "behind",
                                        () -> assertThat(failed.isFailed()).isTrue())
                                .after(failed)
                                .onPrerequisiteFailure(FailurePolicy.RUN_ANYWAY)
                                .dispatch()
                                .await()),
                way("parent", (graph, failed) -> {
                    GraphEvent parent = graph.event("parent");
                    parent.dontCompleteUntil(failed);
                    parent.trigger();
                    assertThatThrownBy(parent::await).hasMessageContaining("boom");
                }),
                way("task that throws it on", (graph, failed) -> {
                    GraphEvent further = graph.task("further", () -> {
                                Throwable failure = failed.failure();
                                if (failure instanceof Exception passedOn) {
                                    throw passedOn;
                                }
                            })
                            .after(failed)
                            .onPrerequisiteFailure(FailurePolicy.RUN_ANYWAY)
                            .dispatch();
                    assertThatThrownBy(further::await).hasMessageContaining("boom");
                }),
                way("task that throws on what somebody else has seen", (graph, failed) -> {
                    assertThatThrownBy(failed::await).hasMessageContaining("boom");
                    graph.task("further", () -> {
                                if (((CoreEvent) failed).outcome() instanceof Exception passedOn) {
                                    throw passedOn;
                                }
                            })
                            .dispatch()
                            .awaitCompletion();
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("waysToSee")
    void whatSomebodySeesIsNotReported(String way, Look look) throws Exception {
        look.at(graph, fail(graph, "task"));
        look.at(graph, graph.pipe("pipe").task("piped", UnseenFailureTest::boom).dispatch());
        look.at(graph, graph.broadcast("broadcast", UnseenFailureTest::boom));
        look.at(graph, graph.call("call", UnseenFailureTest::boomed).dispatch().event());
        look.at(graph, failedByHand());
        graph.close();
        assertThat(uncaught).as(way).isEmpty();
    }

    @Test
    void whatIsSeenIsSeenWithWhatItsChildrenSuppress() {
        AtomicReference<GraphEvent> self = new AtomicReference<>();
        HeldTask held = graph.task("parent", () -> {
                    for (int i = 0; i < 3; i++) {
                        Objects.requireNonNull(self.get()).dontCompleteUntil(fail(graph, "child " + i));
                    }
                    throw new IllegalStateException("own");
                })
                .hold();
        self.set(held.event());
        held.release();
        assertThatThrownBy(held.event()::await).hasMessageContaining("own");
        graph.close();
        assertThat(uncaught).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRaceSeesTheFailuresOfItsEventsInAnyOrder(boolean winnerFirst) {
        GraphEvent winner = graph.event("winner");
        winner.trigger();
        GraphEvent loser = graph.event("loser");
        AnyEvent any = winnerFirst ? graph.whenAny("any", winner, loser) : graph.whenAny("any", loser, winner);
        any.event().await();
        loser.fail(new IllegalStateException("late"));
        graph.close();
        assertThat(uncaught).isEmpty();
    }

    @Test
    void aChainPassesOnABoundedNumberOfFailuresAndNamesWhereTheOthersAre() {
        List<GraphEvent> failing = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            failing.add(fail(graph, "task " + i));
        }
        GraphEvent all = graph.whenAll("all", failing);
        GraphEvent after = graph.task("after", () -> {}).after(all).dispatch();
        after.awaitCompletion();
        assertThat(((CoreEvent) all).failureOfComplete().getSuppressed()).hasSize(39);
        Throwable[] passedOn = ((CoreEvent) after).failureOfComplete().getSuppressed();
        assertThat(passedOn).hasSize(33);
        assertThat(passedOn[32]).hasMessage("further failures are with the failure of 'all'");
    }

    private GraphEvent failedByHand() {
        GraphEvent event = graph.event("event");
        event.fail(new IllegalStateException("boom"));
        return event;
    }

    private static void boom() {
        throw new IllegalStateException("boom");
    }

    private static String boomed() {
        throw new IllegalStateException("boom");
    }

    static Stream<Arguments> waysToMiss() {
        return Stream.of(
                way("nothing", (graph, failed) -> {}),
                way("awaitCompletion", (graph, failed) -> failed.awaitCompletion()),
                way("toString", (graph, failed) -> {
                    failed.awaitCompletion();
                    assertThat(failed.toString()).contains("failed");
                }),
                way("task that is skipped and not looked at", (graph, failed) -> {
                    for (int i = 0; i < 10; i++) {
                        GraphEvent first =
                                behind(graph, failed, FailurePolicy.SKIP).dispatch();
                        behind(graph, first, FailurePolicy.SKIP).dispatch();
                    }
                }),
                way(
                        "task that runs anyway",
                        (graph, failed) -> behind(graph, failed, FailurePolicy.RUN_ANYWAY)
                                .dispatch()
                                .await()),
                way(
                        "task that throws it on and is not looked at",
                        (graph, failed) -> graph.task("further", () -> {
                                    Throwable failure = failed.failure();
                                    if (failure instanceof Exception passedOn) {
                                        throw passedOn;
                                    }
                                })
                                .after(failed)
                                .onPrerequisiteFailure(FailurePolicy.RUN_ANYWAY)
                                .dispatch()),
                way(
                        "whenAll that is not looked at",
                        (graph, failed) -> graph.whenAll("all", failed).awaitCompletion()),
                way("whenIdle", (graph, failed) -> {
                    Pipe pipe = graph.pipe("pipe");
                    pipe.task("next", () -> {}).after(failed).dispatch();
                    pipe.whenIdle().await();
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("waysToMiss")
    void whatNobodySeesIsReportedOnceWhenTheGraphCloses(String way, Look look) throws Exception {
        look.at(graph, fail(graph, "load"));
        graph.close();
        assertThat(uncaught).as(way).containsExactly("load: boom");
    }

    @Test
    void failuresAreReportedInTheirOrder() {
        List<GraphEvent> events = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            events.add(fail(graph, "task " + i));
            events.get(i).awaitCompletion();
        }
        assertThat(events.get(20).isFailed()).isTrue();
        graph.close();
        assertThat(uncaught)
                .hasSize(49)
                .startsWith("task 0: boom", "task 1: boom")
                .endsWith("task 49: boom")
                .doesNotContain("task 20: boom");
    }

    @Test
    void oneThrowableIsOneFailureWhereverItWasThrown() {
        IllegalStateException lost = new IllegalStateException("device lost");
        List<GraphEvent> events = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            GraphEvent event = graph.event("submission " + i);
            event.fail(lost);
            events.add(event);
        }
        assertThat(events).allMatch(GraphEvent::isComplete);
        graph.close();
        assertThat(uncaught).containsExactly("submission 0: device lost");
    }

    @Test
    void whatIsSeenIsSeenWithItsCausesAndWhatItSuppresses() {
        GraphEvent cause = fail(graph, "cause");
        GraphEvent suppressed = fail(graph, "suppressed");
        GraphEvent wrapping = graph.task("wrapping", () -> {
                    graph.whenAll("both", cause, suppressed).awaitCompletion();
                    IllegalArgumentException wrapped = new IllegalArgumentException("wrapped", failureOf(cause));
                    wrapped.addSuppressed(failureOf(suppressed));
                    throw wrapped;
                })
                .dispatch();
        assertThatThrownBy(wrapping::await).hasMessageContaining("wrapped");
        graph.close();
        assertThat(uncaught).isEmpty();
    }

    /** As a library does that keeps failures of its own. */
    private static Throwable failureOf(GraphEvent event) {
        return Objects.requireNonNull(((CoreEvent) event).outcome());
    }

    @Test
    void aFailedRunIsReportedUnlessSomebodySeesIt() {
        GraphBuilder builder = graph.graphBuilder("frame");
        builder.node("stuck", UnseenFailureTest::boom);
        CompiledGraph frame = builder.build();
        assertThatThrownBy(frame::execute).hasMessageContaining("boom");
        RunEvent run = frame.run();
        assertThatThrownBy(run::await).hasMessageContaining("boom");
        assertThatThrownBy(frame.run().asEvent()::await).hasMessageContaining("boom");
        frame.run();
        graph.close();
        assertThat(uncaught)
                .containsExactly("run of graph 'frame': run of graph 'frame' failed in node 'stuck': "
                        + "java.lang.IllegalStateException: boom");
    }

    @Test
    void aFailedLoopIsSeenByItsCaller() {
        assertThatThrownBy(() -> graph.parallelFor("loop", 100, 1, (from, to, slot) -> boom()))
                .hasMessageContaining("boom");
        graph.close();
        assertThat(uncaught).isEmpty();
    }

    @Test
    void fireAndForgetIsReportedAtOnceAndWithWhatItWaitedFor() throws InterruptedException {
        GraphEvent failed = fail(graph, "load");
        graph.task("lost", () -> {}).after(failed).fireAndForget();
        assertThat(uncaught.take()).startsWith("lost: ").contains("load", "boom");
        graph.pipe("pipe").task("piped", UnseenFailureTest::boom).fireAndForget();
        assertThat(uncaught.take()).isEqualTo("piped: boom");
        graph.close();
        assertThat(uncaught).isEmpty();
    }

    @Test
    void cancellationAndClosingAreNoFailures() {
        CancellationToken token = new CancellationToken();
        token.cancel();
        graph.task("cancelled", () -> {}).cancelledBy(token).dispatch();
        graph.task("held", () -> {}).hold();
        GraphEvent never = graph.event("never");
        GraphEvent waits = graph.task("waits", never::await).dispatch();
        behind(graph, waits, FailurePolicy.SKIP).dispatch();
        CompletableFuture<String> future = new CompletableFuture<>();
        graph.fromFuture("future", future);
        future.cancel(false);
        graph.close();
        assertThat(uncaught).isEmpty();
    }

    @Test
    void aFailureThatNobodyCanSeeAnyMoreIsReported() throws InterruptedException {
        failBehindOthers();
        String reported = null;
        while (reported == null) {
            // The worker forgets what it ran last.
            graph.task("next", () -> {}).dispatch().await();
            System.gc();
            reported = uncaught.poll(5, TimeUnit.MILLISECONDS);
        }
        assertThat(reported).isEqualTo("load: boom");
        graph.close();
        assertThat(uncaught).isEmpty();
    }

    private void failBehindOthers() {
        GraphEvent load = fail(graph, "load");
        for (int i = 0; i < 3; i++) {
            behind(graph, load, FailurePolicy.SKIP).dispatch().awaitCompletion();
        }
    }

    @Test
    void aFailureThatWhatFollowsFromItStillShowsIsNotReported() throws InterruptedException {
        GraphEvent follows =
                behind(graph, fail(graph, "load"), FailurePolicy.SKIP).dispatch();
        follows.awaitCompletion();
        // Others are collected meanwhile.
        fail(graph, "lost").awaitCompletion();
        while (uncaught.isEmpty()) {
            graph.task("next", () -> {}).dispatch().await();
            System.gc();
            Thread.onSpinWait();
        }
        assertThat(uncaught.take()).isEqualTo("lost: boom");
        assertThat(follows.isFailed()).isTrue();
        graph.close();
        assertThat(uncaught).isEmpty();
    }

    /** What is seen as soon as anybody can see it stays seen. */
    @Test
    void aLookAgainstTheFailureIsNotForgotten() throws InterruptedException {
        GraphEvent[] events = new GraphEvent[20_000];
        for (int i = 0; i < events.length; i++) {
            events[i] = graph.event("event " + i);
        }
        Thread looker = new Thread(() -> {
            for (GraphEvent event : events) {
                while (!event.isFailed()) {
                    Thread.onSpinWait();
                }
            }
        });
        looker.start();
        for (GraphEvent event : events) {
            event.fail(new IllegalStateException("boom"));
        }
        looker.join();
        graph.close();
        assertThat(uncaught).isEmpty();
    }

    /** A look while the graph closes: nothing is lost, and nothing reported twice. */
    @Test
    void aLookAgainstTheCloseLosesNothing() {
        DeterministicScheduler.explore(Exploration.mixed(21, 100), scheduler -> {
            AtomicInteger reports = new AtomicInteger();
            AtomicInteger looks = new AtomicInteger();
            TaskGraph own = TaskGraph.builder()
                    .name("g")
                    .workers(1)
                    .scheduler(scheduler)
                    .uncaughtHandler((task, failure) -> reports.incrementAndGet())
                    .build();
            GraphEvent failed = fail(own, "task");
            Thread looker = scheduler.thread("looker", () -> {
                if (failed.isFailed()) {
                    looks.incrementAndGet();
                }
            });
            own.close();
            scheduler.join(looker);
            assertThat(reports.get() + looks.get()).isPositive();
            assertThat(reports).hasValueLessThanOrEqualTo(1);
        });
    }
}
