package io.frameloom.taskgraph.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.taskgraph.ExecutionTarget;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.IdlePolicy;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.TaskObserver;
import io.frameloom.testing.ChromeTrace;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a trace says of why something ran when it did. */
@Timeout(60)
class ArrowsTest {
    private final TraceRecorder recorder = new TraceRecorder();

    private ChromeTrace trace() throws IOException {
        StringWriter out = new StringWriter();
        recorder.writeChromeJson(out);
        return ChromeTrace.of(out.toString());
    }

    private TaskGraph graph(int workers) {
        return TaskGraph.builder().workers(workers).observer(recorder).build();
    }

    private static List<String> names(ChromeTrace trace) {
        return trace.arrows().stream().map(ChromeTrace.Arrow::names).sorted().toList();
    }

    @Test
    void arrowsLeadFromEachPrerequisiteToTheTask() throws IOException {
        try (TaskGraph graph = graph(2)) {
            GraphEvent a = graph.task("a", () -> {}).dispatch();
            GraphEvent b = graph.task("b", () -> {}).after(a).dispatch();
            GraphEvent c = graph.task("c", () -> {}).after(a).dispatch();
            graph.task("d", () -> {}).after(b, c).dispatch().await();
        }
        assertThat(names(trace())).containsExactly("a -> b", "a -> c", "b -> d", "c -> d");
    }

    @Test
    void arrowsPassThroughEventsWithoutABody() throws IOException {
        try (TaskGraph graph = graph(1)) {
            GraphEvent triggered = graph.event("triggered");
            GraphEvent untraced = graph.event("triggered by no task");
            GraphEvent a = graph.task("a", () -> {}).dispatch();
            GraphEvent b = graph.task("b", triggered::trigger).dispatch();
            GraphEvent inner = graph.whenAll("inner", a, triggered);
            GraphEvent outer = graph.whenAll("outer", inner, a, untraced);
            GraphEvent c = graph.task("c", () -> {}).after(outer).dispatch();
            untraced.trigger();
            graph.awaitAll(b, c);
        }
        assertThat(names(trace())).containsExactly("a -> c", "b -> c");
    }

    @Test
    void aWaitSaysWhatForAndWhatEndedIt() throws IOException {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch parked = new CountDownLatch(1);
        TaskObserver observer = new TaskObserver() {
            @Override
            public void taskStarted(GraphEvent task, ExecutionTarget target, int threadOrdinal) {
                recorder.taskStarted(task, target, threadOrdinal);
            }

            @Override
            public void taskFinished(
                    String task, ExecutionTarget target, int threadOrdinal, @Nullable Throwable failure) {
                recorder.taskFinished(task, target, threadOrdinal, failure);
            }

            @Override
            public void threadWaits(int threadOrdinal, GraphEvent awaited) {
                recorder.threadWaits(threadOrdinal, awaited);
                parked.countDown();
            }

            @Override
            public void threadParked(int threadOrdinal, @Nullable String waitingFor) {
                recorder.threadParked(threadOrdinal, waitingFor);
            }

            @Override
            public void threadUnparked(int threadOrdinal) {
                recorder.threadUnparked(threadOrdinal);
            }
        };
        try (TaskGraph graph = TaskGraph.builder()
                .workers(1)
                .idlePolicy(IdlePolicy.parking())
                .observer(observer)
                .build()) {
            graph.start(NamedThread.RENDER);
            GraphEvent slow = graph.task("slow", () -> {
                        started.countDown();
                        parked.await();
                    })
                    .dispatch();
            started.await();
            graph.task("waits", slow::await).on(NamedThread.RENDER).dispatch().await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        ChromeTrace trace = trace();
        List<ChromeTrace.Span> waits = trace.spans("wait for slow");
        assertThat(waits).isNotEmpty().allSatisfy(wait -> {
            assertThat(wait.around()).isEqualTo("waits");
            assertThat(wait.row()).isEqualTo("frameloom-RENDER");
            assertThat(wait.category()).isEqualTo("wait");
            assertThat(wait.args().get("reason").toString()).contains("'slow'");
        });
        assertThat(names(trace)).contains("slow -> wait for slow");
        assertThat(trace.spans("idle"))
                .isNotEmpty()
                .allSatisfy(
                        idle -> assertThat(idle.args()).containsEntry("reason", "no task was ready for this thread"));
    }

    @Test
    void arrowsLeadToWorkElsewhereAndBack() throws IOException {
        try (TaskGraph graph = graph(1)) {
            GraphEvent onDevice = graph.event("on the device");
            GraphEvent submit = graph.task("submit", () -> {}).dispatch();
            submit.await();
            long now = System.nanoTime();
            recorder.span("GPU", "graphics", "frame 0", now, 200, Map.of("frame", 0), submit, onDevice);
            recorder.span("GPU", "graphics", "pass", now + 10, 180, Map.of("frame", 0));
            recorder.span("GPU", "graphics", "not after it", now - 1_000_000_000, 1, Map.of(), submit, null);
            onDevice.trigger();
            graph.task("completed", () -> {}).after(onDevice).dispatch().await();
        }
        ChromeTrace trace = trace();
        assertThat(names(trace)).containsExactly("frame 0 -> completed", "submit -> frame 0");
        assertThat(trace.spans("pass").get(0).around()).isEqualTo("frame 0");
    }

    @Test
    void aFailedTaskSaysHow() throws IOException {
        try (TaskGraph graph = graph(1)) {
            graph.task("fails", () -> {
                        throw new IOException("no room");
                    })
                    .dispatch()
                    .awaitCompletion();
        }
        assertThat(trace().spans("fails").get(0).args())
                .containsEntry("failure", "java.io.IOException: no room")
                .containsEntry("target", "NORMAL");
    }

    @Test
    void tasksAndTheirWaitsHaveTheNumberOfTheirFrame() throws IOException {
        try (TaskGraph graph = graph(1)) {
            graph.task("of frame", () -> {
                        recorder.frame(7);
                        long now = System.nanoTime();
                        recorder.span("part", now, System.nanoTime() - now, Map.of("frame", 7));
                    })
                    .dispatch()
                    .await();
            graph.task("of none", () -> {}).dispatch().await();
            recorder.frame(8);
        }
        ChromeTrace trace = trace();
        assertThat(trace.spans("of frame").get(0).args()).containsEntry("frame", 7.0);
        assertThat(trace.spans("part").get(0).args()).containsEntry("frame", 7.0);
        assertThat(trace.spans("part").get(0).around()).isEqualTo("of frame");
        assertThat(trace.spans("of none").get(0).args()).doesNotContainKey("frame");
    }

    @Test
    void countersAndMarkersAreOfTheirTime() throws IOException {
        recorder.counter("GPU", "memory", 10, Map.of("bytes", 5L));
        recorder.counter("GPU", "memory", 20, Map.of("bytes", 6L));
        recorder.marker("frame 0", 10);
        recorder.marker("frame 1", 20);
        recorder.span("GPU", "q", "early", 0, 9, Map.of());
        recorder.span("GPU", "q", "across", 9, 30, Map.of());
        StringWriter out = new StringWriter();
        recorder.writeChromeJson(out, 15, 25);
        ChromeTrace part = ChromeTrace.of(out.toString());
        assertThat(part.counters()).containsOnlyKeys("GPU/memory");
        assertThat(part.counters().get("GPU/memory")).containsExactly(Map.of("bytes", 6.0));
        assertThat(part.markers()).containsExactly("frame 1");
        assertThat(part.spans()).extracting(ChromeTrace.Span::name).containsExactly("across");
        assertThat(trace().markers()).containsExactly("frame 0", "frame 1");
        recorder.clear();
        assertThat(trace().markers()).isEmpty();
        assertThat(trace().counters()).isEmpty();
    }

    @Test
    void whatOverlapsHasARowOfItsOwn() throws IOException {
        List<String> rows = new ArrayList<>();
        // Two frames overlap, and so do two passes of the first; a pass of the second lies within the first frame.
        recorder.span("GPU", "q", "frame 0", 0, 100, Map.of("frame", 0));
        recorder.span("GPU", "q", "a", 10, 50, Map.of("frame", 0));
        recorder.span("GPU", "q", "b", 40, 60, Map.of("frame", 0));
        recorder.span("GPU", "q", "frame 1", 80, 100, Map.of("frame", 1));
        recorder.span("GPU", "q", "c", 85, 10, Map.of("frame", 1));
        recorder.span("GPU", "q", "instant", 300, 0, Map.of());
        recorder.span("GPU", "q", "another", 300, 0, Map.of());
        recorder.span("GPU", "q", "only pass", 400, 10, Map.of());
        recorder.span("GPU", "q", "scope", 400, 10, Map.of());
        for (ChromeTrace.Span span : trace().spans()) {
            rows.add(span.name() + " in " + span.around() + " on " + span.row());
        }
        assertThat(rows)
                .containsExactlyInAnyOrder(
                        "frame 0 in  on q",
                        "a in frame 0 on q",
                        "b in  on q (2)",
                        "frame 1 in  on q (3)",
                        "c in frame 1 on q (3)",
                        "instant in  on q",
                        "another in  on q",
                        "scope in  on q",
                        "only pass in scope on q");
    }

    @Test
    void aTaskAfterManyShowsTheLastOnesOnly() throws IOException {
        try (TaskGraph graph = graph(1)) {
            List<GraphEvent> before = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                before.add(graph.task("before " + i, () -> {}).dispatch());
            }
            graph.task("last", () -> {}).after(before).dispatch().await();
        }
        assertThat(trace().arrows())
                .hasSize(64)
                .allSatisfy(arrow -> assertThat(arrow.to().name()).isEqualTo("last"));
    }
}
