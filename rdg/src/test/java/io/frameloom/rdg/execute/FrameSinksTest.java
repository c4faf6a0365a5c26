package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.capture.Capture;
import io.frameloom.rdg.diagnostics.Breakpoint;
import io.frameloom.rdg.diagnostics.PlanDumpMode;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.diagnostics.RdgListener;
import io.frameloom.rdg.diagnostics.RdgWatch;
import io.frameloom.rdg.utility.ClearPasses;
import io.frameloom.rdg.utility.ReadbackPasses;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Everybody who waits for a frame is told, whatever becomes of what others wait for. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FrameSinksTest {
    @TempDir
    private Path folder;

    /** Keeps what could not be written. */
    private static class Told implements RdgListener {
        final List<String> lines = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void reached(Breakpoint moment, String graph, String subject) {}

        @Override
        public void transition(String graph, String line) {}

        @Override
        public void notWritten(Path file, String message, IOException cause) {
            lines.add(file + ": " + message);
        }
    }

    private static RenderGraph cleared(String... textures) {
        RenderGraph graph = new RenderGraph("frame");
        for (String name : textures) {
            ClearPasses.texture(graph, graph.createTexture(name, FakeRig.TARGET), FakeRig.CLEAR);
        }
        return graph;
    }

    private static RdgReadback readback(RenderGraph graph, String name) {
        RdgTexture texture = graph.createTexture(name, FakeRig.TARGET);
        ClearPasses.texture(graph, texture, FakeRig.CLEAR);
        return ReadbackPasses.texture(graph, texture);
    }

    private static RdgOptions capturing(Path into, RdgListener listener, String... textures) {
        RdgDiagnostics diagnostics = RdgDiagnostics.none()
                .withCaptures(List.of(textures).stream().map(Capture::parse).toList())
                .withCaptureFolder(into)
                .withWatch(RdgWatch.none().withListener(listener));
        return RdgOptions.defaults().withCullPasses(false).withDiagnostics(diagnostics);
    }

    @Test
    void readbackThatFailsLeavesNoOtherPending() {
        try (FakeRig rig = FakeRig.graphics()) {
            rig.device.refuseMapping("staging of first");
            rig.device.refuseMapping("staging of third");
            RenderGraph graph = new RenderGraph("frame");
            RdgReadback first = readback(graph, "first");
            RdgReadback second = readback(graph, "second");
            RdgReadback third = readback(graph, "third");
            FrameHandle failed = rig.executor.execute(rig.compile(graph));
            assertThatThrownBy(() -> failed.completed().await())
                    .rootCause()
                    .isInstanceOf(GpuException.class)
                    .hasMessage("no mapping of staging of first")
                    .satisfies(cause -> assertThat(cause.getSuppressed())
                            .extracting(Throwable::getMessage)
                            .containsExactly("no mapping of staging of third"));
            assertThat(first.bytes()).isCompletedExceptionally();
            assertThat(second.bytes()).isCompleted();
            assertThat(third.bytes()).isCompletedExceptionally();
            assertThatThrownBy(failed::statistics).hasMessageContaining("has failed");
            // All three staging buffers went back.
            rig.executor.execute(rig.compile(cleared("other"))).completed().await();
            rig.executor.close();
            assertThat(rig.device.open()).noneMatch(Buffer.class::isInstance);
        }
    }

    @Test
    void captureThatCannotBeReadFailsAlone() {
        try (FakeRig rig = FakeRig.graphics()) {
            rig.device.refuseMapping("capture a");
            FramePlan plan = rig.compile(cleared("a", "b"), capturing(folder, new Told(), "a", "b"));
            FrameHandle failed = rig.executor.execute(plan);
            assertThatThrownBy(() -> failed.completed().await()).hasRootCauseMessage("no mapping of capture a");
            assertThat(failed.captures().get(0)).isCompletedExceptionally();
            assertThat(failed.captures().get(1)).isCompleted();
            assertThat(folder)
                    .isDirectoryContaining(file -> file.getFileName().toString().startsWith("frame0 b@1"));
        }
    }

    @Test
    void fileThatCannotBeWrittenIsToldAndCostsNobodyElse() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        Told told = new Told();
        try (FakeRig rig = FakeRig.graphics()) {
            RenderGraph graph = cleared("a", "b");
            RdgReadback last = readback(graph, "c");
            FrameHandle frame = rig.executor.execute(rig.compile(graph, capturing(file, told, "a", "b")));
            frame.completed().await();
            assertThat(frame.captures()).allSatisfy(future -> assertThat(future).isCompleted());
            assertThat(last.bytes()).isCompleted();
            assertThat(frame.statistics().frame()).isZero();
        }
        assertThat(told.lines).hasSize(2).allSatisfy(line -> assertThat(line).contains("frameloom.rdg.captureFolder"));
        assertThat(told.lines.get(0))
                .startsWith(file.resolve("frame0 a@1") + "")
                .contains("capture 'a'");
        assertThat(told.lines.get(1))
                .startsWith(file.resolve("frame0 b@1") + "")
                .contains("capture 'b'");
    }

    /** Not every file system says with an IOException that it does not write. */
    @Test
    void fileSystemThatIsClosedIsToldLikewise() throws IOException {
        Told told = new Told();
        FileSystem archive = FileSystems.newFileSystem(folder.resolve("archive.zip"), Map.of("create", "true"));
        Path into = archive.getPath("captures");
        archive.close();
        try (FakeRig rig = FakeRig.graphics()) {
            RdgOptions options = capturing(into, told, "a");
            FrameHandle frame = rig.executor.execute(rig.compile(
                    cleared("a"),
                    options.withDiagnostics(options.diagnostics()
                            .withWatch(options.diagnostics().watch().withDump(PlanDumpMode.TIMELINE, into)))));
            frame.completed().await();
            assertThat(frame.captures()).allSatisfy(future -> assertThat(future).isCompleted());
            assertThat(frame.statistics().frame()).isZero();
        }
        assertThat(told.lines).hasSize(2);
        assertThat(told.lines.get(0)).contains("cannot be written to captures");
        assertThat(told.lines.get(1)).contains("cannot be written to captures", "frameloom.rdg.captureFolder");
    }

    /** Files come last: a future that a listener asks for is there, or nobody would ever fulfil it. */
    @Test
    void everyFutureIsThereBeforeAFileIsWritten() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        CompletableFuture<FrameHandle> launched = new CompletableFuture<>();
        List<Boolean> done = Collections.synchronizedList(new ArrayList<>());
        RdgListener listener = new Told() {
            @Override
            public void notWritten(Path path, String message, IOException cause) {
                done.add(launched.join().captures().get(1).isDone());
                throw new IllegalStateException("the listener had enough");
            }
        };
        try (FakeRig rig = FakeRig.graphics()) {
            FrameHandle frame =
                    rig.executor.execute(rig.compile(cleared("a", "b"), capturing(file, listener, "a", "b")));
            launched.complete(frame);
            assertThatThrownBy(() -> frame.completed().await()).hasRootCauseMessage("the listener had enough");
        }
        assertThat(done).containsExactly(true, true);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void listenerThatThrowsIsToldOfEveryMissingCapture(int before) {
        List<Throwable> failures =
                new ArrayList<>(List.of(new IllegalStateException("a"), new AssertionError("b"), new IOException("c")));
        Collections.rotate(failures, before);
        List<String> asked = new ArrayList<>();
        RdgListener listener = new Told() {
            @Override
            public void notCaptured(Capture capture, String hint) {
                asked.add(capture.texture());
                throwAny(failures.get(asked.size() - 1));
            }
        };
        System.setProperty("frameloom.rdg.capture", "x;y;z");
        try (FakeRig rig = FakeRig.graphics()) {
            RdgOptions watched = RdgOptions.defaults()
                    .withDiagnostics(
                            RdgDiagnostics.none().withWatch(RdgWatch.none().withListener(listener)));
            rig.executor.execute(rig.compile(cleared("a"), watched)).completed().await();
            assertThatThrownBy(rig.executor::close)
                    .matches(thrown -> thrown == failures.get(0) || thrown.getCause() == failures.get(0));
            assertThat(failures.get(0).getSuppressed()).containsExactly(failures.get(1), failures.get(2));
            assertThat(asked).containsExactly("x", "y", "z");
            assertThat(rig.device.open()).isEmpty();
        } finally {
            System.clearProperty("frameloom.rdg.capture");
        }
    }

    /** Throws a checked exception as well, as generated code and code of other languages does. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwAny(Throwable failure) throws T {
        throw (T) failure;
    }
}
