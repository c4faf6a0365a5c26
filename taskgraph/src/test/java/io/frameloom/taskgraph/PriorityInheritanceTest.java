package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.taskgraph.task.Task;
import io.frameloom.taskgraph.task.Urgency;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes urgent because of what waits for it, and where that shows. */
@Timeout(60)
final class PriorityInheritanceTest {
    private static final int FLOOD = 100;

    /** Occupies the only worker until the latch opens. */
    private static CountDownLatch occupy(TaskGraph graph) throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        graph.task("blocker", () -> {
                    started.countDown();
                    go.await();
                })
                .dispatch();
        started.await();
        return go;
    }

    private static List<GraphEvent> flood(TaskGraph graph, List<String> ran) {
        List<GraphEvent> events = new ArrayList<>();
        for (int i = 0; i < FLOOD; i++) {
            events.add(graph.task("flood", () -> ran.add("flood")).dispatch());
        }
        return events;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aHighTaskBehindABackgroundTaskIsDoneBeforeTheFlood(boolean inherits) throws InterruptedException {
        try (TaskGraph graph =
                TaskGraph.builder().workers(1).priorityInheritance(inherits).build()) {
            List<String> ran = new CopyOnWriteArrayList<>();
            CountDownLatch go = occupy(graph);
            GraphEvent first = graph.task("p1", () -> ran.add("p1"))
                    .on(WorkerLevel.BACKGROUND)
                    .dispatch();
            GraphEvent second = graph.whenAll(
                    "join",
                    graph.task("p2", () -> ran.add("p2"))
                            .on(WorkerLevel.BACKGROUND)
                            .after(first)
                            .dispatch());
            List<GraphEvent> events = flood(graph, ran);
            events.add(graph.task("high", () -> ran.add("high"))
                    .on(WorkerLevel.HIGH)
                    .after(second)
                    .dispatch());
            go.countDown();
            graph.awaitAll(events.toArray(new GraphEvent[0]));
            int from = inherits ? 0 : FLOOD;
            assertThat(ran.subList(from, from + 3)).containsExactly("p1", "p2", "high");
        }
    }

    @Test
    void whatANamedThreadWaitsForGoesBeforeTheFlood() throws InterruptedException {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            List<String> ran = new CopyOnWriteArrayList<>();
            CountDownLatch go = occupy(graph);
            Task wanted = (Task) graph.task("wanted", () -> ran.add("wanted"))
                    .on(WorkerLevel.BACKGROUND)
                    .dispatch();
            List<GraphEvent> events = flood(graph, ran);
            Thread waiter = new Thread(() -> {
                graph.attach(NamedThread.RENDER);
                wanted.await();
                graph.detach(NamedThread.RENDER);
            });
            waiter.start();
            while (wanted.urgency() < Urgency.LEAST || graph.parts.workers().queued(WorkerLevel.NORMAL) <= FLOOD) {
                Thread.onSpinWait();
            }
            go.countDown();
            waiter.join();
            graph.awaitAll(events.toArray(new GraphEvent[0]));
            assertThat(ran.get(0)).isEqualTo("wanted");
        }
    }

    @Test
    void ordinaryWorkAndWaitsFromOutsideLeaveBackgroundWorkWhereItIs() throws InterruptedException {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            CountDownLatch go = occupy(graph);
            Task load = (Task)
                    graph.task("load", () -> {}).on(WorkerLevel.BACKGROUND).dispatch();
            GraphEvent use = graph.task("use", () -> {}).after(load).dispatch();
            assertThat(load.await(Duration.ofNanos(1))).isFalse();
            assertThat(load.urgency()).isEqualTo(Urgency.of(WorkerLevel.BACKGROUND, false));
            go.countDown();
            use.await();
        }
    }

    @Test
    void aTaskInAPipePassesItsUrgencyOn() throws InterruptedException {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            List<String> ran = new CopyOnWriteArrayList<>();
            CountDownLatch go = occupy(graph);
            Pipe pipe = graph.pipe("pipe");
            pipe.task("slow", () -> ran.add("slow")).on(WorkerLevel.BACKGROUND).dispatch();
            List<GraphEvent> events = flood(graph, ran);
            events.add(pipe.task("fast", () -> ran.add("fast"))
                    .on(WorkerLevel.HIGH)
                    .dispatch());
            go.countDown();
            graph.awaitAll(events.toArray(new GraphEvent[0]));
            assertThat(ran.subList(0, 2)).containsExactly("slow", "fast");
        }
    }

    @Test
    void aChildOfAnUrgentEventIsUrgent() throws InterruptedException {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            List<String> ran = new CopyOnWriteArrayList<>();
            CountDownLatch go = occupy(graph);
            GraphEvent gate = graph.event("gate");
            List<GraphEvent> events = flood(graph, ran);
            events.add(graph.task("high", () -> ran.add("high"))
                    .on(WorkerLevel.HIGH)
                    .after(gate)
                    .dispatch());
            gate.dontCompleteUntil(graph.task("child", () -> ran.add("child"))
                    .on(WorkerLevel.BACKGROUND)
                    .dispatch());
            gate.trigger();
            go.countDown();
            graph.awaitAll(events.toArray(new GraphEvent[0]));
            assertThat(ran.subList(0, 2)).containsExactly("child", "high");
        }
    }

    @Test
    void aNamedThreadTakesWhatAHighTaskNeedsFirst() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            List<String> ran = new CopyOnWriteArrayList<>();
            graph.attach(NamedThread.RENDER);
            graph.task("ordinary", () -> ran.add("ordinary"))
                    .on(NamedThread.RENDER)
                    .dispatch();
            GraphEvent needed = graph.task("needed", () -> ran.add("needed"))
                    .on(NamedThread.RENDER)
                    .dispatch();
            graph.task("high", () -> {}).on(WorkerLevel.HIGH).after(needed).dispatch();
            assertThat(graph.processUntilIdle(NamedThread.RENDER)).isEqualTo(2);
            assertThat(ran).containsExactly("needed", "ordinary");
            graph.detach(NamedThread.RENDER);
        }
    }

    /** The raised task runs on the reserved worker; what follows it there must not be ordinary BACKGROUND work. */
    @Test
    void aRaisedTaskNeedsNoPermitAndPassesNoneOn() throws InterruptedException {
        try (TaskGraph graph = TaskGraph.builder().workers(2).reservedWorkers(1).build()) {
            CountDownLatch started = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            graph.task("holder of the permit", () -> {
                        started.countDown();
                        go.await();
                    })
                    .on(WorkerLevel.BACKGROUND)
                    .dispatch();
            started.await();
            List<String> ran = new CopyOnWriteArrayList<>();
            GraphEvent gate = graph.event("gate");
            GraphEvent needed = graph.task("needed", () -> ran.add("needed"))
                    .on(WorkerLevel.BACKGROUND)
                    .after(gate)
                    .dispatch();
            GraphEvent ordinary = graph.task("ordinary", () -> ran.add("ordinary"))
                    .on(WorkerLevel.BACKGROUND)
                    .after(needed)
                    .dispatch();
            GraphEvent high = graph.task("high", () -> ran.add("high"))
                    .on(WorkerLevel.HIGH)
                    .after(needed)
                    .dispatch();
            gate.trigger();
            high.await();
            graph.task("another", () -> ran.add("another")).dispatch().await();
            assertThat(ran).containsExactly("needed", "high", "another");
            go.countDown();
            ordinary.await();
            assertThat(ran).endsWith("ordinary");
        }
    }
}
