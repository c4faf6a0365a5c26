package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FrameStatistics;
import io.frameloom.rdg.FrameSync;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.TextureExtraction;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.utility.ClearPasses;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.trace.TraceRecorder;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames on a device that executes nothing: what is recorded, submitted, created, and what failures do. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FrameExecutorTest {
    private static final ClearColor BLACK = ClearColor.BLACK_TRANSPARENT;

    @Test
    void recordsPassesBetweenTheirBarriers() {
        try (FakeRig rig = FakeRig.graphics();
                Buffer result = rig.readback()) {
            rig.executor.execute(rig.rasterAndCopy(result)).completed().await();
            assertThat(rig.device.submissions()).hasSize(1);
            List<String> operations = rig.device.submissions().get(0).operations();
            assertThat(operations)
                    .containsSubsequence(
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
            assertThat(operations).startsWith("barrier target UNDEFINED->COLOR").doesNotContain("full barrier");
            assertThat(rig.device.submissions().get(0).submission().lists()).hasSize(2);
        }
    }

    @Test
    void anExecutorCompilesAndGetsThePlanOfAnEqualGraphAgain() {
        try (FakeRig rig = FakeRig.graphics()) {
            List<FramePlan> plans = new ArrayList<>();
            AtomicInteger recorded = new AtomicInteger();
            for (int frame = 0; frame < 2; frame++) {
                RenderGraph graph = new RenderGraph("frame " + frame);
                graph.addPass("pass", PassKind.COMPUTE, context -> recorded.incrementAndGet());
                plans.add(rig.executor.compile(graph));
                rig.executor.run(graph).completed().await();
            }
            assertThat(recorded).hasValue(2);
            assertThat(CompiledPlan.of(plans.get(1)).shape())
                    .isSameAs(CompiledPlan.of(plans.get(0)).shape());
        }
    }

    @Test
    void statisticsTellWhatTheFrameTook() {
        try (FakeRig rig = FakeRig.graphics();
                Buffer result = rig.readback()) {
            FramePlan plan = rig.rasterAndCopy(result);
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

    /** What nobody has asked for yet is kept when the next frame writes over it. */
    @Test
    void statisticsAreOfTheirFrameAlsoWhenItsSlotIsTaken() {
        FrameExecutorOptions options = FrameExecutorOptions.defaults().withFramesInFlight(1);
        try (FakeRig rig = new FakeRig(1, options, QueueKind.GRAPHICS);
                Buffer result = rig.readback()) {
            FrameHandle first = rig.executor.execute(rig.rasterAndCopy(result));
            FrameHandle second = rig.executor.execute(rig.rasterAndCopy(result));
            second.completed().await();
            FrameStatistics statistics = first.statistics();
            FrameStatistics.PassTime last = statistics.passTimes().get(1);
            assertThat(statistics.frame()).isZero();
            assertThat(last.startNanos() + last.nanos())
                    .isLessThan(second.statistics().passTimes().get(0).startNanos());
            assertThat(first.statistics()).isSameAs(statistics);
        }
    }

    /** The only worker is busy: the thread that submits or one of the device completes the frame. */
    @Test
    void aFrameAtWhoseEndNothingRunsNeedsNoWorker() {
        FrameExecutorOptions serial = FrameExecutorOptions.defaults().withSerialRecording(true);
        try (FakeRig rig = new FakeRig(1, serial, QueueKind.GRAPHICS);
                Buffer result = rig.readback()) {
            GraphEvent begun = rig.tasks.event("begun");
            GraphEvent over = rig.tasks.event("over");
            GraphEvent hog = rig.tasks
                    .task("hog", () -> {
                        begun.trigger();
                        over.await();
                    })
                    .dispatch();
            begun.await();
            rig.executor.execute(rig.rasterAndCopy(result)).completed().await();
            over.trigger();
            hog.await();
        }
    }

    @Test
    void aFrameWithoutTimestampsHasStatistics() {
        try (FakeRig rig = new FakeRig(
                        2, FrameExecutorOptions.defaults().withCollectTimestamps(false), QueueKind.GRAPHICS);
                Buffer result = rig.readback()) {
            FrameHandle handle = rig.executor.execute(rig.rasterAndCopy(result));
            handle.completed().await();
            FrameStatistics statistics = handle.statistics();
            assertThat(statistics.passTimes()).isEmpty();
            assertThat(statistics.tasks()).isEqualTo(2 + 1 + 1);
            assertThat(statistics.recordNanos()).isPositive();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFailedFrameHasNoStatistics(boolean timestamps) {
        try (FakeRig rig =
                new FakeRig(2, FrameExecutorOptions.defaults().withCollectTimestamps(timestamps), QueueKind.GRAPHICS)) {
            RenderGraph graph = new RenderGraph("failing");
            graph.addPass("fails", PassKind.COMPUTE).flag(PassFlag.NEVER_CULL).record(context -> {
                throw new IllegalStateException("on purpose");
            });
            FrameHandle handle = rig.executor.execute(rig.compile(graph));
            assertThatThrownBy(() -> handle.completed().await()).hasRootCauseMessage("on purpose");
            assertThatThrownBy(handle::statistics)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageEndingWith("has failed and has no statistics");
        }
    }

    @Test
    void aRepeatedPlanCreatesNothing() {
        try (FakeRig rig = FakeRig.graphics();
                Buffer result = rig.readback()) {
            FramePlan plan = rig.rasterAndCopy(result);
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
                Buffer result = rig.readback()) {
            for (int frame = 0; frame < 3; frame++) {
                rig.executor.execute(rig.rasterAndCopy(result)).completed().await();
            }
            int created = rig.device.created();
            for (int frame = 0; frame < 50; frame++) {
                rig.executor.execute(rig.rasterAndCopy(result));
            }
            assertThat(rig.device.created()).isEqualTo(created);
        }
    }

    @Test
    void closeFreesEverything() {
        FakeRig rig = FakeRig.graphics();
        try (rig;
                Buffer result = rig.readback()) {
            rig.executor.execute(rig.rasterAndCopy(result));
            rig.executor.execute(rig.rasterAndCopy(result));
            rig.executor.close();
            assertThat(rig.device.open()).containsExactly(result);
            rig.executor.close();
            assertThatThrownBy(() -> rig.executor.execute(rig.rasterAndCopy(result)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }
        rig.device.close();
    }

    @Test
    void waitsForTheSlotAndNotBefore() throws InterruptedException {
        FrameExecutorOptions two = FrameExecutorOptions.defaults().withFramesInFlight(2);
        try (FakeRig rig = new FakeRig(2, two, QueueKind.GRAPHICS);
                Buffer result = rig.readback()) {
            rig.device.setCompletesAtOnce(false);
            FramePlan plan = rig.rasterAndCopy(result);
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
    void batchesWaitForTheFormerFrameOfOtherQueuesWhereTheyUseTheSame() {
        try (FakeRig rig = FakeRig.graphicsAndCompute();
                Buffer result = rig.readback()) {
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
            assertThat(submissions.get(2).operations()).startsWith("pass simulate");
            assertThat(submissions.get(3).operations()).startsWith("pass read back");
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

    /** An update of a buffer of the application on the queue for compute. */
    private static FramePlan update(FakeRig rig, Buffer external) {
        RenderGraph graph = new RenderGraph("update");
        RdgBuffer data = graph.registerExternal(external);
        graph.addPass("update", PassKind.COMPUTE)
                .writes(data, Access.STORAGE_READ_WRITE_COMPUTE)
                .flag(PassFlag.ASYNC_COMPUTE)
                .record(context -> context.commands().dispatch(1, 1, 1));
        return rig.compile(graph);
    }

    private static TimelinePoint upload(FakeRig rig) {
        return rig.device.queues().get(0).submit(new Submission("upload", List.of(), List.of()));
    }

    @Test
    void aFrameThatNamesWhatItNeedsWaitsForNothingElseOfTheApplication() {
        try (FakeRig rig = FakeRig.graphicsAndCompute();
                Buffer external = rig.device.createBuffer("external", FakeRig.BUFFER)) {
            FramePlan plan = update(rig, external);
            TimelinePoint needed = upload(rig);
            TimelinePoint streamed = upload(rig);
            rig.executor
                    .execute(plan, FrameSync.none().after(List.of(needed)))
                    .completed()
                    .await();
            rig.executor
                    .execute(plan, FrameSync.none().after(List.of()))
                    .completed()
                    .await();
            rig.executor
                    .execute(plan, FrameSync.none().after(List.of(streamed, needed)))
                    .completed()
                    .await();
            rig.executor
                    .execute(plan, FrameSync.none().after(List.of(streamed)))
                    .completed()
                    .await();
            upload(rig);
            rig.executor.execute(plan).completed().await();
            assertThat(rig.device.submissions())
                    .filteredOn(submitted -> submitted.queue().equals("queue1"))
                    .extracting(FakeQueue.Submitted::waits)
                    .containsExactly(
                            List.of("graphics@1"), List.of(), List.of("graphics@2"), List.of(), List.of("graphics@3"));
        }
    }

    @Test
    void whatAFrameWithoutBatchesWaitsForComesBeforeTheNext() {
        try (FakeRig rig = FakeRig.graphicsAndCompute();
                Buffer external = rig.device.createBuffer("external", FakeRig.BUFFER)) {
            TimelinePoint needed = upload(rig);
            FramePlan empty = rig.compile(new RenderGraph("empty"));
            rig.executor
                    .execute(empty, FrameSync.none().after(List.of(needed)))
                    .completed()
                    .await();
            rig.executor
                    .execute(update(rig, external), FrameSync.none().after(List.of()))
                    .completed()
                    .await();
            assertThat(rig.device.submissions().get(1).waits()).containsExactly("graphics@1");
        }
    }

    @Test
    void aPointThatCannotBeWaitedForIsRefusedBeforeAnythingIsLaunched() {
        try (FakeRig rig = FakeRig.graphicsAndCompute();
                FakeRig other = FakeRig.graphics();
                Buffer external = rig.device.createBuffer("external", FakeRig.BUFFER)) {
            FramePlan plan = update(rig, external);
            TimelinePoint foreign = upload(other);
            assertThatThrownBy(() -> rig.executor.execute(plan, FrameSync.none().after(List.of(foreign))))
                    .isInstanceOf(RdgException.class)
                    .hasMessageContaining("plan 'update'")
                    .hasMessageContaining("another device");
            TimelinePoint future = new TimelinePoint(rig.device.queues().get(0), 1);
            assertThatThrownBy(() -> rig.executor.execute(plan, FrameSync.none().after(List.of(future))))
                    .isInstanceOf(RdgException.class)
                    .hasMessageContaining("value 1 of queue 'graphics'");
            assertThat(rig.device.submissions()).isEmpty();
            rig.executor
                    .execute(plan, FrameSync.none().after(List.of()))
                    .completed()
                    .await();
            assertThat(rig.device.submissions()).hasSize(1);
        }
    }

    @Test
    void equalTransientsOfOnePlanAreDifferentObjects() {
        try (FakeRig rig = FakeRig.graphics();
                Buffer result = rig.readback()) {
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
                Buffer result = rig.readback()) {
            FrameHandle frame = rig.executor.execute(rig.rasterAndCopy(result));
            frame.completed().await();
            assertThat(frame.statistics().passTimes()).hasSize(2);
            StringWriter json = new StringWriter();
            trace.writeChromeJson(json);
            assertThat(json.toString()).contains("GPU", "graphics", "\"draw\"", "\"read back\"");
        }
    }

    @Test
    void noTimestampsMeansNoTimes() {
        FrameExecutorOptions options = FrameExecutorOptions.defaults().withCollectTimestamps(false);
        try (FakeRig rig = new FakeRig(1, options, QueueKind.GRAPHICS);
                Buffer result = rig.readback()) {
            FrameHandle handle = rig.executor.execute(rig.rasterAndCopy(result));
            handle.completed().await();
            assertThat(handle.statistics().passTimes()).isEmpty();
            assertThat(handle.statistics().gpuNanos()).isZero();
        }
    }

    @Test
    void aDriverThatHoldsTimesBackDelaysNoFrame() {
        try (FakeRig rig = FakeRig.graphics()) {
            CountDownLatch idle = rig.device.holdTimestamps();
            RenderGraph graph = new RenderGraph("frame");
            RdgTexture target = graph.createTexture("target", FakeRig.TARGET);
            ClearPasses.texture(graph, target, BLACK);
            RdgReadback readback = ReadbackPasses.texture(graph, target);
            FrameHandle frame = rig.executor.execute(rig.compile(graph));
            frame.completed().await();
            assertThat(readback.bytes()).isCompleted();
            idle.countDown();
            assertThat(frame.statistics().passTimes()).hasSize(2);
        }
    }

    @Test
    void timesThatADriverHoldsBackKeepNoWorkerFromLaterFrames() {
        FrameExecutorOptions options = FrameExecutorOptions.defaults().withFramesInFlight(3);
        try (FakeRig rig = new FakeRig(1, options, QueueKind.GRAPHICS);
                Buffer result = rig.readback()) {
            CountDownLatch idle = rig.device.holdTimestamps();
            FramePlan plan = rig.rasterAndCopy(result);
            List<FrameHandle> frames = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                frames.add(rig.executor.execute(plan));
                frames.get(i).completed().await();
            }
            idle.countDown();
            assertThat(frames)
                    .allSatisfy(
                            frame -> assertThat(frame.statistics().passTimes()).hasSize(2));
        }
    }

    @Test
    void timesThatNobodyAskedForAreThereWhenTheSlotHasAnotherFrame() {
        FrameExecutorOptions options = FrameExecutorOptions.defaults().withFramesInFlight(1);
        FrameHandle first;
        FrameHandle last;
        try (FakeRig rig = new FakeRig(1, options, QueueKind.GRAPHICS);
                Buffer result = rig.readback()) {
            FramePlan plan = rig.rasterAndCopy(result);
            first = rig.executor.execute(plan);
            last = rig.executor.execute(plan);
        }
        assertThat(first.statistics().passTimes()).hasSize(2);
        assertThat(last.statistics().passTimes()).hasSize(2);
        assertThat(last.statistics()).isSameAs(last.statistics());
    }

    @Test
    void closeWaitsForFramesInFlight() throws InterruptedException {
        FakeRig rig = FakeRig.graphics();
        Buffer result = rig.readback();
        rig.device.setCompletesAtOnce(false);
        FrameHandle handle = rig.executor.execute(rig.rasterAndCopy(result));
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
                Buffer result = rig.readback()) {
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
                Buffer result = rig.readback()) {
            rig.executor.execute(rig.rasterAndCopy(result)).completed().await();
            return rig.device.submissions().get(0).operations();
        }
    }
}
