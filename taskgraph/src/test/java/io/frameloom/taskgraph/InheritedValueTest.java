package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values handed down from scopes to tasks. */
@Timeout(60)
final class InheritedValueTest {
    private static final InheritedValue<String> FRAME = InheritedValue.named("frame");
    private static final InheritedValue<Integer> VIEW = InheritedValue.named("view");

    @Test
    void scopesNestAndEnd() {
        assertThat(FRAME.isBound()).isFalse();
        FRAME.where("outer", () -> {
            assertThat(FRAME.get()).isEqualTo("outer");
            assertThat(VIEW.isBound()).isFalse();
            VIEW.where(
                    1,
                    () -> FRAME.where("inner", () -> {
                        assertThat(FRAME.get()).isEqualTo("inner");
                        assertThat(VIEW.get()).isEqualTo(1);
                    }));
            assertThat(FRAME.get()).isEqualTo("outer");
            assertThat(VIEW.orElse(7)).isEqualTo(7);
        });
        assertThatThrownBy(() -> FRAME.where("broken", () -> {
                    throw new IllegalStateException("on purpose");
                }))
                .hasMessage("on purpose");
        assertThatThrownBy(FRAME::get)
                .isInstanceOf(NoSuchElementException.class)
                .hasMessageContaining("'frame'");
        assertThat(FRAME).hasToString("InheritedValue[frame]");
    }

    /** Every kind of launch and thread, two generations deep, after the scope has ended. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void tasksHaveTheValuesOfTheirLaunch(int workers) {
        try (TaskGraph graph = TaskGraph.builder().workers(workers).build()) {
            graph.start(NamedThread.RENDER);
            Pipe pipe = graph.pipe("p");
            ConcurrencyLimiter limiter = graph.limiter("l", 2);
            GraphEvent gate = graph.event("gate");
            ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
            ConcurrentLinkedQueue<GraphEvent> events = new ConcurrentLinkedQueue<>();
            for (int i = 0; i < 100; i++) {
                String frame = "frame " + i;
                TaskBody check = () -> {
                    if (!FRAME.orElse("none").equals(frame)) {
                        wrong.add(frame + " saw " + FRAME.orElse("none"));
                    }
                };
                TaskBody deep = () -> {
                    check.run();
                    events.add(graph.task("second generation", check)
                            .on(NamedThread.RENDER)
                            .dispatch());
                };
                FRAME.where(frame, () -> {
                    events.add(graph.task("worker", deep).after(gate).dispatch());
                    events.add(graph.task("render", deep)
                            .after(gate)
                            .on(NamedThread.RENDER)
                            .dispatch());
                    events.add(pipe.task("piped", deep).dispatch());
                    events.add(limiter.task("limited", slot -> deep.run()).dispatch());
                    HeldTask held = graph.task("held", deep)
                            .cancelledBy(new CancellationToken())
                            .hold();
                    held.release();
                    events.add(held.event());
                });
                events.add(graph.task("outside", () -> {
                            if (FRAME.isBound()) {
                                wrong.add("outside saw " + FRAME.get());
                            }
                        })
                        .after(gate)
                        .dispatch());
            }
            gate.trigger();
            for (GraphEvent event = events.poll(); event != null; event = events.poll()) {
                event.await();
            }
            assertThat(wrong).isEmpty();
        }
    }

    /** The bodies meet, so that every worker takes part in the loop. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void piecesOfAParallelForHaveTheValuesOfTheCaller(int workers) {
        try (TaskGraph graph = TaskGraph.builder().workers(workers).build()) {
            ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();
            CyclicBarrier meeting = new CyclicBarrier(workers + 1);
            RangeBody body = (from, to, slot) -> {
                try {
                    meeting.await();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
                seen.add(FRAME.orElse("none"));
            };
            FRAME.where("bound", () -> graph.parallelFor("in scope", workers + 1, 1, body));
            assertThat(seen).hasSize(workers + 1).containsOnly("bound");
            seen.clear();
            graph.parallelFor("outside", workers + 1, 1, body);
            assertThat(seen).hasSize(workers + 1).containsOnly("none");
        }
    }

    /** The only worker runs a task inside its wait, and a named thread pumps inside of a scope. */
    @Test
    void aTaskDoesNotSeeTheValuesOfTheThreadThatRunsIt() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            List<String> seen = new ArrayList<>();
            graph.task("waiter", () -> {
                        GraphEvent plain = graph.task("plain", () -> seen.add(FRAME.orElse("none")))
                                .dispatch();
                        FRAME.where("waiting", () -> {
                            plain.await();
                            seen.add(FRAME.get());
                        });
                    })
                    .dispatch()
                    .await();
            graph.attach(NamedThread.GAME);
            graph.task("pumped", () -> seen.add(FRAME.orElse("none")))
                    .on(NamedThread.GAME)
                    .dispatch();
            FRAME.where("pumping", () -> {
                graph.processUntilIdle(NamedThread.GAME);
                seen.add(FRAME.get());
            });
            graph.detach(NamedThread.GAME);
            assertThat(seen).containsExactly("none", "waiting", "none", "pumping");
        }
    }

    @Test
    @NullUnmarked
    @SuppressWarnings("NullAway")
    void badInput() {
        assertThatThrownBy(() -> InheritedValue.named(" ")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FRAME.where(null, () -> {})).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> FRAME.where("x", null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> FRAME.orElse(null)).isInstanceOf(NullPointerException.class);
        assertThat(FRAME.isBound()).isFalse();
    }

    /** All nodes of a run have the values of its launch, on the caller, on helpers and on named threads. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nodesHaveTheValuesOfTheLaunchOfTheirRun(boolean execute) {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            graph.start(NamedThread.RENDER);
            ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
            String[] expected = new String[1];
            GraphBuilder builder = graph.graphBuilder("g");
            for (int i = 0; i < 200; i++) {
                GraphNode node = builder.node("n" + i, () -> {
                    long until = System.nanoTime() + 5_000;
                    while (System.nanoTime() < until) {
                        Thread.onSpinWait();
                    }
                    if (!FRAME.orElse("none").equals(expected[0])) {
                        wrong.add(Thread.currentThread().getName() + " saw " + FRAME.orElse("none"));
                    }
                });
                if (i % 50 == 49) {
                    node.on(NamedThread.RENDER);
                }
            }
            CompiledGraph compiled = builder.build();
            for (int run = 0; run < 20; run++) {
                String frame = "frame " + run;
                expected[0] = frame;
                RunEvent[] event = new RunEvent[1];
                FRAME.where(frame, () -> {
                    if (execute) {
                        compiled.execute();
                    } else {
                        event[0] = compiled.run();
                    }
                    assertThat(FRAME.get()).isEqualTo(frame);
                });
                assertThat(FRAME.isBound()).isFalse();
                if (event[0] != null) {
                    event[0].await();
                }
                expected[0] = "none";
                compiled.execute();
            }
            assertThat(wrong).isEmpty();
            GraphEvent later = graph.task("later", () -> {
                        if (FRAME.isBound()) {
                            wrong.add("a later task saw " + FRAME.get());
                        }
                    })
                    .dispatch();
            later.await();
            assertThat(wrong).isEmpty();
        }
    }
}
