package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the compiled engine promises, one promise per test. */
@Timeout(60)
final class CompiledGraphTest {
    private final List<String> ran = Collections.synchronizedList(new ArrayList<>());

    private TaskBody note(String name) {
        return () -> ran.add(name);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4})
    void nodesRunOncePerRunInOrder(int helpers) {
        try (TaskGraph graph = TaskGraph.builder().workers(4).build()) {
            GraphBuilder b = graph.graphBuilder("frame").maxHelpers(helpers);
            GraphNode draw = b.node("draw", note("draw"));
            GraphNode cull = b.node("cull", note("cull"));
            draw.after(cull);
            CompiledGraph frame = b.build();
            for (int run = 0; run < 200; run++) {
                ran.clear();
                if (run % 2 == 0) {
                    frame.execute();
                } else {
                    frame.run().await();
                }
                assertThat(ran).containsExactly("cull", "draw");
            }
            assertThat(frame.name()).isEqualTo("frame");
            assertThat(frame.nodeCount()).isEqualTo(2);
        }
    }

    @Test
    void anEmptyGraphCompletesAtOnce() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            CompiledGraph empty = graph.graphBuilder("empty").build();
            empty.execute();
            empty.run().await();
            assertThat(empty.event().isComplete()).isTrue();
            assertThat(empty.run().asEvent().await(Duration.ofSeconds(30))).isTrue();
        }
    }

    @Test
    void nodesOfNamedThreadsRunThere() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            Thread render = graph.start(NamedThread.RENDER);
            graph.attach(NamedThread.GAME);
            AtomicReference<Thread> drawn = new AtomicReference<>();
            AtomicReference<Thread> presented = new AtomicReference<>();
            GraphBuilder b = graph.graphBuilder("frame");
            GraphNode update = b.node("update", () -> presented.set(null)).on(NamedThread.GAME);
            GraphNode draw = b.node("draw", () -> drawn.set(Thread.currentThread()))
                    .on(NamedThread.RENDER)
                    .priority(TaskPriority.HIGH)
                    .after(update);
            b.node("present", () -> presented.set(Thread.currentThread()))
                    .on(NamedThread.GAME.local())
                    .after(draw);
            CompiledGraph frame = b.build();
            for (int run = 0; run < 100; run++) {
                drawn.set(null);
                if (run % 2 == 0) {
                    frame.execute();
                } else {
                    frame.run().await();
                }
                assertThat(drawn).hasValue(render);
                assertThat(presented).hasValue(Thread.currentThread());
            }
            graph.detach(NamedThread.GAME);
        }
    }

    @Test
    void aSwitchedOffNodeStillOrdersWhatIsAroundIt() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            GraphBuilder b = graph.graphBuilder("frame");
            GraphNode first = b.node("first", note("first"));
            GraphNode optional =
                    b.node("optional", note("optional")).after(first).enabledBy(63);
            b.node("last", note("last")).after(optional);
            CompiledGraph frame = b.build();
            frame.execute(0L);
            assertThat(ran).containsExactly("first", "last");
            ran.clear();
            frame.run(1L << 63).await();
            assertThat(ran).containsExactly("first", "optional", "last");
            GraphBuilder other = graph.graphBuilder("other");
            assertThatThrownBy(() -> other.node("n", () -> {}).enabledBy(64))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'n'");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void twoFailuresAtOnceAreBothReported(int helpers) {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            CountDownLatch both = new CountDownLatch(helpers == 0 ? 0 : 2);
            GraphBuilder b = graph.graphBuilder("frame").maxHelpers(helpers);
            GraphNode one = b.node("one", () -> fail(both, "of one"));
            GraphNode other = b.node("other", () -> fail(both, "of other"));
            b.node("skipped", note("skipped")).after(one);
            b.node("anyway", note("anyway")).after(FailurePolicy.RUN_ANYWAY, one, other);
            b.node("cleanup", note("cleanup")).after(FailurePolicy.RUN_ON_FAILURE, other);
            b.node("fine", note("fine"));
            CompiledGraph frame = b.build();
            for (int run = 0; run < 2; run++) {
                ran.clear();
                assertThatThrownBy(frame::execute).isInstanceOfSatisfying(RunFailedException.class, e -> {
                    assertThat(e.getSuppressed()).hasSize(1);
                    assertThat(List.of(e.node(), ((TaskFailedException) e.getSuppressed()[0]).task()))
                            .containsExactlyInAnyOrder("one", "other");
                    assertThat(e.graph()).isEqualTo("frame");
                    assertThat(e).hasMessageContaining("'frame'").hasMessageContaining(e.node());
                });
                assertThat(ran).containsExactlyInAnyOrder("anyway", "cleanup", "fine");
                assertThat(frame.event().failure()).isNotNull();
            }
        }
    }

    private static void fail(CountDownLatch both, String message) throws InterruptedException {
        both.countDown();
        both.await();
        throw new IllegalArgumentException(message);
    }

    @Test
    void aFailureBelongsToItsRunOnly() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            AtomicInteger turn = new AtomicInteger();
            GraphBuilder b = graph.graphBuilder("frame");
            GraphNode sometimes = b.node("sometimes", () -> {
                if (turn.incrementAndGet() == 1) {
                    throw new IllegalArgumentException("once");
                }
            });
            b.node("cleanup", note("cleanup")).after(FailurePolicy.RUN_ON_FAILURE, sometimes);
            CompiledGraph frame = b.build();
            assertThatThrownBy(() -> frame.run().await()).hasRootCauseMessage("once");
            assertThat(frame.event().asEvent().isFailed()).isTrue();
            frame.execute();
            assertThat(frame.event().failure()).isNull();
            assertThat(frame.event().asEvent().isFailed()).isFalse();
            assertThat(ran).containsExactly("cleanup");
        }
    }

    @Test
    void aCycleIsNamed() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            GraphBuilder b = graph.graphBuilder("frame");
            GraphNode a = b.node("a", () -> {});
            GraphNode c = b.node("b", () -> {}).after(a);
            GraphNode d = b.node("c", () -> {}).after(c);
            b.node("outside", () -> {}).after(d);
            a.after(d);
            assertThatThrownBy(b::build)
                    .isInstanceOf(CompiledGraphException.class)
                    .hasMessageContaining("'frame'")
                    .hasMessageContaining(": 'a' -> 'b' -> 'c' -> 'a';");
        }
    }

    @Test
    void unorderedConflictsAreAllNamed() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            GraphBuilder b = graph.graphBuilder("frame");
            GraphNode animate = b.node("animate", () -> {}).writes("poses");
            b.node("skin", () -> {}).reads("poses").writes("vertices");
            b.node("cull", () -> {}).reads("poses").after(animate);
            b.node("upload", () -> {}).reads("vertices");
            assertThatThrownBy(b::build)
                    .isInstanceOf(CompiledGraphException.class)
                    .hasMessageContaining("'animate' and 'skin' on 'poses'")
                    .hasMessageContaining("'skin' and 'upload' on 'vertices'")
                    .hasMessageNotContaining("cull");
        }
    }

    @Test
    void derivedEdgesFollowTheDeclaration() {
        try (TaskGraph graph = TaskGraph.builder().workers(3).build()) {
            GraphBuilder b = graph.graphBuilder("frame").deriveEdges();
            b.node("w1", note("w1")).writes("r");
            b.node("r1", note("r1")).reads("r");
            b.node("r2", note("r2")).reads("r");
            b.node("w2", note("w2")).writes("r");
            b.node("w3", note("w3")).reads("r").writes("r");
            CompiledGraph frame = b.build();
            for (int run = 0; run < 50; run++) {
                ran.clear();
                frame.execute();
                assertThat(ran).hasSize(5).startsWith("w1").endsWith("w2", "w3");
            }
        }
    }

    @Test
    void aSecondRunIsRefusedWhileOneIsInProgress() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            CountDownLatch release = new CountDownLatch(1);
            GraphBuilder b = graph.graphBuilder("frame");
            b.node("waits", release::await);
            CompiledGraph frame = b.build();
            RunEvent event = frame.run();
            assertThat(event.isComplete()).isFalse();
            assertThatThrownBy(frame::run)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'frame'")
                    .hasMessageContaining("await the previous run");
            assertThatThrownBy(frame::execute).isInstanceOf(IllegalStateException.class);
            release.countDown();
            event.await();
            frame.execute();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aNodeCannotWaitForItsOwnRun(boolean execute) {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            GraphBuilder b = graph.graphBuilder("frame");
            RunEvent[] own = new RunEvent[1];
            b.node("selfish", () -> own[0].await());
            CompiledGraph frame = b.build();
            own[0] = frame.event();
            assertThatThrownBy(() -> {
                        if (execute) {
                            frame.execute();
                        } else {
                            frame.run().await();
                        }
                    })
                    .isInstanceOf(RunFailedException.class)
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'frame'");
        }
    }

    @Test
    void aTimedWaitEnds() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            CountDownLatch release = new CountDownLatch(1);
            GraphBuilder b = graph.graphBuilder("frame");
            b.node("on RENDER", () -> release.countDown()).on(NamedThread.RENDER);
            CompiledGraph frame = b.build();
            RunEvent event = frame.run();
            assertThat(event.await(Duration.ofMillis(1))).isFalse();
            graph.start(NamedThread.RENDER);
            assertThat(event.await(Duration.ofSeconds(50))).isTrue();
        }
    }

    @Test
    void tasksStandBehindARun() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            CountDownLatch release = new CountDownLatch(1);
            GraphBuilder b = graph.graphBuilder("frame");
            b.node("waits", () -> {
                release.await();
                ran.add("node");
            });
            CompiledGraph frame = b.build();
            GraphEvent behind = graph.task("behind", note("task"))
                    .after(frame.run().asEvent())
                    .dispatch();
            release.countDown();
            behind.await();
            assertThat(ran).containsExactly("node", "task");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void executeInsideAWorkerUsesTheDynamicEngineInABody(int workers) {
        try (TaskGraph graph = TaskGraph.builder().workers(workers).build()) {
            GraphBuilder b = graph.graphBuilder("frame");
            GraphNode dispatches = b.node(
                    "dispatches", () -> graph.task("t", note("t")).dispatch().await());
            b.node("background", note("background")).on(WorkerLevel.BACKGROUND).after(dispatches);
            CompiledGraph frame = b.build();
            for (int run = 0; run < 50; run++) {
                ran.clear();
                graph.task("loop", frame::execute).dispatch().await();
                assertThat(ran).containsExactly("t", "background");
                graph.task("loop", () -> frame.run().await()).dispatch().await();
            }
        }
    }

    @Test
    void aClosedGraphRefusesRuns() {
        TaskGraph graph = TaskGraph.builder().workers(1).build();
        CompiledGraph frame = graph.graphBuilder("frame").build();
        graph.close();
        assertThatThrownBy(frame::run)
                .isInstanceOf(TaskGraphClosedException.class)
                .hasMessageContaining("'frame'");
        assertThatThrownBy(frame::execute).isInstanceOf(TaskGraphClosedException.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void closingDuringARunEndsIt(boolean pumped) throws InterruptedException {
        for (int round = 0; round < 40; round++) {
            TaskGraph graph = TaskGraph.builder().workers(2).build();
            if (pumped) {
                graph.start(NamedThread.RENDER);
            }
            CountDownLatch inside = new CountDownLatch(1);
            GraphBuilder b = graph.graphBuilder("frame");
            GraphNode before = b.node("before", inside::countDown);
            for (int i = 0; i < 30; i++) {
                GraphNode lane = b.node("lane", () -> {}).on(NamedThread.RENDER).after(before);
                before = b.node("worker", () -> {}).after(lane);
            }
            CompiledGraph frame = b.build();
            AtomicReference<Throwable> seen = new AtomicReference<>();
            boolean execute = round % 2 == 0;
            Thread runner = new Thread(() -> {
                try {
                    if (execute) {
                        frame.execute();
                    } else {
                        frame.run().await();
                    }
                } catch (RunFailedException | TaskGraphClosedException e) {
                    seen.set(e);
                }
            });
            runner.start();
            inside.await();
            graph.close();
            runner.join();
            if (!pumped) {
                assertThat(seen.get())
                        .isInstanceOf(RunFailedException.class)
                        .hasCauseInstanceOf(TaskGraphClosedException.class);
            }
            assertThat(frame.event().isComplete()).isTrue();
        }
    }
}
