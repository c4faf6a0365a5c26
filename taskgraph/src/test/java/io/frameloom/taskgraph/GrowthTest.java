package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.testing.TestEffort;
import io.frameloom.testing.ThreadAllocation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a user can make longer costs about the same for each element, however many there are. Work is counted by what the
 * calling thread allocates: a walk over what is there allocates for every event that it comes to. Nothing here runs on
 * another thread: bodies are for a named thread that nobody attaches.
 */
@Timeout(60)
final class GrowthTest {
    private static final int FIRST = 1_000;

    private static final int LAST = TestEffort.of(4_000, 64_000);

    /** Four times as many may cost this much more: 4 by itself, 4.7 with a logarithm, and what arrays grow by. */
    private static final double MOST = 6.5;

    /** Builds something of a size, and takes it apart. */
    private interface Growing {
        void of(TaskGraph graph, int n) throws Exception;
    }

    @ParameterizedTest
    @MethodSource("everythingThatGrows")
    void costsAreAboutLinear(Growing growing) throws Exception {
        work(growing, FIRST);
        long before = work(growing, FIRST);
        for (int n = 4 * FIRST; n <= LAST; n *= 4) {
            long now = work(growing, n);
            assertThat((double) now / before)
                    .as("%d elements: %d bytes, %d elements: %d bytes", n / 4, before, n, now)
                    .isLessThan(MOST);
            before = now;
        }
    }

    private static long work(Growing growing, int n) throws Exception {
        try (TaskGraph graph = TaskGraph.builder()
                .workers(1)
                .uncaughtHandler((task, failure) -> {})
                .build()) {
            long before = ThreadAllocation.bytes();
            growing.of(graph, n);
            return ThreadAllocation.bytes() - before;
        }
    }

    private static Named<Growing> grows(String name, Growing growing) {
        return Named.of(name, growing);
    }

    static Stream<Named<Growing>> everythingThatGrows() {
        return Stream.of(events(), children(), lanes(), failures(), explanations(), compiled())
                .flatMap(s -> s);
    }

    private static Stream<Named<Growing>> events() {
        return Stream.of(
                grows("tasks after one event", (graph, n) -> {
                    GraphEvent gate = graph.event("gate");
                    for (int i = 0; i < n; i++) {
                        queued(graph, gate);
                    }
                    gate.trigger();
                }),
                grows("prerequisites of one task", (graph, n) -> {
                    GraphEvent[] events = events(graph, n);
                    queued(graph, events);
                    for (GraphEvent event : events) {
                        event.trigger();
                    }
                }),
                grows("chain of tasks", (graph, n) -> {
                    GraphEvent gate = graph.event("gate");
                    GraphEvent last = gate;
                    for (int i = 0; i < n; i++) {
                        last = queued(graph, last);
                    }
                    gate.trigger();
                }),
                grows("chain of joins", (graph, n) -> {
                    GraphEvent gate = graph.event("gate");
                    GraphEvent last = gate;
                    for (int i = 0; i < n; i++) {
                        last = graph.whenAll("join", last, gate);
                    }
                    gate.trigger();
                    last.await();
                }),
                grows("races of one event", (graph, n) -> {
                    GraphEvent gate = graph.event("gate");
                    for (int i = 0; i < n; i++) {
                        graph.whenAny("any", gate, graph.event("other"));
                    }
                    gate.trigger();
                }),
                grows("events of one race", (graph, n) -> {
                    GraphEvent[] events = events(graph, n);
                    graph.whenAny("any", events);
                    for (GraphEvent event : events) {
                        event.fail(new IllegalStateException("lost"));
                    }
                }),
                grows("futures", (graph, n) -> {
                    CompletableFuture<Integer> future = new CompletableFuture<>();
                    List<CompletableFuture<?>> futures = new ArrayList<>();
                    for (int i = 0; i < n; i++) {
                        futures.add(graph.fromFuture("future", future).toCompletableFuture());
                    }
                    future.complete(1);
                    futures.forEach(CompletableFuture::join);
                }),
                grows("urgent task after queued ones", (graph, n) -> {
                    GraphEvent last = graph.event("gate");
                    for (int i = 0; i < n; i++) {
                        last = queued(graph, last);
                        graph.task("urgent", () -> {})
                                .priority(TaskPriority.HIGH)
                                .after(last)
                                .dispatch();
                    }
                }),
                grows("tokens of one task, and tasks of one token", (graph, n) -> {
                    CancellationToken shared = new CancellationToken();
                    TaskBuilder task = graph.task("task", () -> {});
                    for (int i = 0; i < n; i++) {
                        task.cancelledBy(new CancellationToken());
                        graph.task("task", () -> {})
                                .on(NamedThread.RENDER)
                                .cancelledBy(shared)
                                .dispatch();
                    }
                    shared.cancel();
                    task.dispatch().await();
                }),
                grows("delayed tasks that are cancelled", (graph, n) -> {
                    for (int i = 0; i < n; i++) {
                        CancellationToken token = new CancellationToken();
                        graph.task("task", () -> {})
                                .cancelledBy(token)
                                .delay(Duration.ofDays(1))
                                .dispatch();
                        token.cancel();
                    }
                }),
                grows("broadcasts", (graph, n) -> {
                    GraphEvent gate = graph.event("gate");
                    for (int i = 0; i < n; i++) {
                        graph.broadcast("broadcast", () -> {}, gate);
                    }
                    gate.trigger();
                }));
    }

    /** Circles are looked for at each call. */
    private static Stream<Named<Growing>> children() {
        return Stream.of(
                grows("children of one event", (graph, n) -> {
                    GraphEvent parent = graph.event("parent");
                    queued(graph, parent);
                    GraphEvent gate = graph.event("gate");
                    for (int i = 0; i < n; i++) {
                        parent.dontCompleteUntil(graph.whenAll("child", gate));
                    }
                    parent.trigger();
                    gate.trigger();
                }),
                grows("one child of many events", (graph, n) -> {
                    GraphEvent child = graph.whenAll("child", events(graph, n));
                    for (int i = 0; i < n; i++) {
                        GraphEvent parent = graph.event("parent");
                        queued(graph, parent);
                        parent.dontCompleteUntil(child);
                        parent.trigger();
                    }
                }),
                grows("children of a gate with many tasks", (graph, n) -> {
                    GraphEvent gate = graph.event("gate");
                    GraphEvent other = graph.event("other");
                    for (int i = 0; i < n; i++) {
                        queued(graph, gate);
                        gate.dontCompleteUntil(graph.whenAll("child", other));
                    }
                }),
                grows("chain of children, each after the last", (graph, n) -> {
                    GraphEvent gate = graph.event("gate");
                    GraphEvent last = gate;
                    for (int i = 0; i < n; i++) {
                        GraphEvent event = graph.event("event");
                        event.dontCompleteUntil(last);
                        event.trigger();
                        last = event;
                    }
                    gate.trigger();
                    last.await();
                }),
                grows("chain of children that something waits for", (graph, n) -> {
                    GraphEvent last = graph.event("gate");
                    for (int i = 0; i < n; i++) {
                        GraphEvent event = graph.event("event");
                        queued(graph, event);
                        event.dontCompleteUntil(last);
                        event.trigger();
                        last = event;
                    }
                }),
                grows("chain of children, each before the last", (graph, n) -> {
                    GraphEvent last = graph.event("first");
                    for (int i = 0; i < n; i++) {
                        GraphEvent event = graph.event("event");
                        last.dontCompleteUntil(event);
                        last.trigger();
                        last = event;
                    }
                    last.trigger();
                }),
                grows("tree of children", (graph, n) -> {
                    GraphEvent[] level = events(graph, n);
                    while (level.length > 1) {
                        GraphEvent[] parents = events(graph, level.length / 2);
                        for (int i = 0; i + 1 < level.length; i++) {
                            parents[Math.min(i / 2, parents.length - 1)].dontCompleteUntil(level[i]);
                        }
                        level = parents;
                    }
                }));
    }

    private static Stream<Named<Growing>> lanes() {
        return Stream.of(
                grows("tasks of a pipe", (graph, n) -> {
                    Pipe pipe = graph.pipe("pipe");
                    for (int i = 0; i < n; i++) {
                        pipe.task("task", () -> {}).on(NamedThread.RENDER).dispatch();
                    }
                    pipe.whenIdle();
                }),
                grows("children that are tasks of a pipe", (graph, n) -> {
                    Pipe pipe = graph.pipe("pipe");
                    for (int i = 0; i < n; i++) {
                        GraphEvent parent = graph.event("parent");
                        queued(graph, parent);
                        parent.dontCompleteUntil(pipe.task("task", () -> {})
                                .on(NamedThread.RENDER)
                                .dispatch());
                    }
                }),
                grows("tasks of a limiter, one of which is urgent", (graph, n) -> {
                    ConcurrencyLimiter limiter = graph.limiter("limiter", 2);
                    GraphEvent[] tasks = new GraphEvent[n];
                    for (int i = 0; i < n; i++) {
                        tasks[i] = limiter.task("task", slot -> {})
                                .on(NamedThread.RENDER)
                                .dispatch();
                    }
                    graph.task("urgent", () -> {})
                            .priority(TaskPriority.HIGH)
                            .after(tasks)
                            .dispatch();
                    assertThat(graph.parts.inheritance().unsettled().valueVolatile())
                            .isZero();
                }),
                grows("held tasks, one of which is urgent", (graph, n) -> {
                    GraphEvent[] tasks = new GraphEvent[n];
                    List<HeldTask> held = new ArrayList<>();
                    for (int i = 0; i < n; i++) {
                        held.add(graph.task("task", () -> {})
                                .on(NamedThread.RENDER)
                                .hold());
                        tasks[i] = held.get(i).event();
                    }
                    graph.task("urgent", () -> {})
                            .priority(TaskPriority.HIGH)
                            .after(tasks)
                            .dispatch();
                    assertThat(graph.parts.inheritance().unsettled().valueVolatile())
                            .isZero();
                    held.forEach(HeldTask::release);
                }));
    }

    private static Stream<Named<Growing>> failures() {
        return Stream.of(
                grows("failed prerequisites of one task", (graph, n) -> {
                    GraphEvent[] events = events(graph, n);
                    queued(graph, events);
                    for (GraphEvent event : events) {
                        event.fail(new IllegalStateException("failed"));
                    }
                }),
                grows("chain of tasks that each have a failed prerequisite", (graph, n) -> {
                    GraphEvent gate = graph.event("gate");
                    GraphEvent last = gate;
                    for (int i = 0; i < n; i++) {
                        GraphEvent failed = graph.event("failed");
                        last = queued(graph, last, failed);
                        failed.fail(new IllegalStateException("failed"));
                    }
                    gate.trigger();
                }));
    }

    private static Stream<Named<Growing>> explanations() {
        return Stream.of(
                grows("explanation of a chain", (graph, n) -> {
                    GraphEvent last = graph.event("gate");
                    for (int i = 0; i < n; i++) {
                        last = queued(graph, last);
                    }
                    last.explain();
                }),
                grows("explanation of held tasks", (graph, n) -> {
                    GraphEvent[] tasks = new GraphEvent[n];
                    for (int i = 0; i < n; i++) {
                        tasks[i] = graph.task("task", () -> {}).hold().event();
                    }
                    graph.whenAll("all", tasks).explain();
                }),
                grows("explanation of tasks of a limiter", (graph, n) -> {
                    ConcurrencyLimiter limiter = graph.limiter("limiter", 2);
                    GraphEvent[] tasks = new GraphEvent[n];
                    for (int i = 0; i < n; i++) {
                        tasks[i] = limiter.task("task", slot -> {})
                                .on(NamedThread.RENDER)
                                .dispatch();
                    }
                    graph.whenAll("all", tasks).explain();
                }));
    }

    private static Stream<Named<Growing>> compiled() {
        return Stream.of(
                grows("compiled graphs", (graph, n) -> {
                    for (int i = 0; i < n; i++) {
                        GraphBuilder builder = graph.graphBuilder("graph");
                        builder.node("node", () -> {});
                        builder.build();
                    }
                }),
                grows("nodes in a chain, named alike", (graph, n) -> {
                    GraphBuilder builder = graph.graphBuilder("graph");
                    GraphNode last = builder.node("node", () -> {});
                    for (int i = 1; i < n; i++) {
                        last = builder.node("node", () -> {}).after(last);
                    }
                    builder.build();
                }),
                grows("nodes between two", (graph, n) -> {
                    GraphBuilder builder = graph.graphBuilder("graph");
                    GraphNode first = builder.node("first", () -> {});
                    GraphNode end = builder.node("end", () -> {});
                    for (int i = 0; i < n; i++) {
                        end.after(builder.node("node", () -> {}).after(first));
                    }
                    builder.build();
                }),
                grows(
                        "readers between two writers, edges derived",
                        (graph, n) -> readersBetweenWriters(graph, n, null).build()),
                grows("readers between two writers, edges checked", (graph, n) -> {
                    List<GraphNode> nodes = new ArrayList<>();
                    GraphBuilder builder = readersBetweenWriters(graph, n, nodes);
                    for (int i = 1; i <= n; i++) {
                        nodes.get(n + 1).after(nodes.get(i).after(nodes.get(0)));
                    }
                    builder.build();
                }),
                grows("writers of one resource, edges derived", (graph, n) -> {
                    GraphBuilder builder = graph.graphBuilder("graph").deriveEdges();
                    for (int i = 0; i < n; i++) {
                        builder.node("node", () -> {}).writes("resource").reads("resource");
                    }
                    builder.build();
                }),
                grows("writers of one resource with something between, edges checked", (graph, n) -> {
                    GraphBuilder builder = graph.graphBuilder("graph");
                    GraphNode last = builder.node("first", () -> {});
                    for (int i = 0; i < n; i++) {
                        GraphNode between = builder.node("between", () -> {}).after(last);
                        last = builder.node("writer", () -> {}).after(between).writes("resource");
                    }
                    builder.build();
                }));
    }

    private static GraphBuilder readersBetweenWriters(TaskGraph graph, int n, @Nullable List<GraphNode> nodes) {
        GraphBuilder builder = graph.graphBuilder("graph");
        for (int i = 0; i < n + 2; i++) {
            GraphNode node = builder.node("node", () -> {});
            if (i == 0 || i == n + 1) {
                node.writes("resource");
            } else {
                node.reads("resource");
            }
            if (nodes != null) {
                nodes.add(node);
            }
        }
        return nodes == null ? builder.deriveEdges() : builder;
    }

    private static GraphEvent queued(TaskGraph graph, GraphEvent... after) {
        return graph.task("task", () -> {}).on(NamedThread.RENDER).after(after).dispatch();
    }

    private static GraphEvent[] events(TaskGraph graph, int n) {
        GraphEvent[] events = new GraphEvent[n];
        for (int i = 0; i < n; i++) {
            events[i] = graph.event("event");
        }
        return events;
    }
}
