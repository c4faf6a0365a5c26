package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Named threads: push against park, return requests, attaching and detaching (races 10 to 12 and 20 to 23). */
final class NamedThreadScheduleTest {
    private static GraphEvent send(
            TaskGraph graph, List<String> order, String name, ExecutionTarget target, boolean high) {
        return graph.task(name, () -> order.add(name))
                .on(target)
                .priority(high ? TaskPriority.HIGH : TaskPriority.NORMAL)
                .dispatch();
    }

    @Test
    void nothingSentToAParkingThreadIsLost() {
        Schedules.explore(31, scheduler -> {
            List<String> order = new ArrayList<>();
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                graph.start(NamedThread.RENDER);
                List<GraphEvent> sent = new ArrayList<>();
                Thread producer = scheduler.thread("producer", () -> {
                    sent.add(send(graph, order, "high 1", NamedThread.RENDER, true));
                    sent.add(send(graph, order, "high 2", NamedThread.RENDER, true));
                });
                sent.add(send(graph, order, "local 1", NamedThread.RENDER.local(), false));
                sent.add(send(graph, order, "main 1", NamedThread.RENDER, false));
                sent.add(send(graph, order, "main 2", NamedThread.RENDER, false));
                scheduler.join(producer);
                graph.whenAll("all", sent).await();
            }
            assertThat(order).containsExactlyInAnyOrder("high 1", "high 2", "local 1", "main 1", "main 2");
            assertThat(order.indexOf("high 1")).isLessThan(order.indexOf("high 2"));
            assertThat(order.indexOf("main 1")).isLessThan(order.indexOf("main 2"));
        });
    }

    @Test
    void aWaitLeavesTheMainQueueAlone() {
        Schedules.explore(38, scheduler -> {
            List<String> order = new ArrayList<>();
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                graph.attach(NamedThread.GAME);
                GraphEvent main = send(graph, order, "main", NamedThread.GAME, true);
                GraphEvent elsewhere = send(graph, order, "worker", WorkerLevel.NORMAL, false);
                GraphEvent local = graph.task("local", () -> order.add("local"))
                        .on(NamedThread.GAME.local())
                        .after(elsewhere)
                        .dispatch();
                local.await();
                order.add("waited");
                graph.processUntilIdle(NamedThread.GAME);
                assertThat(main.isComplete()).isTrue();
                graph.detach(NamedThread.GAME);
            }
            assertThat(order).containsExactly("worker", "local", "waited", "main");
        });
    }

    @Test
    void aThreadThatParksAgainIsWokenAgain() {
        Schedules.explore(32, scheduler -> {
            List<String> order = new ArrayList<>();
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                graph.start(NamedThread.RHI);
                send(graph, order, "main", NamedThread.RHI, false).await();
                send(graph, order, "local", NamedThread.RHI.local(), false).await();
                send(graph, order, "high main", NamedThread.RHI, true).await();
                send(graph, order, "high local", NamedThread.RHI.local(), true).await();
            }
            assertThat(order).containsExactly("main", "local", "high main", "high local");
        });
    }

    @Test
    void everyReturnRequestEndsOnePumpAfterWhatWasSentBefore() {
        Schedules.explore(33, scheduler -> {
            List<String> order = new ArrayList<>();
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                Thread pump = scheduler.thread("pump", () -> {
                    graph.attach(NamedThread.GAME);
                    graph.processUntilReturnRequested(NamedThread.GAME);
                    order.add("returned");
                    graph.processUntilReturnRequested(NamedThread.GAME);
                    order.add("returned");
                    graph.detach(NamedThread.GAME);
                });
                Thread other = scheduler.thread("other", () -> {
                    send(graph, order, "other", NamedThread.GAME, false);
                    graph.requestReturn(NamedThread.GAME);
                });
                graph.task("mine", () -> {
                            order.add("mine");
                            // May be told of both requests, of which its pump uses one.
                            graph.processUntilIdle(NamedThread.GAME);
                        })
                        .on(NamedThread.GAME)
                        .fireAndForget();
                graph.requestReturn(NamedThread.GAME);
                scheduler.join(other);
                scheduler.join(pump);
            }
            assertThat(order).containsExactlyInAnyOrder("mine", "other", "returned", "returned");
            assertThat(order.get(0)).isNotEqualTo("returned");
            assertThat(order.get(3)).isEqualTo("returned");
        });
    }

    @Test
    void aNestedPumpLeavesTheOutersRequestAlone() {
        Schedules.explore(34, scheduler -> {
            List<String> order = new ArrayList<>();
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent inside = graph.event("inside");
                Thread pump = scheduler.thread("pump", () -> {
                    graph.attach(NamedThread.GAME);
                    graph.processUntilReturnRequested(NamedThread.GAME);
                    order.add("outer returned");
                    graph.detach(NamedThread.GAME);
                });
                graph.task("nested", () -> {
                            graph.task("inside", inside::trigger)
                                    .on(NamedThread.GAME)
                                    .fireAndForget();
                            graph.processUntilReturnRequested(NamedThread.GAME);
                            order.add("inner returned");
                        })
                        .on(NamedThread.GAME)
                        .fireAndForget();
                inside.await();
                graph.requestReturn(NamedThread.GAME);
                send(graph, order, "between", NamedThread.GAME, false);
                graph.requestReturn(NamedThread.GAME);
                scheduler.join(pump);
            }
            assertThat(order).containsExactlyInAnyOrder("inner returned", "between", "outer returned");
            assertThat(order.get(2)).isEqualTo("outer returned");
        });
    }

    @Test
    void aRequestIsForThePumpThatWasActiveWhenItWasMade() {
        Schedules.explore(37, scheduler -> {
            List<String> order = new ArrayList<>();
            boolean[] entering = new boolean[1];
            boolean toOuter;
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent inside = graph.event("inside");
                Thread pump = scheduler.thread("pump", () -> {
                    graph.attach(NamedThread.GAME);
                    graph.processUntilReturnRequested(NamedThread.GAME);
                    order.add("outer returned");
                    graph.detach(NamedThread.GAME);
                });
                graph.task("nested", () -> {
                            inside.trigger();
                            scheduler.point("nested pump");
                            entering[0] = true;
                            graph.processUntilReturnRequested(NamedThread.GAME);
                            order.add("inner returned");
                        })
                        .on(NamedThread.GAME)
                        .fireAndForget();
                inside.await();
                graph.requestReturn(NamedThread.GAME);
                toOuter = !entering[0];
                graph.task("ask", () -> {
                            order.add("asked");
                            graph.requestReturn(NamedThread.GAME);
                        })
                        .on(NamedThread.GAME)
                        .fireAndForget();
                scheduler.join(pump);
            }
            assertThat(order).containsExactlyInAnyOrder("asked", "inner returned", "outer returned");
            assertThat(order.get(2)).isEqualTo("outer returned");
            if (toOuter) {
                assertThat(order.get(0)).isEqualTo("asked");
            }
        });
    }

    @Test
    void threadsThatTakeTurnsAsOneNamedThreadLoseNothing() {
        Schedules.explore(35, scheduler -> {
            List<String> order = new ArrayList<>();
            int[] attached = new int[1];
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                TaskBody visit = () -> {
                    try {
                        graph.attach(NamedThread.RENDER);
                    } catch (IllegalStateException e) {
                        assertThat(e).hasMessageContaining("RENDER is taken");
                        return;
                    }
                    assertThat(++attached[0]).isEqualTo(1);
                    graph.processUntilIdle(NamedThread.RENDER);
                    attached[0]--;
                    graph.detach(NamedThread.RENDER);
                };
                Thread a = scheduler.thread("a", visit);
                Thread b = scheduler.thread("b", visit);
                Thread producer = scheduler.thread("producer", () -> {
                    send(graph, order, "1", NamedThread.RENDER, false);
                    send(graph, order, "2", NamedThread.RENDER, false);
                });
                scheduler.join(producer);
                scheduler.join(a);
                scheduler.join(b);
                visit.run();
            }
            assertThat(order).containsExactly("1", "2");
        });
    }

    @Test
    void whatWasSentBeforeIsProcessed() {
        Schedules.explore(36, scheduler -> {
            List<String> order = new ArrayList<>();
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                graph.attach(NamedThread.GAME);
                boolean[] sent = new boolean[1];
                Thread producer = scheduler.thread("producer", () -> {
                    send(graph, order, "1", NamedThread.GAME, false);
                    sent[0] = true;
                    send(graph, order, "2", NamedThread.GAME, true);
                });
                boolean before = sent[0];
                int ran = graph.processUntilIdle(NamedThread.GAME);
                assertThat(order).hasSize(ran);
                assertThat(!before || order.contains("1")).isTrue();
                scheduler.join(producer);
                graph.processUntilIdle(NamedThread.GAME);
                assertThat(order).containsExactlyInAnyOrder("1", "2");
                graph.detach(NamedThread.GAME);
            }
        });
    }
}
