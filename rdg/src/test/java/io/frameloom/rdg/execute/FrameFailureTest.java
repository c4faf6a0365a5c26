package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskFailedException;
import io.frameloom.taskgraph.TaskGraphClosedException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Failures of bodies, devices and callers: what they reach, and what goes on. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FrameFailureTest {
    private static final ClearColor BLACK = ClearColor.BLACK_TRANSPARENT;

    @Test
    void undeclaredResourceIsRefused() {
        try (FakeRig rig = FakeRig.graphics();
                Buffer result = rig.readback()) {
            RenderGraph graph = new RenderGraph("sloppy");
            RdgBuffer data = graph.createBuffer("data", FakeRig.BUFFER);
            RdgBuffer out = graph.registerExternal(result);
            graph.addPass("fill", PassKind.COPY)
                    .overwrites(data, Access.COPY_DST)
                    .record(context -> context.commands().fillBuffer(context.buffer(data), 0, 1024, 1));
            graph.addPass("copy", PassKind.COPY)
                    .reads(data, Access.COPY_SRC)
                    .overwrites(out, Access.COPY_DST)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> {});
            graph.addPass("thief", PassKind.COPY)
                    .writes(out, Access.COPY_DST)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> context.buffer(data));
            FrameHandle handle = rig.executor.execute(rig.compile(graph));
            assertThatThrownBy(() -> handle.completed().await())
                    .isInstanceOf(TaskFailedException.class)
                    .hasRootCauseInstanceOf(RdgException.class)
                    .rootCause()
                    .hasMessageContaining("'thief'")
                    .hasMessageContaining("'data'");
            assertThatThrownBy(handle::statistics).isInstanceOf(IllegalStateException.class);
        }
    }

    /** Passes that fail at the same time, each as given. */
    private static RenderGraph failing(RuntimeException... failures) {
        RenderGraph graph = new RenderGraph("broken");
        CountDownLatch all = new CountDownLatch(failures.length);
        for (int i = 0; i < failures.length; i++) {
            RuntimeException failure = failures[i];
            graph.addPass("pass " + i, PassKind.COPY)
                    .overwrites(graph.createBuffer("data " + i, FakeRig.BUFFER), Access.COPY_DST)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> {
                        all.countDown();
                        awaitLatch(all);
                        throw failure;
                    });
        }
        return graph;
    }

    /** How often a message stands in what is printed of a failure. */
    private static int count(String message, GraphEvent event) {
        StringWriter trace = new StringWriter();
        catchThrowable(event::await).printStackTrace(new PrintWriter(trace));
        return trace.toString().split(message, -1).length - 1;
    }

    private static void told(String message, FrameHandle frame) {
        assertThat(count(message, frame.recorded())).as("recorded").isOne();
        assertThat(count(message, frame.submitted())).as("submitted").isOne();
        assertThat(count(message, frame.completed())).as("completed").isOne();
    }

    @Test
    void whatABodyThrowsIsPrintedOnce() {
        try (FakeRig rig = FakeRig.graphics()) {
            FrameHandle frame = rig.executor.execute(rig.compile(failing(new IllegalStateException("no mesh"))));
            told("no mesh", frame);
            assertThat(catchThrowable(frame.completed()::await))
                    .isInstanceOf(TaskFailedException.class)
                    .cause()
                    .isInstanceOf(RdgException.class)
                    .hasMessage("recording pass 'pass 0' of plan 'broken' (frame 0) failed")
                    .hasNoSuppressedExceptions()
                    .cause()
                    .hasMessage("no mesh")
                    .hasNoCause()
                    .hasNoSuppressedExceptions();
        }
    }

    @Test
    void passesThatFailTogetherArePrintedOnceEach() {
        try (FakeRig rig = FakeRig.graphics()) {
            FrameHandle frame = rig.executor.execute(
                    rig.compile(failing(new IllegalStateException("no mesh"), new IllegalStateException("no light"))));
            told("no mesh", frame);
            told("no light", frame);
        }
    }

    @Test
    void passesThatFailForTheSameReasonAreOneFailure() {
        try (FakeRig rig = FakeRig.graphics()) {
            RuntimeException reason = new IllegalStateException("no camera");
            FrameHandle frame = rig.executor.execute(rig.compile(failing(reason, reason)));
            told("no camera", frame);
            assertThat(catchThrowable(frame.completed()::await).getCause()).hasNoSuppressedExceptions();
        }
    }

    @Test
    void contextOutsideItsBodyIsRefused() {
        try (FakeRig rig = FakeRig.graphics();
                Buffer result = rig.readback()) {
            AtomicReference<PassContext> kept = new AtomicReference<>();
            RenderGraph graph = new RenderGraph("leaky");
            RdgBuffer out = graph.registerExternal(result);
            graph.addPass("fill", PassKind.COPY)
                    .overwrites(out, Access.COPY_DST)
                    .record(kept::set);
            rig.executor.execute(rig.compile(graph)).completed().await();
            assertThatThrownBy(() -> Objects.requireNonNull(kept.get()).commands())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("inside its pass body");
        }
    }

    /** The application may have filled what the frame was to use: its layout is changed behind that alone. */
    @Test
    void barriersOfAFailedFrameFollowWhatTheApplicationSubmitted() {
        try (FakeRig rig = FakeRig.graphicsAndCompute();
                Texture picture = rig.device.createTexture("picture", FakeRig.TARGET)) {
            RenderGraph graph = new RenderGraph("fragile");
            RdgTexture target = graph.registerExternal(picture, TextureLayout.TRANSFER_DST);
            graph.finalAccess(target, Access.SAMPLED_FRAGMENT);
            graph.addPass("draw", PassKind.RASTER)
                    .color(target, LoadOp.LOAD, BLACK)
                    .record(context -> {
                        throw new IllegalArgumentException("no mesh");
                    });
            FramePlan plan = rig.compile(graph);
            TimelinePoint upload = rig.device.queues().get(1).submit(new Submission("upload", List.of(), List.of()));
            assertThatThrownBy(() -> rig.executor.execute(plan).completed().await())
                    .hasRootCauseMessage("no mesh");
            Submission barriers = rig.device.submissions().get(1).submission();
            assertThat(barriers.waits()).extracting(Submission.Wait::point).containsExactly(upload);
        }
    }

    @Test
    void failingBodyFailsItsFrameOnly() {
        try (FakeRig rig = FakeRig.graphics();
                Texture picture = rig.device.createTexture("picture", FakeRig.TARGET)) {
            AtomicBoolean broken = new AtomicBoolean(true);
            RenderGraph graph = new RenderGraph("fragile");
            RdgTexture target = graph.registerExternal(picture, TextureLayout.UNDEFINED);
            graph.finalAccess(target, Access.SAMPLED_FRAGMENT);
            graph.addPass("draw", PassKind.RASTER)
                    .color(target, LoadOp.CLEAR, BLACK)
                    .record(context -> {
                        if (broken.get()) {
                            throw new IllegalArgumentException("no mesh");
                        }
                    });
            FramePlan plan = rig.compile(graph);
            FrameHandle failed = rig.executor.execute(plan);
            assertThatThrownBy(() -> failed.recorded().await())
                    .hasMessageContaining("'draw'")
                    .hasRootCauseMessage("no mesh");
            assertThatThrownBy(() -> failed.submitted().await()).hasRootCauseMessage("no mesh");
            assertThatThrownBy(() -> failed.completed().await())
                    .hasRootCauseMessage("no mesh")
                    .cause()
                    .isInstanceOf(RdgException.class)
                    .hasMessageContaining("'draw'");
            // The next frame finds the final layout; the pass itself is not submitted.
            assertThat(rig.device.submissions()).hasSize(1);
            List<String> barriers = rig.device.submissions().get(0).operations();
            assertThat(barriers).noneMatch(operation -> operation.startsWith("pass"));
            assertThat(barriers.get(barriers.size() - 1)).endsWith("->" + plan.finalLayout(target));
            broken.set(false);
            FrameHandle next = rig.executor.execute(plan);
            next.completed().await();
            assertThat(next.frame()).isEqualTo(1);
            assertThat(rig.device.submissions()).hasSize(2);
        }
    }

    @Test
    void frameThatFailsHalfWaySubmitsNoMorePasses() {
        try (FakeRig rig = FakeRig.graphicsAndCompute();
                Buffer result = rig.readback()) {
            AtomicBoolean broken = new AtomicBoolean(true);
            RenderGraph graph = new RenderGraph("half");
            RdgBuffer data = graph.createBuffer("data", FakeRig.BUFFER);
            RdgBuffer out = graph.registerExternal(result);
            graph.addPass("simulate", PassKind.COMPUTE)
                    .overwrites(data, Access.STORAGE_WRITE_COMPUTE)
                    .flag(PassFlag.ASYNC_COMPUTE)
                    .record(context -> context.commands().dispatch(1, 1, 1));
            graph.addPass("read back", PassKind.COPY)
                    .reads(data, Access.COPY_SRC)
                    .overwrites(out, Access.COPY_DST)
                    .flag(PassFlag.READBACK)
                    .record(context -> {
                        if (broken.get()) {
                            awaitLatch(rig.device.firstSubmission());
                            throw new IllegalArgumentException("no buffer");
                        }
                    });
            FramePlan plan = rig.compile(graph);
            FrameHandle failed = rig.executor.execute(plan);
            assertThatThrownBy(() -> failed.completed().await()).hasRootCauseMessage("no buffer");
            assertThat(rig.device.submissions())
                    .extracting(submitted -> submitted.queue() + "@" + submitted.value())
                    .containsExactly("queue1@1", "graphics@1");
            assertThat(rig.device.submissions().get(1).operations())
                    .noneMatch(operation -> operation.startsWith("pass"));
            broken.set(false);
            rig.executor.execute(plan).completed().await();
            assertThat(rig.device.submissions())
                    .extracting(submitted -> submitted.queue() + "@" + submitted.value() + submitted.waits())
                    .containsExactly(
                            "queue1@1[]",
                            "graphics@1[queue1@1]",
                            "queue1@2[graphics@1, queue1@1]",
                            "graphics@2[queue1@2, graphics@1]");
        }
    }

    @Test
    void frameWhoseBarriersAreRefusedStillEndsWithItsLastSubmission() {
        try (FakeRig rig = FakeRig.graphicsAndCompute();
                Texture picture = rig.device.createTexture("picture", FakeRig.TARGET)) {
            rig.device.setCompletesAtOnce(false);
            RenderGraph graph = new RenderGraph("half");
            RdgBuffer data = graph.createBuffer("data", FakeRig.BUFFER);
            RdgTexture target = graph.registerExternal(picture, TextureLayout.UNDEFINED);
            graph.finalAccess(target, Access.SAMPLED_FRAGMENT);
            graph.addPass("simulate", PassKind.COMPUTE)
                    .overwrites(data, Access.STORAGE_WRITE_COMPUTE)
                    .flag(PassFlag.ASYNC_COMPUTE)
                    .record(context -> context.commands().dispatch(1, 1, 1));
            graph.addPass("draw", PassKind.RASTER)
                    .reads(data, Access.STORAGE_READ_FRAGMENT)
                    .color(target, LoadOp.CLEAR, BLACK)
                    .record(context -> {
                        awaitLatch(rig.device.firstSubmission());
                        rig.device.queue(0).refuseNext(new GpuException("no memory for the barriers"));
                        throw new IllegalArgumentException("no mesh");
                    });
            FrameHandle failed = rig.executor.execute(rig.compile(graph));
            assertThatThrownBy(() -> failed.submitted().await()).hasRootCauseMessage("no mesh");
            assertThat(rig.device.submissions())
                    .extracting(FakeQueue.Submitted::queue)
                    .containsExactly("queue1");
            assertThat(rig.device.queue(1).awaited()).containsExactly(1L);
            rig.device.completeAll();
            assertThatThrownBy(() -> failed.completed().await())
                    .hasRootCauseMessage("no mesh")
                    .cause()
                    .satisfies(failure -> assertThat(failure.getSuppressed())
                            .extracting(Throwable::getMessage)
                            .containsExactly("no memory for the barriers"));
        }
    }

    @Test
    void boundaryWaitOfARefusedSubmissionIsMadeByTheNext() {
        try (FakeRig rig = FakeRig.graphicsAndCompute();
                Buffer result = rig.readback()) {
            RenderGraph graph = new RenderGraph("compute only");
            RdgBuffer data = graph.createBuffer("data", FakeRig.BUFFER);
            graph.addPass("simulate", PassKind.COMPUTE)
                    .overwrites(data, Access.STORAGE_WRITE_COMPUTE)
                    .flag(PassFlag.ASYNC_COMPUTE)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> context.commands().dispatch(1, 1, 1));
            rig.executor.execute(rig.compile(graph)).completed().await();
            FramePlan picture = rig.rasterAndCopy(result);
            rig.device.queue(0).refuseNext(new GpuException("no memory for the submission"), 2);
            FrameHandle refused = rig.executor.execute(picture);
            assertThatThrownBy(() -> refused.completed().await()).hasRootCauseMessage("no memory for the submission");
            rig.executor.execute(picture).completed().await();
            rig.executor.execute(picture).completed().await();
            assertThat(rig.device.submissions())
                    .extracting(submitted -> submitted.queue() + "@" + submitted.value() + submitted.waits())
                    .containsExactly("queue1@1[]", "graphics@1[queue1@1]", "graphics@2[]");
        }
    }

    @Test
    void frameThatCannotBeginKeepsWhatItExtractedForTheNext() {
        FrameExecutorOptions options =
                FrameExecutorOptions.defaults().withFramesInFlight(1).withCollectTimestamps(true);
        try (FakeRig rig = new FakeRig(1, options, QueueKind.GRAPHICS)) {
            rig.device.refuseTimestamps();
            assertThatThrownBy(() -> rig.executor.execute(rig.compile(extracting(1))))
                    .hasMessageContaining("no timestamps");
            assertThat(rig.device.open()).filteredOn(Texture.class::isInstance).hasSize(1);
            runAndClose(rig, extracting(1));
            assertThat(rig.executor.poolStatistics().reused()).isEqualTo(1);
            // More passes take a larger set of timestamps than the slot has.
            rig.device.refuseTimestamps();
            assertThatThrownBy(() -> rig.executor.execute(rig.compile(extracting(3))))
                    .hasMessageContaining("no timestamps");
            assertThat(rig.device.open()).filteredOn(Texture.class::isInstance).hasSize(3);
            runAndClose(rig, extracting(2));
        }
    }

    private static void runAndClose(FakeRig rig, RenderGraph graph) {
        rig.executor.execute(rig.compile(graph)).completed().await();
        rig.device.open().stream()
                .filter(Texture.class::isInstance)
                .map(Texture.class::cast)
                .toList()
                .forEach(Texture::close);
    }

    private static RenderGraph extracting(int passes) {
        RenderGraph graph = new RenderGraph("extracting");
        for (int i = 0; i < passes; i++) {
            RdgTexture made = graph.createTexture("made " + i, FakeRig.TARGET);
            graph.extract(made, Access.SAMPLED_FRAGMENT);
            graph.addPass("draw " + i, PassKind.RASTER)
                    .color(made, LoadOp.CLEAR, BLACK)
                    .record(context -> {});
        }
        return graph;
    }

    @Test
    void lostDeviceFailsFramesAndCloses() {
        FakeRig rig = FakeRig.graphics();
        try (rig;
                Buffer result = rig.readback()) {
            rig.device.setCompletesAtOnce(false);
            FramePlan plan = rig.rasterAndCopy(result);
            FrameHandle pending = rig.executor.execute(plan);
            pending.submitted().await();
            rig.device.lose();
            FrameHandle after = rig.executor.execute(plan);
            assertThatThrownBy(() -> pending.completed().await()).hasRootCauseInstanceOf(DeviceLostException.class);
            assertThatThrownBy(() -> after.submitted().await()).hasRootCauseInstanceOf(DeviceLostException.class);
            assertThatThrownBy(() -> after.completed().await()).hasRootCauseInstanceOf(DeviceLostException.class);
            rig.executor.close();
            assertThat(rig.device.open()).containsExactly(result);
        }
    }

    @Test
    void closedTaskGraphIsAClearError() {
        FakeRig rig = FakeRig.graphics();
        Buffer result = rig.readback();
        FramePlan plan = rig.rasterAndCopy(result);
        rig.executor.execute(plan).completed().await();
        rig.tasks.close();
        assertThatThrownBy(() -> rig.executor.execute(plan)).isInstanceOf(TaskGraphClosedException.class);
        rig.executor.close();
        assertThat(rig.device.open()).containsExactly(result);
    }

    @Test
    void taskGraphClosedWithAFrameOnTheDeviceStillCloses() {
        FakeRig rig = FakeRig.graphics();
        Buffer result = rig.readback();
        rig.device.setCompletesAtOnce(false);
        FrameHandle handle = rig.executor.execute(rig.rasterAndCopy(result));
        handle.submitted().await();
        rig.tasks.close();
        assertThatThrownBy(() -> handle.completed().await()).isInstanceOf(TaskFailedException.class);
        rig.executor.close();
        assertThat(rig.device.open()).containsExactly(result);
    }

    @Test
    void closedExternalIsRefused() {
        try (FakeRig rig = FakeRig.graphics()) {
            Buffer result = rig.readback();
            FramePlan plan = rig.rasterAndCopy(result);
            rig.executor.execute(plan).completed().await();
            result.close();
            assertThatThrownBy(() -> rig.executor.execute(plan))
                    .isInstanceOf(RdgException.class)
                    .hasMessageContaining("'result'")
                    .hasMessageContaining("closed");
        }
    }

    @Test
    void planForOtherQueuesIsRefused() {
        try (FakeRig one = FakeRig.graphics();
                FakeRig two = FakeRig.graphicsAndCompute();
                Buffer result = two.readback()) {
            FramePlan plan = two.rasterAndCopy(result);
            assertThatThrownBy(() -> one.executor.execute(plan))
                    .isInstanceOf(RdgException.class)
                    .hasMessageContaining("QueueTopology.of");
        }
    }

    @Test
    void twoThreadsAtOnceAreRefused() throws InterruptedException {
        try (FakeRig rig = FakeRig.graphics();
                Buffer result = rig.readback()) {
            CountDownLatch inside = new CountDownLatch(1);
            CountDownLatch leave = new CountDownLatch(1);
            RenderGraph graph = new RenderGraph("slow");
            RdgBuffer out = graph.registerExternal(result);
            graph.addPass("hold", PassKind.COPY)
                    .overwrites(out, Access.COPY_DST)
                    .flag(PassFlag.NEVER_PARALLEL)
                    .record(context -> {
                        inside.countDown();
                        awaitLatch(leave);
                    });
            FramePlan plan = rig.compile(graph);
            Thread other = new Thread(() -> rig.executor.execute(plan), "other");
            other.start();
            assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
            assertThatThrownBy(() -> rig.executor.execute(plan))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'other'");
            leave.countDown();
            other.join();
        }
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            if (!latch.await(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("latch was not released");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
