package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.taskgraph.trace.TraceRecorder;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The observer and the trace recorder. */
@Timeout(60)
final class ObservationTest {
    @Test
    void theObserverSeesStartAndEndOnTheExecutingThread() {
        List<String> seen = new CopyOnWriteArrayList<>();
        TaskObserver observer = new TaskObserver() {
            @Override
            public void taskStarted(String task, ExecutionTarget target, int threadOrdinal) {
                seen.add("start " + task + " " + target + " " + threadOrdinal);
            }

            @Override
            public void taskFinished(
                    String task, ExecutionTarget target, int threadOrdinal, @Nullable Throwable failure) {
                seen.add("end " + task + " " + threadOrdinal + " " + failure);
            }
        };
        try (TaskGraph graph = TaskGraph.builder().workers(1).observer(observer).build()) {
            GraphEvent a = graph.task("a", () -> {}).on(WorkerLevel.HIGH).dispatch();
            graph.attach(NamedThread.GAME);
            a.await();
            GraphEvent b = graph.task("b", () -> {
                        throw new IOException("x");
                    })
                    .on(NamedThread.GAME)
                    .dispatch();
            graph.task("skipped", () -> {}).after(b).dispatch();
            graph.processUntilIdle(NamedThread.GAME);
            graph.detach(NamedThread.GAME);
        }
        assertThat(seen)
                .containsExactly("start a HIGH 0", "end a 0 null", "start b GAME 1", "end b 1 java.io.IOException: x");
    }

    @Test
    void parksAreReportedInPairs() {
        AtomicInteger parked = new AtomicInteger();
        AtomicInteger deepest = new AtomicInteger();
        TaskObserver observer = new TaskObserver() {
            @Override
            public void threadParked(int threadOrdinal, @Nullable String waitingFor) {
                deepest.accumulateAndGet(parked.incrementAndGet(), Math::max);
            }

            @Override
            public void threadUnparked(int threadOrdinal) {
                parked.decrementAndGet();
            }
        };
        TaskGraph graph = TaskGraph.builder()
                .workers(2)
                .idlePolicy(IdlePolicy.parking())
                .observer(observer)
                .build();
        while (parked.get() < 2) {
            Thread.onSpinWait();
        }
        graph.close();
        assertThat(parked).hasValue(0);
        assertThat(deepest).hasValue(2);
    }

    @Test
    void aThrowingObserverLosesNoTask() {
        AtomicInteger reported = new AtomicInteger();
        TaskObserver observer = new TaskObserver() {
            @Override
            public void taskStarted(String task, ExecutionTarget target, int threadOrdinal) {
                throw new IllegalStateException("bad observer");
            }
        };
        AtomicInteger ran = new AtomicInteger();
        try (TaskGraph graph = TaskGraph.builder()
                .workers(1)
                .observer(observer)
                .uncaughtHandler((task, failure) -> reported.incrementAndGet())
                .build()) {
            graph.task("t", ran::incrementAndGet).dispatch().await();
        }
        assertThat(ran).hasValue(1);
        assertThat(reported).hasValue(1);
    }

    @Test
    void theTraceHasEveryTaskOnItsThreadsRow() throws IOException {
        TraceRecorder recorder = new TraceRecorder();
        long start = System.nanoTime();
        try (TaskGraph graph = TaskGraph.builder().workers(1).observer(recorder).build()) {
            graph.start(NamedThread.RENDER);
            GraphEvent a = graph.task("say \"hi\"\\\n", () -> {}).dispatch();
            graph.task("draw", () -> {})
                    .after(a)
                    .on(NamedThread.RENDER)
                    .dispatch()
                    .await();
            graph.parallelFor("chunks", 10, 10, (from, to, slot) -> {});
        }
        recorder.span("GPU", "graphics", "shadow", start + 1_234_567, 1_001, Map.of("draws", 12, "ratio", Double.NaN));
        StringWriter out = new StringWriter();
        recorder.writeChromeJson(out);
        String json = out.toString();
        assertThat(json)
                .contains("\"name\":\"say \\\"hi\\\"\\\\\\n\"")
                .contains("\"thread_name\",\"args\":{\"name\":\"frameloom-RENDER\"}")
                .contains("\"thread_name\",\"args\":{\"name\":\"frameloom-worker-0\"}")
                .contains("\"process_name\",\"args\":{\"name\":\"CPU\"}")
                .contains("\"process_name\",\"args\":{\"name\":\"GPU\"}")
                .contains("\"name\":\"chunks\"")
                .contains("\"dur\":1.001")
                .contains("\"draws\":12")
                .contains("\"ratio\":\"NaN\"");
        assertThat(rowOf(json, "draw")).isNotEqualTo(rowOf(json, "say \\\"hi\\\"\\\\\\n"));
        recorder.clear();
        StringWriter cleared = new StringWriter();
        recorder.writeChromeJson(cleared);
        assertThat(cleared.toString()).doesNotContain("\"ph\":\"X\"");
    }

    @Test
    void theTraceHasEveryRunWithItsCriticalPath() throws IOException {
        TraceRecorder recorder = new TraceRecorder();
        try (TaskGraph graph = TaskGraph.builder().workers(1).observer(recorder).build()) {
            GraphBuilder b = graph.graphBuilder("chain");
            GraphNode first = b.node("first", () -> {});
            b.node("second", () -> {}).after(first);
            b.build().execute();
        }
        StringWriter out = new StringWriter();
        recorder.writeChromeJson(out);
        assertThat(out.toString())
                .contains("\"process_name\",\"args\":{\"name\":\"Runs\"}")
                .contains("\"nodes\":2")
                .contains("\"criticalPath\":\"first > second\"");
    }

    @Test
    void aThrowingRunObserverDoesNotHoldUpTheRun() {
        List<String> reported = new CopyOnWriteArrayList<>();
        TaskObserver observer = new TaskObserver() {
            @Override
            public RunObserver runStarted(String graph, int nodes) {
                if (graph.equals("first")) {
                    throw new IllegalStateException("at the start");
                }
                return run -> {
                    throw new IllegalStateException("at the end");
                };
            }
        };
        AtomicInteger ran = new AtomicInteger();
        try (TaskGraph graph = TaskGraph.builder()
                .workers(1)
                .observer(observer)
                .uncaughtHandler((task, failure) -> reported.add(task + ": " + failure.getMessage()))
                .build()) {
            for (String name : List.of("first", "second")) {
                GraphBuilder b = graph.graphBuilder(name);
                b.node("node", ran::incrementAndGet);
                b.build().execute();
            }
        }
        assertThat(ran).hasValue(2);
        assertThat(reported)
                .containsExactly(
                        "observer of a run of graph 'first': at the start",
                        "observer of a run of graph 'second': at the end");
    }

    private static String rowOf(String json, String task) {
        Matcher matcher = Pattern.compile(
                        "\"ph\":\"X\",\"pid\":1,\"tid\":(\\d+),\"name\":\"" + Pattern.quote(task) + "\"")
                .matcher(json);
        assertThat(matcher.find()).as("span of %s", task).isTrue();
        return matcher.group(1);
    }

    @Test
    void ringsAreBoundedAndKeepTheNewest() throws IOException {
        TraceRecorder recorder = new TraceRecorder(3);
        for (int i = 0; i < 10; i++) {
            recorder.span("GPU", "q", "s" + i, i, 1, Map.of());
        }
        StringWriter out = new StringWriter();
        recorder.writeChromeJson(out);
        assertThat(recorder.dropped()).isEqualTo(7);
        assertThat(out.toString()).contains("\"s7\"", "\"s8\"", "\"s9\"").doesNotContain("\"s6\"");
        assertThatThrownBy(() -> recorder.span("GPU", "q", "bad", 0, -1, Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bad");
        assertThatThrownBy(() -> new TraceRecorder(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
