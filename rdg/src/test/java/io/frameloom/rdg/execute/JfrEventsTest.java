package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgValidationException;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.diagnostics.Breakpoint;
import io.frameloom.rdg.diagnostics.CompilePhase;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.diagnostics.RdgListener;
import io.frameloom.rdg.diagnostics.RdgWatch;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The events of frames and compilations, read back from recordings. */
@Timeout(value = 100, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JfrEventsTest {
    @TempDir
    private Path folder;

    private final AtomicBoolean broken = new AtomicBoolean();

    private List<RecordedEvent> eventsOf(Recording recording) throws IOException {
        Path file = folder.resolve("recording.jfr");
        recording.stop();
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith("frameloom.rdg."))
                .toList();
    }

    private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals("frameloom.rdg." + name))
                .toList();
    }

    /** Two queues, one wait between them, and a pass that nobody needs. */
    private RenderGraph graph() {
        RenderGraph graph = new RenderGraph("picture");
        RdgBuffer data = graph.createBuffer("data", FakeRig.BUFFER);
        RdgBuffer result = graph.createBuffer("result", FakeRig.BUFFER);
        RdgBuffer unread = graph.createBuffer("unread", FakeRig.BUFFER);
        graph.addPass("simulate", PassKind.COMPUTE)
                .overwrites(data, Access.STORAGE_WRITE_COMPUTE)
                .flag(PassFlag.ASYNC_COMPUTE)
                .record(context -> {});
        graph.addPass("nobody's", PassKind.COPY)
                .overwrites(unread, Access.COPY_DST)
                .record(context -> {});
        graph.addPass("copy", PassKind.COPY)
                .reads(data, Access.COPY_SRC)
                .overwrites(result, Access.COPY_DST)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {
                    if (broken.get()) {
                        throw new IllegalArgumentException("no buffer");
                    }
                });
        return graph;
    }

    private static FramePlan compile(RenderGraphCompiler compiler, FakeRig rig, RenderGraph graph) {
        return compiler.compile(graph, QueueTopology.of(rig.device), MemorySizer.of(rig.device));
    }

    @Test
    void compilationsAreWritten() throws IOException {
        try (FakeRig rig = FakeRig.graphicsAndCompute();
                Recording recording = new Recording()) {
            recording.enable("frameloom.rdg.Compile").withoutThreshold();
            recording.start();
            RenderGraphCompiler compiler = new RenderGraphCompiler(RdgOptions.defaults());
            FramePlan plan = compile(compiler, rig, graph());
            compile(compiler, rig, graph());
            RenderGraph wrong = new RenderGraph("wrong");
            RdgBuffer never = wrong.createBuffer("never", FakeRig.BUFFER);
            wrong.addPass("read", PassKind.COPY)
                    .reads(never, Access.COPY_SRC)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> {});
            assertThatThrownBy(() -> compile(compiler, rig, wrong)).isInstanceOf(RdgValidationException.class);
            List<RecordedEvent> events = eventsOf(recording);
            assertThat(events)
                    .extracting(event -> event.getString("graph"))
                    .containsExactly("picture", "picture", "wrong");
            assertThat(events).extracting(event -> event.getBoolean("reused")).containsExactly(false, true, false);
            assertThat(events.get(1).getInt("passes")).isEqualTo(plan.passes().size());
            assertThat(events.get(1).getInt("culled")).isEqualTo(1);
            assertThat(events.get(1).getInt("batches")).isEqualTo(2);
            assertThat(events.get(1).getLong("heapBytes"))
                    .isEqualTo(plan.heapBytes())
                    .isPositive();
            assertThat(events.get(1).getString("failure")).isEmpty();
            assertThat(events.get(2).getString("failure")).contains("'never'");
        }
    }

    /** A listener may throw a checked exception, as generated code and code of other languages does. */
    @Test
    void aCompilationThatItsListenerFailsSaysSo() throws IOException {
        RdgListener listener = new RdgListener() {
            @Override
            public void reached(Breakpoint moment, String graph, String subject) {}

            @Override
            public void transition(String graph, String line) {}

            @Override
            public void compileTimes(String graph, Map<CompilePhase, Long> nanos) {
                throwAny(new IOException("no disk"));
            }
        };
        RdgDiagnostics watched = RdgDiagnostics.none()
                .withCompileTimes(true)
                .withWatch(RdgWatch.none().withListener(listener));
        try (FakeRig rig = FakeRig.graphicsAndCompute();
                Recording recording = new Recording()) {
            recording.enable("frameloom.rdg.Compile").withoutThreshold();
            recording.start();
            RenderGraphCompiler compiler =
                    new RenderGraphCompiler(RdgOptions.defaults().withDiagnostics(watched));
            assertThatThrownBy(() -> compile(compiler, rig, graph())).isInstanceOf(IOException.class);
            assertThat(eventsOf(recording))
                    .singleElement()
                    .satisfies(event -> assertThat(event.getString("failure")).contains("no disk"));
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwAny(Throwable failure) throws T {
        throw (T) failure;
    }

    @Test
    void framesAreWrittenWithTheirParts() throws IOException {
        try (FakeRig rig = FakeRig.graphicsAndCompute();
                Recording recording = new Recording()) {
            for (String name : List.of("Frame", "RecordGroup", "Submission")) {
                recording.enable("frameloom.rdg." + name).withoutThreshold();
            }
            recording.start();
            FramePlan plan = rig.compile(graph());
            rig.executor.execute(plan).completed().await();
            broken.set(true);
            FrameHandle failed = rig.executor.execute(plan);
            assertThatThrownBy(() -> failed.completed().await()).hasRootCauseMessage("no buffer");
            broken.set(false);
            rig.device.queue(0).refuseNext(new GpuException("no memory"));
            FrameHandle refused = rig.executor.execute(plan);
            assertThatThrownBy(() -> refused.completed().await()).hasRootCauseMessage("no memory");
            rig.executor.close();
            List<RecordedEvent> events = eventsOf(recording);

            List<RecordedEvent> frames = named(events, "Frame");
            assertThat(frames).extracting(event -> event.getLong("frame")).containsExactlyInAnyOrder(0L, 1L, 2L);
            RecordedEvent first = of(frames, 0).get(0);
            assertThat(first.getString("plan")).isEqualTo("picture");
            assertThat(first.getInt("passes")).isEqualTo(plan.passes().size() - 1);
            assertThat(first.getInt("groups")).isEqualTo(2);
            assertThat(first.getInt("batches")).isEqualTo(2);
            assertThat(first.getInt("waits")).isEqualTo(1);
            assertThat(first.getInt("barriers")).isEqualTo(plan.barrierCount());
            assertThat(first.getString("failure")).isEmpty();
            assertThat(of(frames, 1).get(0).getString("failure")).contains("'copy'");
            assertThat(of(frames, 2).get(0).getString("failure")).contains("no memory");

            List<RecordedEvent> groups = named(events, "RecordGroup");
            assertThat(of(groups, 0))
                    .extracting(event -> event.getInt("group") + " " + event.getString("firstPass") + " "
                            + event.getInt("passes") + " " + event.getString("queue"))
                    .containsExactlyInAnyOrder("0 simulate 1 queue1", "1 copy 1 graphics");
            assertThat(of(groups, 1))
                    .filteredOn(event -> !event.getString("failure").isEmpty())
                    .extracting(event -> event.getString("firstPass"))
                    .containsExactly("copy");

            List<RecordedEvent> submissions = named(events, "Submission");
            assertThat(of(submissions, 0))
                    .extracting(event -> event.getInt("batch") + " " + event.getString("queue") + " "
                            + event.getInt("lists") + " " + event.getInt("waits"))
                    .containsExactlyInAnyOrder("0 queue1 1 0", "1 graphics 1 1");
            assertThat(of(submissions, 2))
                    .extracting(event -> event.getString("failure"))
                    .filteredOn(failure -> !failure.isEmpty())
                    .singleElement()
                    .asString()
                    .contains("no memory");
        }
    }

    @Test
    void passesOfTheHostAreWritten() throws IOException {
        try (FakeRig rig = FakeRig.graphics();
                Recording recording = new Recording()) {
            recording.enable("frameloom.rdg.HostPass").withoutThreshold();
            recording.start();
            RenderGraph graph = new RenderGraph("host");
            graph.hostPass("decide").flag(PassFlag.NEVER_CULL).run(context -> {
                if (broken.get()) {
                    throw new IllegalArgumentException("cannot decide");
                }
            });
            FramePlan plan = rig.compile(graph);
            rig.executor.execute(plan).completed().await();
            broken.set(true);
            FrameHandle failed = rig.executor.execute(plan);
            assertThatThrownBy(() -> failed.completed().await()).hasRootCauseMessage("cannot decide");
            rig.executor.close();
            // Each thread has a buffer of its own, so those of two workers lie in the file in any order.
            List<RecordedEvent> events = named(eventsOf(recording), "HostPass").stream()
                    .sorted(Comparator.comparingLong(event -> event.getLong("frame")))
                    .toList();
            assertThat(events)
                    .extracting(event -> event.getLong("frame") + " " + event.getString("submitThread") + " "
                            + event.getString("plan") + " " + event.getString("pass"))
                    .containsExactly("0 RHI host decide", "1 RHI host decide");
            assertThat(events.get(0).getString("failure")).isEmpty();
            assertThat(events.get(1).getString("failure")).contains("cannot decide");
        }
    }

    private static List<RecordedEvent> of(List<RecordedEvent> events, long frame) {
        return events.stream().filter(event -> event.getLong("frame") == frame).toList();
    }

    @Test
    void groupsAreWrittenOnlyWhenAskedFor() throws IOException {
        try (FakeRig rig = FakeRig.graphics();
                Recording recording = new Recording()) {
            recording.start();
            rig.executor.execute(rig.compile(graph())).completed().await();
            rig.executor.close();
            assertThat(eventsOf(recording))
                    .extracting(event -> event.getEventType().getName())
                    .contains("frameloom.rdg.Frame", "frameloom.rdg.Compile", "frameloom.rdg.Submission")
                    .doesNotContain("frameloom.rdg.RecordGroup");
        }
    }

    /** A program that has no flight recorder. */
    static final class WithoutRecorder {
        private WithoutRecorder() {}

        public static void main(String[] arguments) {
            if (ModuleLayer.boot().findModule("jdk.jfr").isPresent()) {
                throw new IllegalStateException("the recorder is there");
            }
            try (FakeRig rig = FakeRig.graphicsAndCompute()) {
                rig.executor
                        .execute(rig.compile(new JfrEventsTest().graph()))
                        .completed()
                        .await();
            }
        }
    }

    @Test
    void framesNeedNoRecorder() throws IOException, InterruptedException {
        String classPath = String.join(
                File.pathSeparator,
                Stream.of(
                                System.getProperty("java.class.path", ""),
                                System.getProperty("jdk.module.path", ""),
                                locationOf(JfrEventsTest.class),
                                locationOf(RenderGraph.class))
                        .filter(part -> !part.isEmpty())
                        .toList());
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--limit-modules",
                        "java.base,java.logging,jdk.unsupported",
                        "-cp",
                        classPath,
                        WithoutRecorder.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor()).as(output).isZero();
    }

    private static String locationOf(Class<?> type) {
        return new File(type.getProtectionDomain().getCodeSource().getLocation().getPath()).getPath();
    }
}
