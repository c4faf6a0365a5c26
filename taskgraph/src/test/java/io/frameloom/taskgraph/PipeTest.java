package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.testing.WaitGraphs;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pipe: order of launch, no overlap, failures, waits, close. */
@Timeout(60)
final class PipeTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void tasksRunInTheOrderOfLaunchWhateverTheirTargetAndPriority(int workers) {
        try (TaskGraph graph = TaskGraph.builder().workers(workers).build()) {
            graph.start(NamedThread.RHI);
            Pipe pipe = graph.pipe("p");
            ExecutionTarget[] targets = {
                WorkerLevel.BACKGROUND, NamedThread.RHI, WorkerLevel.HIGH, NamedThread.RHI.local(), WorkerLevel.NORMAL
            };
            List<Integer> order = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                int id = i;
                pipe.task("t" + i, () -> order.add(id))
                        .on(targets[i % targets.length])
                        .priority(i % 3 == 0 ? TaskPriority.HIGH : TaskPriority.NORMAL)
                        .dispatch();
            }
            pipe.whenIdle().await();
            assertThat(order)
                    .containsExactlyElementsOf(IntStream.range(0, 1_000).boxed().toList());
            assertThat(pipe.isIdle()).isTrue();
        }
    }

    /** Launchers race with each other and with the ends of tasks; each launcher's own order holds, nothing overlaps. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void tasksOfManyLaunchersNeverOverlap(int workers, WaitGraphs waits) {
        try (TaskGraph graph = TaskGraph.builder().workers(workers).build()) {
            waits.show("graph", graph::describeWaits);
            Pipe pipe = graph.pipe("p");
            AtomicInteger inside = new AtomicInteger();
            AtomicInteger overlaps = new AtomicInteger();
            int launchers = 6;
            int each = 2_000;
            int[] last = new int[launchers];
            int[] ran = new int[1];
            List<GraphEvent> launching = new ArrayList<>();
            ConcurrentLinkedQueue<GraphEvent> launched = new ConcurrentLinkedQueue<>();
            for (int l = 0; l < launchers; l++) {
                int launcher = l;
                launching.add(graph.task("launcher", () -> {
                            for (int i = 1; i <= each; i++) {
                                int sequence = i;
                                launched.add(pipe.task("t", () -> {
                                            if (inside.getAndIncrement() != 0 || last[launcher] != sequence - 1) {
                                                overlaps.incrementAndGet();
                                            }
                                            last[launcher] = sequence;
                                            ran[0]++;
                                            inside.decrementAndGet();
                                        })
                                        .dispatch());
                            }
                        })
                        .dispatch());
            }
            graph.awaitAll(launching.toArray(new GraphEvent[0]));
            graph.awaitAll(launched.toArray(new GraphEvent[0]));
            assertThat(overlaps).hasValue(0);
            assertThat(ran[0]).isEqualTo(launchers * each);
        }
    }

    @Test
    void aTaskThatIsNotReadyKeepsItsPlace() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            Pipe pipe = graph.pipe("p");
            GraphEvent gate = graph.event("gate");
            ConcurrentLinkedQueue<String> order = new ConcurrentLinkedQueue<>();
            pipe.task("first", () -> order.add("first")).after(gate).dispatch();
            HeldTask held = pipe.task("held", () -> order.add("held")).hold();
            GraphEvent third = pipe.task("third", () -> order.add("third")).dispatch();
            graph.task("free", () -> {}).dispatch().await();
            held.release();
            assertThat(order).isEmpty();
            assertThat(pipe.isIdle()).isFalse();
            gate.trigger();
            third.await();
            assertThat(order).containsExactly("first", "held", "third");
        }
    }

    @Test
    void theTurnOfAHeldTaskComesWithItsRelease() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            Pipe pipe = graph.pipe("p");
            AtomicInteger ran = new AtomicInteger();
            HeldTask held = pipe.task("held", ran::incrementAndGet).hold();
            GraphEvent next = pipe.task("next", ran::incrementAndGet).dispatch();
            assertThat(held.event().isComplete()).isFalse();
            held.release();
            next.await();
            assertThat(ran).hasValue(2);
        }
    }

    @Test
    void theTurnLastsUntilTheChildrenAreComplete() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            Pipe pipe = graph.pipe("p");
            GraphEvent child = graph.event("child");
            CountDownLatch returned = new CountDownLatch(1);
            AtomicInteger ran = new AtomicInteger();
            GraphEvent[] parent = new GraphEvent[1];
            HeldTask held = pipe.task("parent", () -> {
                        parent[0].dontCompleteUntil(child);
                        returned.countDown();
                    })
                    .hold();
            parent[0] = held.event();
            GraphEvent next = pipe.task("next", ran::incrementAndGet).dispatch();
            held.release();
            graph.task("wait", returned::await).dispatch().await();
            graph.task("free", () -> {}).dispatch().await();
            assertThat(ran).hasValue(0);
            child.trigger();
            next.await();
            assertThat(ran).hasValue(1);
        }
    }

    @Test
    void aFailureStopsNeitherTheNextTaskNorWhenIdle() {
        ConcurrentLinkedQueue<String> uncaught = new ConcurrentLinkedQueue<>();
        try (TaskGraph graph = TaskGraph.builder()
                .workers(2)
                .uncaughtHandler((task, failure) -> uncaught.add(task + ": " + failure.getMessage()))
                .build()) {
            Pipe pipe = graph.pipe("p");
            GraphEvent broken = graph.event("broken");
            AtomicInteger ran = new AtomicInteger();
            GraphEvent failing = pipe.task("failing", () -> {
                        throw new IllegalStateException("on purpose");
                    })
                    .dispatch();
            GraphEvent skipped =
                    pipe.task("skipped", ran::incrementAndGet).after(broken).dispatch();
            pipe.task("forgotten", () -> {
                        throw new IllegalStateException("unseen");
                    })
                    .fireAndForget();
            GraphEvent last = pipe.task("last", ran::incrementAndGet).dispatch();
            GraphEvent idle = pipe.whenIdle();
            broken.fail(new IllegalStateException("input"));
            last.await();
            idle.await();
            assertThat(ran).hasValue(1);
            assertThat(failing.failure()).hasMessage("on purpose");
            assertThat(skipped.failure())
                    .isInstanceOf(PrerequisiteFailedException.class)
                    .hasMessageContaining("'broken'");
            assertThat(uncaught).containsExactly("forgotten: unseen");
        }
    }

    /** The only worker waits for the last of several queued tasks: it must run those before it by itself. */
    @Test
    void aWaitingWorkerRunsTheTasksAhead() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            Pipe pipe = graph.pipe("p");
            List<Integer> order = new ArrayList<>();
            graph.task("waiter", () -> {
                        List<GraphEvent> events = new ArrayList<>();
                        for (int i = 0; i < 50; i++) {
                            int id = i;
                            events.add(pipe.task("t" + i, () -> order.add(id)).dispatch());
                        }
                        events.get(49).await();
                    })
                    .dispatch()
                    .await();
            assertThat(order)
                    .containsExactlyElementsOf(IntStream.range(0, 50).boxed().toList());
        }
    }

    @Test
    void waitingForALaterTaskOfTheSamePipeIsRefused() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            Pipe pipe = graph.pipe("p");
            GraphEvent first = pipe.task(
                            "first",
                            () -> pipe.task("later", () -> {}).dispatch().await())
                    .dispatch();
            assertThatThrownBy(first::await)
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'later'")
                    .hasMessageContaining("'first'");
        }
    }

    @Test
    void closeFailsWhatWaitsForItsTurnInALoop() {
        TaskGraph graph = TaskGraph.builder().workers(1).build();
        Pipe pipe = graph.pipe("p");
        AtomicInteger ran = new AtomicInteger();
        GraphEvent gate = graph.event("gate");
        List<GraphEvent> events = new ArrayList<>();
        events.add(pipe.task("behind gate", ran::incrementAndGet).after(gate).dispatch());
        for (int i = 0; i < 100_000; i++) {
            events.add(pipe.task("t", ran::incrementAndGet).dispatch());
        }
        HeldTask held = pipe.task("held", ran::incrementAndGet).hold();
        graph.close();
        assertThat(ran).hasValue(0);
        assertThat(events).allMatch(GraphEvent::isFailed);
        assertThat(held.event().failure()).isInstanceOf(TaskGraphClosedException.class);
        assertThat(pipe.isIdle()).isTrue();
        assertThatThrownBy(() -> pipe.task("late", () -> {}).dispatch()).isInstanceOf(TaskGraphClosedException.class);
        assertThatThrownBy(pipe::whenIdle).isInstanceOf(TaskGraphClosedException.class);
    }

    @Test
    @NullUnmarked
    @SuppressWarnings("NullAway")
    void badInput() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build();
                TaskGraph other = TaskGraph.builder().workers(1).build()) {
            assertThatThrownBy(() -> graph.pipe(" ")).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> graph.pipe(null)).isInstanceOf(NullPointerException.class);
            Pipe pipe = graph.pipe("p");
            assertThatThrownBy(() -> pipe.task("t", null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("task 't': body must not be null");
            assertThatThrownBy(() -> pipe.task("", () -> {})).isInstanceOf(IllegalArgumentException.class);
            GraphEvent foreign = other.event("foreign");
            assertThatThrownBy(() -> pipe.task("t", () -> {}).after(foreign))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'foreign'");
            TaskBuilder builder = pipe.task("once", () -> {});
            builder.dispatch().await();
            assertThatThrownBy(builder::dispatch).isInstanceOf(IllegalStateException.class);
            pipe.whenIdle().await();
            assertThat(pipe).hasToString("Pipe[p, idle]");
        }
    }
}
