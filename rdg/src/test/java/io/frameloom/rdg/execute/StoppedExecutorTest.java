package io.frameloom.rdg.execute;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.QueueKind;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgSetupTask;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.capture.Capture;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.utility.ClearPasses;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.TaskGraphClosedException;
import io.frameloom.taskgraph.TaskGraphStoppedException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a frame executor and the futures of its frames do when their task graph stops or is closed under them. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StoppedExecutorTest {
    private final RefusingScheduler scheduler = new RefusingScheduler();
    private final TaskGraph tasks = TaskGraph.builder()
            .name("stopped")
            .workers(2)
            .scheduler(scheduler)
            .uncaughtHandler((task, failure) -> {})
            .build();
    private final FakeDevice device = new FakeDevice(tasks, QueueKind.GRAPHICS);
    private final FrameExecutor executor =
            new FrameExecutor(device, tasks, FrameExecutorOptions.defaults().withFramesInFlight(1));

    @AfterEach
    void nothingIsLeftOpen() {
        assertThat(device.open()).isEmpty();
    }

    private FramePlan compile(RenderGraph graph, RdgOptions options) {
        return new RenderGraphCompiler(options).compile(graph, QueueTopology.of(device), MemorySizer.of(device));
    }

    private static void assertStopped(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(TaskGraphStoppedException.class)
                .hasCauseInstanceOf(OutOfMemoryError.class);
    }

    /** The frame has its slot, is neither launched nor over, and may have failed by itself before. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFrameThatWasHalfDispatchedIsFollowedByNone(boolean failsBefore) {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        RenderGraph graph = new RenderGraph("frame");
        graph.addPass("long", PassKind.COMPUTE).flag(PassFlag.NEVER_CULL).record(context -> {
            begun.countDown();
            if (failsBefore) {
                throw new IllegalArgumentException("made to fail");
            }
            await(over);
        });
        graph.addPass("short", PassKind.COMPUTE)
                .flag(PassFlag.NEVER_CULL, PassFlag.NEVER_PARALLEL)
                .record(context -> {});
        FramePlan plan = compile(graph, RdgOptions.defaults().withPassLimits(1, 1));
        scheduler.stop(SchedulingPoint.DISPATCH, "frame 0 recorded", () -> await(begun));
        try {
            assertStopped(() -> executor.execute(plan));
            assertStopped(() -> executor.execute(plan));
            assertStopped(executor::beginFrame);
        } finally {
            over.countDown();
        }
        assertStopped(executor::close);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private static RdgReadback declare(RenderGraph graph) {
        RdgTexture target = graph.createTexture("target", FakeRig.TARGET);
        ClearPasses.texture(graph, target, FakeRig.CLEAR);
        return ReadbackPasses.texture(graph, target);
    }

    /** It is no setup task that waits for this thread. */
    @Test
    void aWaitForASetupTaskDoesNotHideTheError() {
        CountDownLatch over = new CountDownLatch(1);
        RenderGraph graph = new RenderGraph("frame");
        RdgReadback readback = declare(graph);
        RdgSetupTask setup = graph.setupTask(tasks, "setup", over::await);
        graph.addPass("pass", PassKind.COMPUTE)
                .flag(PassFlag.NEVER_CULL, PassFlag.NEVER_PARALLEL)
                .after(setup)
                .record(context -> {});
        FramePlan plan = compile(graph, RdgOptions.defaults().withPassLimits(1, 1));
        scheduler.stop(SchedulingPoint.REGISTER, "setup tasks of frame 0", () -> {});
        try {
            assertStopped(() -> executor.execute(plan));
        } finally {
            over.countDown();
        }
        assertStopped(executor::close);
        assertFailed(readback.bytes(), TaskGraphStoppedException.class);
    }

    private static void assertFailed(CompletableFuture<?> future, Class<? extends Exception> failure) {
        assertThatThrownBy(() -> future.get(30, SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(failure);
    }

    /** What depends on a future that the last task of a frame would fulfil, which does not run. */
    private List<CompletableFuture<?>> dependents() {
        RenderGraph graph = new RenderGraph("frame");
        RdgReadback readback = declare(graph);
        CompletableFuture<?> askedBefore = readback.bytes().thenApply(bytes -> bytes);
        FrameHandle frame = executor.execute(compile(
                graph,
                RdgOptions.defaults()
                        .withDiagnostics(RdgDiagnostics.none().withCaptures(List.of(Capture.parse("target"))))));
        CompletableFuture<?> askedAfter = readback.bytes().thenApply(bytes -> bytes);
        CompletableFuture<?> captured = frame.captures().get(0).thenApply(picture -> picture);
        List<CompletableFuture<?>> dependents = List.of(askedBefore, askedAfter, captured);
        assertThat(dependents).noneMatch(CompletableFuture::isDone);
        return dependents;
    }

    @Test
    void whatDependsOnAReadbackEndsWhenTheGraphStops() {
        List<CompletableFuture<?>> dependents = dependents();
        scheduler.stop(SchedulingPoint.DISPATCH, "broken", () -> {});
        assertStopped(() -> tasks.task("broken", () -> {}).dispatch());
        dependents.forEach(dependent -> assertFailed(dependent, TaskGraphStoppedException.class));
        assertStopped(executor::close);
    }

    @Test
    void whatDependsOnAReadbackEndsWhenTheGraphIsClosed() {
        List<CompletableFuture<?>> dependents = dependents();
        tasks.close();
        dependents.forEach(dependent -> assertFailed(dependent, TaskGraphClosedException.class));
        executor.close();
    }
}
