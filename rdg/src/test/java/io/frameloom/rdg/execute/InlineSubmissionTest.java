package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.present.SwapchainImage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.rdg.BufferHistory;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FrameSync;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.utility.ClearPasses;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.TaskGraphClosedException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Frames that the thread that executes plans records and submits. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InlineSubmissionTest {
    private static final FrameExecutorOptions INLINE =
            FrameExecutorOptions.defaults().withSerialRecording(true).withInlineSubmission(true);

    private final Queue<String> uncaught = new ConcurrentLinkedQueue<>();
    private final RefusingScheduler scheduler = new RefusingScheduler();
    private final TaskGraph tasks = TaskGraph.builder()
            .name("inline")
            .workers(1)
            .scheduler(scheduler)
            .uncaughtHandler((task, failure) -> uncaught.add(task + ": " + failure.getMessage()))
            .build();
    private final FakeDevice device = new FakeDevice(tasks, QueueKind.GRAPHICS);
    private final FrameExecutor executor = new FrameExecutor(device, tasks, INLINE);

    private FramePlan plan(String name, Runnable body) {
        RenderGraph graph = new RenderGraph(name);
        RdgBuffer buffer = graph.createBuffer("buffer", FakeRig.BUFFER);
        graph.addPass("fill", PassKind.COPY)
                .overwrites(buffer, Access.COPY_DST)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> body.run());
        return compile(graph);
    }

    private FramePlan plan(String name) {
        return plan(name, () -> {});
    }

    private FramePlan compile(RenderGraph graph) {
        return new RenderGraphCompiler(RdgOptions.defaults())
                .compile(graph, QueueTopology.of(device), MemorySizer.of(device));
    }

    /** Submissions by the calling thread as "c", others as "s", with the first word of their label. */
    private String trace() {
        String caller = Thread.currentThread().getName();
        return device.submissions().stream()
                .map(each -> (each.thread().equals(caller) ? "c:" : "s:")
                        + each.submission().label().split(" ", -1)[0])
                .collect(Collectors.joining(" "));
    }

    private void close() {
        executor.close();
        tasks.close();
        assertThat(device.open()).isEmpty();
    }

    /** The only worker, which completes the frame with a readback, is busy. */
    @Test
    void framesCompleteInOrderThoughALaterOneNeedsNoWorker() {
        GraphEvent over = tasks.event("over");
        GraphEvent begun = tasks.event("begun");
        GraphEvent hog = tasks.task("hog", () -> {
                    begun.trigger();
                    over.await();
                })
                .dispatch();
        begun.await();
        assertThat(executor.execute(plan("alone")).completed().isComplete()).isTrue();
        RenderGraph graph = new RenderGraph("read");
        RdgBuffer buffer = graph.createBuffer("buffer", FakeRig.BUFFER);
        ClearPasses.buffer(graph, buffer, 7);
        RdgReadback read = ReadbackPasses.buffer(graph, buffer);
        FrameHandle first = executor.execute(compile(graph));
        FrameHandle second = executor.execute(plan("after"));
        assertThat(first.completed().isComplete()).isFalse();
        assertThat(second.completed().isComplete()).isFalse();
        over.trigger();
        second.completed().await();
        assertThat(first.completed().isComplete()).isTrue();
        assertThat(read.bytes().join().hasRemaining()).isTrue();
        hog.await();
        close();
    }

    /** No thread is attached to RHI. */
    @Test
    void aFrameNeedsNoOtherThread() {
        for (int frame = 0; frame < 5; frame++) {
            FrameHandle handle = executor.execute(plan("f" + frame));
            assertThat(handle.recorded().isComplete()).isTrue();
            assertThat(handle.submitted().isComplete()).isTrue();
            assertThat(handle.completed().isComplete()).isTrue();
            assertThat(handle.points()).hasSize(1);
            assertThat(handle.statistics().frame()).isEqualTo(frame);
        }
        assertThat(trace()).isEqualTo("c:f0 c:f1 c:f2 c:f3 c:f4");
        close();
        assertThat(uncaught).isEmpty();
    }

    @Test
    void aThreadOfTheDeviceWaitsOnlyForFramesThatSomebodyAsksFor() {
        device.setCompletesAtOnce(false);
        FrameHandle first = executor.execute(plan("first"));
        FrameHandle second = executor.execute(plan("second"));
        assertThat(device.queue(0).awaited()).as("nobody has asked").isEmpty();
        GraphEvent completed = second.completed();
        assertThat(device.queue(0).awaited()).containsExactly(2L);
        assertThat(completed.isComplete()).isFalse();
        device.completeAll();
        assertThat(completed.isComplete()).isTrue();
        assertThat(first.completed().isComplete())
                .as("asked for when it is over")
                .isTrue();
        assertThat(device.queue(0).awaited()).isEmpty();
        close();
        assertThat(uncaught).isEmpty();
    }

    @Test
    void aHistoryAsksForNoFrameAndFreesWhatNoneUses() {
        BufferHistory history = new BufferHistory(device, "particles", Access.STORAGE_READ_COMPUTE, 7);
        executor.execute(compile(withHistory(history, 64)));
        device.completeAll();
        device.setCompletesAtOnce(false);
        executor.execute(compile(withHistory(history, 64)));
        executor.execute(compile(withHistory(history, 128)));
        executor.execute(compile(withHistory(history, 128)));
        assertThat(halves()).as("a frame that is not over uses the old ones").isEqualTo(4);
        device.completeAll();
        executor.execute(compile(withHistory(history, 128)));
        assertThat(halves()).isEqualTo(2);
        assertThat(device.queue(0).awaited()).isEmpty();
        device.completeAll();
        history.close();
        close();
    }

    private long halves() {
        return device.open().stream()
                .filter(each -> each instanceof Buffer buffer && buffer.name().startsWith("particles "))
                .count();
    }

    private static RenderGraph withHistory(BufferHistory history, int bytes) {
        RenderGraph graph = new RenderGraph("frame");
        BufferHistory.Frame halves =
                graph.history(history, BufferDescription.device(bytes, BufferUsage.STORAGE, BufferUsage.COPY_DST));
        graph.addPass("write", PassKind.COPY)
                .overwrites(halves.current(), Access.COPY_DST)
                .record(context -> {});
        return graph;
    }

    @Test
    void aFrameIsOverAlsoIfItIsAskedForWhenTheTaskGraphIsClosed() {
        FrameHandle frame = executor.execute(plan("frame"));
        close();
        assertThat(frame.completed().isComplete()).isTrue();
        assertThat(frame.completed().isFailed()).isFalse();
    }

    @Test
    void aLossThatNobodyHasSeenFailsTheFrameThatIsAskedFor() {
        device.setCompletesAtOnce(false);
        FrameHandle frame = executor.execute(plan("frame"));
        device.lose();
        assertThatThrownBy(() -> frame.completed().await()).hasRootCauseInstanceOf(DeviceLostException.class);
        executor.close();
        tasks.close();
    }

    /** A frame without its tie to the timelines would never end. */
    @Test
    void aFrameIsTiedToTheDeviceWhoeverComesFirst() {
        tasks.start(NamedThread.RHI);
        FrameExecutor elsewhere = new FrameExecutor(device, tasks, INLINE.withInlineSubmission(false));
        FramePlan plan = plan("frame");
        for (int frame = 0; frame < 2_000; frame++) {
            FrameHandle handle = elsewhere.execute(plan);
            for (int look = 0; look < frame % 64; look++) {
                Thread.onSpinWait();
            }
            handle.completed().await();
        }
        elsewhere.close();
        close();
        assertThat(uncaught).isEmpty();
    }

    @Test
    void framesThatMayBlockAndThoseAfterThemKeepTheOrder() {
        FakeSwapchain chain = new FakeSwapchain(device, "chain", 2);
        SwapchainImage image = chain.next();
        RenderGraph shown = new RenderGraph("shown");
        shown.addPass("draw", PassKind.RASTER)
                .color(shown.registerExternal(image), LoadOp.CLEAR, FakeRig.CLEAR)
                .record(context -> {});
        RenderGraph host = new RenderGraph("host");
        host.hostPass("work").flag(PassFlag.NEVER_CULL).run(context -> {});
        executor.execute(plan("first"));
        executor.execute(compile(shown), FrameSync.none().presenting(image));
        FrameHandle behind = executor.execute(plan("behind"));
        assertThat(trace()).isEqualTo("c:first");
        assertThat(behind.submitted().isComplete())
                .as("its predecessor is not submitted")
                .isFalse();
        tasks.start(NamedThread.RHI);
        behind.completed().await();
        executor.execute(plan("again"));
        executor.execute(compile(host)).completed().await();
        executor.execute(plan("last"));
        assertThat(trace()).isEqualTo("c:first s:shown s:behind c:again c:last");
        close();
        chain.close();
    }

    @Test
    void whatIsRecordedElsewhereIsSubmittedElsewhere() {
        tasks.start(NamedThread.RHI);
        FrameExecutor parallel = new FrameExecutor(device, tasks, INLINE.withSerialRecording(false));
        RenderGraph graph = new RenderGraph("frame");
        for (String name : List.of("one", "two")) {
            graph.addPass(name, PassKind.COPY)
                    .overwrites(graph.createBuffer(name, FakeRig.BUFFER), Access.COPY_DST)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> {});
        }
        parallel.execute(new RenderGraphCompiler(RdgOptions.defaults().withPassLimits(1, 1))
                        .compile(graph, QueueTopology.of(device), MemorySizer.of(device)))
                .completed()
                .await();
        assertThat(trace()).isEqualTo("s:frame");
        parallel.close();
        close();
    }

    @Test
    void aFrameCompletesWhenTheDeviceHasDoneIt() {
        device.setCompletesAtOnce(false);
        FrameHandle frame = executor.execute(plan("frame"));
        assertThat(frame.submitted().isComplete()).isTrue();
        assertThat(frame.completed().isComplete()).isFalse();
        assertThatThrownBy(frame::statistics).hasMessageContaining("not completed");
        device.completeAll();
        assertThat(frame.completed().isComplete())
                .as("no worker had to do anything")
                .isTrue();
        assertThat(frame.statistics()).isNotNull();
        device.setCompletesAtOnce(true);
        close();
    }

    @Test
    void whatIsReadBackIsThereOnCompletion() {
        RenderGraph graph = new RenderGraph("pictures");
        var target = graph.createTexture("target", FakeRig.TARGET);
        ClearPasses.texture(graph, target, FakeRig.CLEAR);
        RdgReadback readback = ReadbackPasses.texture(graph, target);
        executor.execute(compile(graph)).completed().await();
        assertThat(readback.bytes()).isCompleted();
        assertThat(trace()).isEqualTo("c:pictures");
        close();
    }

    @Test
    void aBodyThatThrowsFailsItsFrameOnly() {
        FramePlan broken = plan("broken", () -> {
            throw new IllegalStateException("boom");
        });
        FrameHandle frame = executor.execute(broken);
        for (var event : List.of(frame.recorded(), frame.submitted(), frame.completed())) {
            assertThatThrownBy(event::await)
                    .cause()
                    .hasMessage("recording pass 'fill' of plan 'broken' (frame 0) failed")
                    .hasNoSuppressedExceptions()
                    .hasRootCauseMessage("boom");
        }
        FrameHandle next = executor.execute(plan("next"));
        next.completed().await();
        assertThat(next.recorded().isFailed()).isFalse();
        executor.execute(broken);
        assertThat(trace()).as("of broken ones the barriers").isEqualTo("c:broken c:next c:broken");
        close();
        assertThat(uncaught)
                .as("the one that nobody saw")
                .singleElement()
                .asString()
                .contains("'broken' (frame 2)");
    }

    @Test
    void aRefusedSubmissionFailsTheFrameAndNotItsRecording() {
        device.queue(0).refuseNext(new GpuException("no memory"), 2);
        FrameHandle frame = executor.execute(plan("frame"));
        frame.recorded().await();
        assertThatThrownBy(() -> frame.submitted().await()).hasRootCauseMessage("no memory");
        assertThatThrownBy(() -> frame.completed().await()).hasRootCauseMessage("no memory");
        executor.execute(plan("next")).completed().await();
        close();
    }

    @Test
    void aLossAfterTheSubmissionIsTheFramesFailure() {
        device.setCompletesAtOnce(false);
        FrameHandle lost = executor.execute(plan("lost"));
        device.lose();
        assertThatThrownBy(() -> lost.completed().await()).hasRootCauseInstanceOf(DeviceLostException.class);
        assertThatThrownBy(lost::statistics).hasMessageContaining("has failed");
        close();
        assertThat(uncaught).isEmpty();
    }

    /** Freeing the slot looks at no event, so the loss is reported. */
    @Test
    void aLossThatNobodySeesIsReportedOnce() {
        device.setCompletesAtOnce(false);
        executor.execute(plan("lost"));
        device.lose();
        close();
        assertThat(uncaught).singleElement().asString().contains("the fake device is lost");
    }

    /** The event of the frame fails when the task graph closes; the device may still use the frame's memory. */
    @Test
    void closingTheTaskGraphDoesNotReleaseTheFrame() throws InterruptedException {
        device.setCompletesAtOnce(false);
        FrameHandle frame = executor.execute(plan("frame"));
        Thread waits =
                new Thread(() -> assertThatThrownBy(() -> frame.completed().await()));
        waits.start();
        tasks.close();
        assertThatThrownBy(() -> executor.execute(plan("next"))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(frame::statistics).isInstanceOf(IllegalStateException.class);
        executor.close();
        waits.join();
        assertThat(device.open()).isEmpty();
    }

    @Test
    void nothingIsRecordedOfAFrameThatTheTaskGraphRefuses() {
        executor.execute(plan("first"));
        scheduler.refuse("frame 1 completed");
        RenderGraph graph = new RenderGraph("refused");
        var target = graph.createTexture("target", FakeRig.TARGET);
        ClearPasses.texture(graph, target, FakeRig.CLEAR);
        RdgReadback readback = ReadbackPasses.texture(graph, target);
        assertThatThrownBy(() -> executor.execute(compile(graph))).hasMessage("refused 'frame 1 completed'");
        assertThat(readback.bytes()).isCompletedExceptionally();
        executor.execute(plan("next")).completed().await();
        assertThat(trace()).isEqualTo("c:first c:next");
        close();
    }

    @Test
    void aClosedTaskGraphExecutesNothing() {
        tasks.close();
        assertThatThrownBy(() -> executor.execute(plan("late"))).isInstanceOf(TaskGraphClosedException.class);
        assertThat(trace()).isEmpty();
        executor.close();
    }
}
