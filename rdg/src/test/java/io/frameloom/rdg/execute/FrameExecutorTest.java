package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.DeviceLostException;
import io.frameloom.gpu.LoadOp;
import io.frameloom.gpu.QueueKind;
import io.frameloom.gpu.RenderingInfo.ClearColor;
import io.frameloom.gpu.Submission;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FrameStatistics;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.TextureExtraction;
import io.frameloom.taskgraph.TaskFailedException;
import io.frameloom.taskgraph.TaskGraphClosedException;
import io.frameloom.taskgraph.trace.TraceRecorder;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Frames on a device that executes nothing: what is recorded, submitted, created, and what failures do. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FrameExecutorTest {
    private static final ClearColor BLACK = ClearColor.BLACK_TRANSPARENT;

    /** A raster pass into a transient, and a copy of it into a readback buffer of the application. */
    private static FramePlan rasterAndCopy(FakeRig rig, Buffer result) {
        RenderGraph graph = new RenderGraph("picture");
        RdgTexture target = graph.createTexture("target", FakeRig.TARGET);
        RdgBuffer out = graph.registerExternal(result);
        graph.addPass("draw", PassKind.RASTER)
                .color(target, LoadOp.CLEAR, BLACK)
                .record(context -> {
                    assertThat(context.width()).isEqualTo(64);
                    assertThat(context.height()).isEqualTo(32);
                    context.commands().draw(3, 1, 0, 0);
                });
        graph.addPass("read back", PassKind.COPY)
                .reads(target, Access.COPY_SRC)
                .overwrites(out, Access.COPY_DST)
                .flag(PassFlag.READBACK)
                .record(context ->
                        context.commands().copyTextureToBuffer(context.texture(target), 0, 0, context.buffer(out), 0));
        return rig.compile(graph);
    }

    private static Buffer readback(FakeRig rig) {
        return rig.device.createBuffer("result", BufferDescription.readback(64 * 32 * 4));
    }

    @Test
    void recordsPassesBetweenTheirBarriers() {
        try (FakeRig rig = FakeRig.graphics();
                Buffer result = readback(rig)) {
            rig.executor.execute(rasterAndCopy(rig, result)).completed().await();
            assertThat(rig.device.submissions()).hasSize(1);
            List<String> operations = rig.device.submissions().get(0).operations();
            assertThat(operations)
                    .containsSubsequence(
                            "full barrier",
                            "barrier target UNDEFINED->COLOR",
                            "pass draw",
                            "rendering 64x32",
                            "draw 3",
                            "end rendering",
                            "end",
                            "barrier target COLOR->TRANSFER_SRC",
                            "pass read back",
                            "copy target to result",
                            "end");
            assertThat(operations).startsWith("full barrier").containsOnlyOnce("full barrier");
            assertThat(rig.device.submissions().get(0).submission().lists()).hasSize(2);
        }
    }

    @Test
    void statisticsTellWhatTheFrameTook() {
        try (FakeRig rig = FakeRig.graphics();
                Buffer result = readback(rig)) {
            FramePlan plan = rasterAndCopy(rig, result);
            FrameHandle handle = rig.executor.execute(plan);
            handle.completed().await();
            FrameStatistics statistics = handle.statistics();
            assertThat(statistics.passTimes())
                    .extracting(FrameStatistics.PassTime::pass)
                    .containsExactly("draw", "read back");
            // The fake clock moves by 10 ns per timestamp: four of them in one submission.
            assertThat(statistics.passTimes())
                    .extracting(FrameStatistics.PassTime::nanos)
                    .containsExactly(10L, 10L);
            assertThat(statistics.gpuNanos()).isEqualTo(30);
            assertThat(statistics.tasks()).isEqualTo(2 + 1 + 1);
            assertThat(statistics.passes()).isEqualTo(2);
            assertThat(statistics.barriers()).isEqualTo(plan.barrierCount());
            assertThat(statistics.heapBytes()).isEqualTo(plan.heapBytes()).isPositive();
            assertThat(statistics.recordNanos()).isPositive();
            assertThat(statistics.submitNanos()).isPositive();
        }
    }

    @Test
    void aRepeatedPlanCreatesNothing() {
        try (FakeRig rig = FakeRig.graphics();
                Buffer result = readback(rig)) {
            FramePlan plan = rasterAndCopy(rig, result);
            for (int frame = 0; frame < 3; frame++) {
                rig.executor.execute(plan).completed().await();
            }
            int created = rig.device.created();
            for (int frame = 0; frame < 50; frame++) {
                rig.executor.execute(plan);
            }
            assertThat(rig.device.created()).isEqualTo(created);
        }
    }

    @Test
    void aPlanCompiledAnewFindsItsTransientsAgain() {
        try (FakeRig rig = FakeRig.graphics();
                Buffer result = readback(rig)) {
            for (int frame = 0; frame < 3; frame++) {
                rig.executor.execute(rasterAndCopy(rig, result)).completed().await();
            }
            int created = rig.device.created();
            for (int frame = 0; frame < 50; frame++) {
                rig.executor.execute(rasterAndCopy(rig, result));
            }
            assertThat(rig.device.created()).isEqualTo(created);
        }
    }

    @Test
    void closeFreesEverything() {
        FakeRig rig = FakeRig.graphics();
        try (rig;
                Buffer result = readback(rig)) {
            rig.executor.execute(rasterAndCopy(rig, result));
            rig.executor.execute(rasterAndCopy(rig, result));
            rig.executor.close();
            assertThat(rig.device.open()).containsExactly(result);
            rig.executor.close();
            assertThatThrownBy(() -> rig.executor.execute(rasterAndCopy(rig, result)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }
        rig.device.close();
    }

    @Test
    void waitsForTheSlotAndNotBefore() throws InterruptedException {
        FrameExecutorOptions two = FrameExecutorOptions.defaults().withFramesInFlight(2);
        try (FakeRig rig = new FakeRig(2, two, QueueKind.GRAPHICS);
                Buffer result = readback(rig)) {
            rig.device.setCompletesAtOnce(false);
            FramePlan plan = rasterAndCopy(rig, result);
            FrameHandle first = rig.executor.execute(plan);
            FrameHandle second = rig.executor.execute(plan);
            first.submitted().await();
            second.submitted().await();
            assertThat(first.completed().isComplete()).isFalse();
            AtomicBoolean firstWasComplete = new AtomicBoolean();
            CountDownLatch launched = new CountDownLatch(1);
            Thread render = new Thread(() -> {
                rig.executor.execute(plan);
                firstWasComplete.set(first.completed().isComplete());
                launched.countDown();
            });
            render.start();
            rig.device.completeAll();
            assertThat(launched.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(firstWasComplete).isTrue();
            render.join();
            rig.device.setCompletesAtOnce(true);
            rig.device.completeAll();
        }
    }

    @Test
    void headBatchesWaitForTheFormerFrameOfOtherQueues() {
        try (FakeRig rig = FakeRig.graphicsAndCompute();
                Buffer result = readback(rig)) {
            RenderGraph graph = new RenderGraph("async");
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
                    .record(context ->
                            context.commands().copyBuffer(context.buffer(data), 0, context.buffer(out), 0, 1024));
            FramePlan plan = rig.compile(graph);
            assertThat(plan.batches()).hasSize(2);
            rig.executor.execute(plan).completed().await();
            rig.executor.execute(plan).completed().await();
            List<FakeQueue.Submitted> submissions = rig.device.submissions();
            assertThat(submissions)
                    .extracting(submitted -> submitted.queue() + "@" + submitted.value() + submitted.waits())
                    .containsExactly(
                            "queue1@1[]", "graphics@1[queue1@1]", "queue1@2[graphics@1]", "graphics@2[queue1@2]");
            assertThat(submissions)
                    .allSatisfy(submitted -> assertThat(submitted.operations()).startsWith("full barrier"));
            assertThat(submissions)
                    .extracting(FakeQueue.Submitted::thread)
                    .containsOnly(submissions.get(0).thread());
        }
    }

    @Test
    void whatTheApplicationSubmittedComesBeforeTheFrame() {
        try (FakeRig rig = FakeRig.graphicsAndCompute();
                Buffer uploaded = rig.device.createBuffer("uploaded", FakeRig.BUFFER)) {
            rig.device.queues().get(0).submit(new Submission("upload", List.of(), List.of()));
            RenderGraph graph = new RenderGraph("after upload");
            RdgBuffer data = graph.registerExternal(uploaded);
            graph.addPass("update", PassKind.COMPUTE)
                    .writes(data, Access.STORAGE_READ_WRITE_COMPUTE)
                    .flag(PassFlag.ASYNC_COMPUTE)
                    .record(context -> context.commands().dispatch(1, 1, 1));
            rig.executor.execute(rig.compile(graph)).completed().await();
            assertThat(rig.device.submissions().get(1).queue()).isEqualTo("queue1");
            assertThat(rig.device.submissions().get(1).waits()).containsExactly("graphics@1");
        }
    }

    @Test
    void undeclaredResourceIsRefused() {
        try (FakeRig rig = FakeRig.graphics();
                Buffer result = readback(rig)) {
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

    @Test
    void contextOutsideItsBodyIsRefused() {
        try (FakeRig rig = FakeRig.graphics();
                Buffer result = readback(rig)) {
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
            // The plan promises the final layout to whoever comes next; the passes themselves are not submitted.
            assertThat(rig.device.submissions()).hasSize(1);
            List<String> settled = rig.device.submissions().get(0).operations();
            assertThat(settled).noneMatch(operation -> operation.startsWith("pass"));
            assertThat(settled.get(settled.size() - 1)).endsWith("->" + plan.finalLayout(target));
            broken.set(false);
            FrameHandle next = rig.executor.execute(plan);
            next.completed().await();
            assertThat(next.frame()).isEqualTo(1);
            assertThat(rig.device.submissions()).hasSize(2);
        }
    }

    @Test
    void frameThatFailsHalfWaySubmitsNothingMore() {
        try (FakeRig rig = FakeRig.graphicsAndCompute();
                Buffer result = readback(rig)) {
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
                    .containsExactly("queue1@1");
            broken.set(false);
            rig.executor.execute(plan).completed().await();
            assertThat(rig.device.submissions())
                    .extracting(submitted -> submitted.queue() + "@" + submitted.value() + submitted.waits())
                    .containsExactly("queue1@1[]", "queue1@2[]", "graphics@1[queue1@2]");
        }
    }

    @Test
    void equalTransientsOfOnePlanAreDifferentObjects() {
        try (FakeRig rig = FakeRig.graphics();
                Buffer result = readback(rig)) {
            List<Buffer> seen = new CopyOnWriteArrayList<>();
            RenderGraph graph = new RenderGraph("twins");
            RdgBuffer out = graph.registerExternal(result);
            for (int i = 0; i < 2; i++) {
                RdgBuffer twin = graph.createBuffer("twin", FakeRig.BUFFER);
                graph.addPass("fill", PassKind.COPY)
                        .overwrites(twin, Access.COPY_DST)
                        .record(context -> seen.add(context.buffer(twin)));
                graph.addPass("copy", PassKind.COPY)
                        .reads(twin, Access.COPY_SRC)
                        .writes(out, Access.COPY_DST)
                        .record(context -> {});
            }
            rig.executor.execute(rig.compile(graph)).completed().await();
            assertThat(seen).hasSize(2).doesNotHaveDuplicates();
        }
    }

    @Test
    void traceHasPassesOnTheirQueuesRow() throws IOException {
        TraceRecorder trace = new TraceRecorder();
        FrameExecutorOptions options = FrameExecutorOptions.defaults().withTrace(trace);
        try (FakeRig rig = new FakeRig(1, options, QueueKind.GRAPHICS);
                Buffer result = readback(rig)) {
            rig.executor.execute(rasterAndCopy(rig, result)).completed().await();
            StringWriter json = new StringWriter();
            trace.writeChromeJson(json);
            assertThat(json.toString()).contains("GPU", "graphics", "\"draw\"", "\"read back\"");
        }
    }

    @Test
    void noTimestampsMeansNoTimes() {
        FrameExecutorOptions options = FrameExecutorOptions.defaults().withCollectTimestamps(false);
        try (FakeRig rig = new FakeRig(1, options, QueueKind.GRAPHICS);
                Buffer result = readback(rig)) {
            FrameHandle handle = rig.executor.execute(rasterAndCopy(rig, result));
            handle.completed().await();
            assertThat(handle.statistics().passTimes()).isEmpty();
            assertThat(handle.statistics().gpuNanos()).isZero();
        }
    }

    @Test
    void lostDeviceFailsFramesAndCloses() {
        FakeRig rig = FakeRig.graphics();
        try (rig;
                Buffer result = readback(rig)) {
            rig.device.setCompletesAtOnce(false);
            FramePlan plan = rasterAndCopy(rig, result);
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
        Buffer result = readback(rig);
        FramePlan plan = rasterAndCopy(rig, result);
        rig.executor.execute(plan).completed().await();
        rig.tasks.close();
        assertThatThrownBy(() -> rig.executor.execute(plan)).isInstanceOf(TaskGraphClosedException.class);
        rig.executor.close();
        assertThat(rig.device.open()).containsExactly(result);
    }

    @Test
    void taskGraphClosedWithAFrameOnTheDeviceStillCloses() {
        FakeRig rig = FakeRig.graphics();
        Buffer result = readback(rig);
        rig.device.setCompletesAtOnce(false);
        FrameHandle handle = rig.executor.execute(rasterAndCopy(rig, result));
        handle.submitted().await();
        rig.tasks.close();
        assertThatThrownBy(() -> handle.completed().await()).isInstanceOf(TaskFailedException.class);
        rig.executor.close();
        assertThat(rig.device.open()).containsExactly(result);
    }

    @Test
    void closeWaitsForFramesInFlight() throws InterruptedException {
        FakeRig rig = FakeRig.graphics();
        Buffer result = readback(rig);
        rig.device.setCompletesAtOnce(false);
        FrameHandle handle = rig.executor.execute(rasterAndCopy(rig, result));
        handle.submitted().await();
        AtomicBoolean completeAtClose = new AtomicBoolean();
        Thread closing = new Thread(() -> {
            rig.executor.close();
            completeAtClose.set(handle.completed().isComplete());
        });
        closing.start();
        rig.device.completeAll();
        closing.join();
        assertThat(completeAtClose).isTrue();
        rig.tasks.close();
    }

    @Test
    void extractedTextureBelongsToTheCaller() {
        try (FakeRig rig = FakeRig.graphics()) {
            RenderGraph graph = new RenderGraph("keep");
            RdgTexture target = graph.createTexture("history", FakeRig.TARGET);
            TextureExtraction extraction = graph.extract(target, Access.SAMPLED_FRAGMENT);
            graph.addPass("draw", PassKind.RASTER)
                    .color(target, LoadOp.CLEAR, BLACK)
                    .record(context -> {});
            FramePlan plan = rig.compile(graph);
            FrameHandle handle = rig.executor.execute(plan);
            Texture kept = extraction.texture();
            handle.completed().await();
            assertThat(kept.placement()).isNull();
            assertThatThrownBy(() -> rig.executor.execute(plan))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("history");
            rig.executor.close();
            assertThat(rig.device.open()).containsExactly(kept);
        }
    }

    @Test
    void closedExternalIsRefused() {
        try (FakeRig rig = FakeRig.graphics()) {
            Buffer result = readback(rig);
            FramePlan plan = rasterAndCopy(rig, result);
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
                Buffer result = readback(two)) {
            FramePlan plan = rasterAndCopy(two, result);
            assertThatThrownBy(() -> one.executor.execute(plan))
                    .isInstanceOf(RdgException.class)
                    .hasMessageContaining("QueueTopology.of");
        }
    }

    @Test
    void planWithoutPassesCompletes() {
        try (FakeRig rig = FakeRig.graphics()) {
            FrameHandle handle = rig.executor.execute(rig.compile(new RenderGraph("empty")));
            handle.completed().await();
            assertThat(handle.recorded().isComplete()).isTrue();
            assertThat(handle.statistics().passes()).isZero();
            assertThat(rig.device.submissions()).isEmpty();
        }
    }

    @Test
    void neverParallelPassesAreRecordedByTheCaller() {
        try (FakeRig rig = FakeRig.graphics();
                Buffer result = readback(rig)) {
            AtomicReference<Thread> recorder = new AtomicReference<>();
            RenderGraph graph = new RenderGraph("serial");
            RdgBuffer out = graph.registerExternal(result);
            graph.addPass("fill", PassKind.COPY)
                    .overwrites(out, Access.COPY_DST)
                    .flag(PassFlag.NEVER_PARALLEL)
                    .record(context -> recorder.set(Thread.currentThread()));
            rig.executor.execute(rig.compile(graph)).completed().await();
            assertThat(recorder.get()).isSameAs(Thread.currentThread());
        }
    }

    @Test
    void serialRecordingSubmitsTheSame() {
        List<String> parallel = operations(FrameExecutorOptions.defaults());
        List<String> serial = operations(FrameExecutorOptions.defaults().withSerialRecording(true));
        assertThat(serial).isEqualTo(parallel).isNotEmpty();
    }

    private static List<String> operations(FrameExecutorOptions options) {
        try (FakeRig rig = new FakeRig(2, options, QueueKind.GRAPHICS);
                Buffer result = readback(rig)) {
            rig.executor.execute(rasterAndCopy(rig, result)).completed().await();
            return rig.device.submissions().get(0).operations();
        }
    }

    @Test
    void twoThreadsAtOnceAreRefused() throws InterruptedException {
        try (FakeRig rig = FakeRig.graphics();
                Buffer result = readback(rig)) {
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
