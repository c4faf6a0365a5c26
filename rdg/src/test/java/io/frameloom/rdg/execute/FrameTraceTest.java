package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.trace.TraceRecorder;
import io.frameloom.testing.ChromeTrace;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a trace has of frames. */
@Timeout(60)
class FrameTraceTest {
    private final TraceRecorder recorder = new TraceRecorder();
    private final FrameExecutorOptions options = FrameExecutorOptions.defaults().withTrace(recorder);

    private ChromeTrace trace() throws IOException {
        StringWriter out = new StringWriter();
        recorder.writeChromeJson(out);
        return ChromeTrace.of(out.toString());
    }

    /** Passes "first", "second" in a scope in a scope, and "third" outside of them. */
    private static FramePlan threePasses(FakeRig rig, String name) {
        RenderGraph graph = new RenderGraph(name);
        RdgBuffer buffer = graph.createBuffer("buffer", FakeRig.BUFFER);
        graph.scope("outer", () -> {
            fill(graph, buffer, "first");
            graph.scope("inner", () -> fill(graph, buffer, "second"));
        });
        fill(graph, buffer, "third");
        return rig.compile(graph);
    }

    private static void fill(RenderGraph graph, RdgBuffer buffer, String pass) {
        graph.addPass(pass, PassKind.COPY)
                .writes(buffer, Access.COPY_DST)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {});
    }

    @Test
    void aFrameHasOneNumberOnEachThreadAndOnTheDevice() throws IOException {
        try (FakeRig rig = new FakeRig(1, options, QueueKind.GRAPHICS)) {
            rig.tasks.start(NamedThread.RENDER);
            for (int i = 0; i < 2; i++) {
                String name = "graph of " + i;
                List<FrameHandle> executed = new ArrayList<>();
                rig.tasks
                        .task("build", () -> executed.add(rig.executor.execute(threePasses(rig, name))))
                        .on(NamedThread.RENDER)
                        .dispatch()
                        .await();
                executed.get(0).completed().await();
            }
        }
        ChromeTrace trace = trace();
        assertThat(trace.markers()).containsExactly("frame 0", "frame 1");
        for (double frame = 0; frame < 2; frame++) {
            String name = "frame " + (int) frame;
            List<ChromeTrace.Span> ofFrame = ofFrame(trace, frame);
            assertThat(places(ofFrame))
                    .contains(
                            name + " in  on Frames/in flight",
                            "declare in " + name + " on Frames/in flight",
                            "compile in " + name + " on Frames/in flight",
                            "execute in " + name + " on Frames/in flight",
                            "build in  on CPU/rig-RENDER",
                            "declare in build on CPU/rig-RENDER",
                            "compile in build on CPU/rig-RENDER",
                            "execute in build on CPU/rig-RENDER",
                            "record first in  on CPU/rig-worker-0",
                            name + " completed in  on CPU/rig-worker-0",
                            name + " in  on GPU/graphics",
                            "outer in " + name + " on GPU/graphics",
                            "first in outer on GPU/graphics",
                            "inner in outer on GPU/graphics",
                            "second in inner on GPU/graphics",
                            "third in " + name + " on GPU/graphics");
            assertThat(ofFrame).anySatisfy(span -> {
                assertThat(span.row()).isEqualTo("rig-RHI");
                assertThat(span.name()).startsWith("submit");
            });
        }
        assertThat(trace.arrows().stream().map(ChromeTrace.Arrow::names).distinct())
                .contains("record first -> submit graph of 0 graphics #0", "third -> frame 0 completed");
    }

    @Test
    void aFailedFrameSaysHow() throws IOException {
        try (FakeRig rig = new FakeRig(1, options, QueueKind.GRAPHICS)) {
            RenderGraph graph = rig.executor.beginGraph("failing");
            graph.addPass("fails", PassKind.COPY).flag(PassFlag.NEVER_CULL).record(context -> {
                throw new IllegalStateException("no room");
            });
            rig.executor.run(graph).completed().awaitCompletion();
        }
        ChromeTrace.Span frame = trace().spans("frame 0").get(0);
        assertThat(frame.process()).isEqualTo("Frames");
        assertThat(frame.args().get("failure").toString()).contains("'fails'");
    }

    @Test
    void aPlanThatIsExecutedAgainWasCompiledOnce() throws IOException {
        try (FakeRig rig = new FakeRig(1, options, QueueKind.GRAPHICS)) {
            FramePlan plan = threePasses(rig, "repeated");
            rig.executor.execute(plan);
            rig.executor.execute(plan);
            rig.executor.execute(threePasses(rig, "other"));
        }
        ChromeTrace trace = trace();
        assertThat(trace.spans("compile").stream()
                        .filter(span -> span.process().equals("Frames"))
                        .map(span -> span.args().get("frame")))
                .containsExactlyInAnyOrder(0.0, 2.0);
        assertThat(trace.spans("execute")).hasSize(6);
    }

    @Test
    void plansAreShownAsCompiledInWhateverOrderTheyAreExecuted() throws IOException {
        try (FakeRig rig = new FakeRig(1, options, QueueKind.GRAPHICS)) {
            FramePlan first = threePasses(rig, "first");
            FramePlan second = threePasses(rig, "second");
            rig.executor.execute(second);
            rig.executor.execute(first);
            rig.executor.execute(second);
        }
        assertThat(trace().spans("compile").stream()
                        .filter(span -> span.process().equals("Frames"))
                        .map(span -> span.args().get("graph") + " in frame "
                                + span.args().get("frame")))
                .containsExactlyInAnyOrder("second in frame 0.0", "first in frame 1.0");
    }

    @Test
    void memoryAndWorkInFlightAreCounted() throws IOException {
        try (FakeRig rig = new FakeRig(1, options, QueueKind.GRAPHICS, QueueKind.COMPUTE)) {
            rig.executor.execute(threePasses(rig, "frame")).completed().await();
            assertThat(rig.device.queues())
                    .as("a hazard checker would take the question for a wait")
                    .allSatisfy(queue -> assertThat(((FakeQueue) queue).asked()).isZero());
        }
        ChromeTrace trace = trace();
        assertThat(trace.counters())
                .containsOnlyKeys("GPU/memory", "GPU/transient memory", "GPU/work on graphics", "GPU/work on queue1");
        assertThat((Double) trace.counters().get("GPU/transient memory").get(0).get("bytes"))
                .isPositive();
        assertThat(trace.counters().get("GPU/memory").get(0)).containsOnlyKeys("occupied", "reserved");
        List<Map<String, Object>> work = trace.counters().get("GPU/work on graphics");
        assertThat(work.get(work.size() - 1)).containsEntry("submissions", 0.0);
    }

    private static List<ChromeTrace.Span> ofFrame(ChromeTrace trace, double frame) {
        return trace.spans().stream()
                .filter(span -> Double.valueOf(frame).equals(span.args().get("frame")))
                .toList();
    }

    private static Stream<String> places(List<ChromeTrace.Span> spans) {
        return spans.stream()
                .map(span -> span.name() + " in " + span.around() + " on " + span.process() + "/" + span.row());
    }
}
