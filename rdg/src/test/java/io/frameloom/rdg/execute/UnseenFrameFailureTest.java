package io.frameloom.rdg.execute;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.capture.Capture;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A frame that fails is reported to the task graph's uncaught handler, once, if nobody looks at any of its events. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnseenFrameFailureTest {
    private final Queue<String> uncaught = new ConcurrentLinkedQueue<>();
    private final TaskGraph tasks = TaskGraph.builder()
            .name("frames")
            .workers(2)
            .uncaughtHandler(
                    (task, failure) -> uncaught.add(task + ": " + failure.getMessage() + ": " + failure.getCause()))
            .build();
    private final FakeDevice device = new FakeDevice(tasks, QueueKind.GRAPHICS);

    private @Nullable RdgReadback readback;

    /** Looks at a frame that fails. */
    private interface Look {
        void at(FrameHandle handle, RdgReadback readback) throws Exception;
    }

    private static Arguments way(String name, Look look) {
        return Arguments.of(name, look);
    }

    /** A raster pass that fails, and what is read back and captured of its target. */
    private FramePlan pictures() {
        RenderGraph graph = new RenderGraph("pictures");
        RdgTexture target = graph.createTexture("target", FakeRig.TARGET);
        graph.addPass("draw", PassKind.RASTER)
                .color(target, LoadOp.CLEAR, FakeRig.CLEAR)
                .record(context -> {
                    throw new IllegalStateException("boom");
                });
        readback = ReadbackPasses.texture(graph, target);
        RdgDiagnostics captures = RdgDiagnostics.none().withCaptures(List.of(Capture.parse("target")));
        return new RenderGraphCompiler(
                        RdgOptions.defaults().withDiagnostics(captures).withPassLimits(1, 1))
                .compile(graph, QueueTopology.of(device), MemorySizer.of(device));
    }

    static Stream<Arguments> waysToSee() {
        return Stream.of(
                way(
                        "recorded",
                        (handle, readback) -> seen(() -> handle.recorded().await())),
                way(
                        "submitted",
                        (handle, readback) -> seen(() -> handle.submitted().await())),
                way(
                        "completed",
                        (handle, readback) -> seen(() -> handle.completed().await())),
                way("isFailed of submitted", (handle, readback) -> {
                    handle.submitted().awaitCompletion();
                    assertThat(handle.submitted().isFailed()).isTrue();
                }),
                way("bytes joined", (handle, readback) -> seen(readback.bytes()::join)),
                way("bytes got", (handle, readback) -> seen(readback.bytes()::get)),
                way(
                        "bytes with a timeout",
                        (handle, readback) -> seen(() -> readback.bytes().get(30, SECONDS))),
                way(
                        "bytes that time out",
                        (handle, readback) -> seen(readback.bytes().orTimeout(30, SECONDS)::join)),
                way("capture", (handle, readback) -> seen(handle.captures().get(0)::join)),
                way("future", (handle, readback) -> seen(handle.completed().toCompletableFuture()::join)));
    }

    private static void seen(ThrowableAssert.ThrowingCallable wait) {
        assertThatThrownBy(wait).hasRootCauseMessage("boom");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("waysToSee")
    void oneThatSomebodySeesIsNot(String way, Look look) throws Exception {
        tasks.start(NamedThread.RHI);
        try (FrameExecutor executor = new FrameExecutor(device, tasks, FrameExecutorOptions.defaults())) {
            FrameHandle handle = executor.execute(pictures());
            look.at(handle, Objects.requireNonNull(readback));
        }
        tasks.close();
        assertThat(uncaught).as(way).isEmpty();
    }

    @Test
    void bytesThatWereAskedForBeforeTheFrameShowItsFailure() {
        tasks.start(NamedThread.RHI);
        try (FrameExecutor executor = new FrameExecutor(device, tasks, FrameExecutorOptions.defaults())) {
            FramePlan plan = pictures();
            CompletableFuture<ByteBuffer> bytes =
                    Objects.requireNonNull(readback).bytes();
            executor.execute(plan);
            seen(bytes::join);
        }
        tasks.close();
        assertThat(uncaught).isEmpty();
    }

    @Test
    void whatIsReadBackAndNotAskedForShowsNothing() {
        tasks.start(NamedThread.RHI);
        try (FrameExecutor executor = new FrameExecutor(device, tasks, FrameExecutorOptions.defaults())) {
            executor.execute(pictures());
        }
        tasks.close();
        assertThat(uncaught).singleElement().asString().contains("recording pass 'draw'", "'pictures'", "boom");
    }

    private FramePlan plan(boolean fails) {
        RenderGraph graph = new RenderGraph("frame");
        for (String name : new String[] {"first", "second"}) {
            RdgBuffer buffer = graph.createBuffer(name, FakeRig.BUFFER);
            graph.addPass(name, PassKind.COPY)
                    .overwrites(buffer, Access.COPY_DST)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> {
                        if (fails && name.equals("second")) {
                            throw new IllegalStateException("boom");
                        }
                    });
        }
        return new RenderGraphCompiler(RdgOptions.defaults().withPassLimits(1, 1))
                .compile(graph, QueueTopology.of(device), MemorySizer.of(device));
    }

    private void execute(Consumer<FrameHandle> look, boolean serial) {
        tasks.start(NamedThread.RHI);
        FrameExecutorOptions options =
                FrameExecutorOptions.defaults().withFramesInFlight(1).withSerialRecording(serial);
        FramePlan fine = plan(false);
        try (FrameExecutor executor = new FrameExecutor(device, tasks, options)) {
            look.accept(executor.execute(plan(true)));
            executor.execute(fine);
            executor.execute(fine);
        }
        tasks.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void oneThatNobodyLooksAtIsReportedOnce(boolean serial) {
        execute(handle -> {}, serial);
        assertThat(uncaught).singleElement().asString().contains("recording pass 'second'", "boom");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void oneWhoseCompletionIsAwaitedIsNot(boolean serial) {
        execute(handle -> assertThatThrownBy(() -> handle.completed().await()).hasRootCauseMessage("boom"), serial);
        assertThat(uncaught).isEmpty();
    }

    @Test
    void oneThatTheDeviceLosesIsReportedOnce() {
        tasks.start(NamedThread.RHI);
        FrameExecutor executor =
                new FrameExecutor(device, tasks, FrameExecutorOptions.defaults().withFramesInFlight(2));
        FramePlan fine = plan(false);
        executor.execute(fine).completed().await();
        device.lose();
        executor.execute(fine);
        executor.close();
        tasks.close();
        assertThat(uncaught).singleElement().asString().contains("the fake device is lost");
    }
}
