package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.present.SwapchainImage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Resource;
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
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgSetupTask;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.TextureExtraction;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.diagnostics.Breakpoint;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.diagnostics.RdgListener;
import io.frameloom.rdg.diagnostics.RdgWatch;
import io.frameloom.rdg.utility.ClearPasses;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A frame is launched whole or not at all; either way it ends, and everybody who waits for it is told. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FrameLaunchTest {
    private final RefusingScheduler scheduler = new RefusingScheduler();
    private final List<String> uncaught = Collections.synchronizedList(new ArrayList<>());
    private final TaskGraph tasks = TaskGraph.builder()
            .name("tight")
            .workers(2)
            .scheduler(scheduler)
            .uncaughtHandler((task, failure) -> uncaught.add(task + ": " + failure))
            .build();
    private final FakeDevice device = new FakeDevice(tasks, QueueKind.GRAPHICS, QueueKind.COMPUTE);

    private FramePlan compile(RenderGraph graph, RdgOptions options) {
        return new RenderGraphCompiler(options).compile(graph, QueueTopology.of(device), MemorySizer.of(device));
    }

    private FramePlan compile(RenderGraph graph) {
        return compile(graph, RdgOptions.defaults().withPassLimits(1, 1));
    }

    /** Two batches of two queues, a picture on screen, a group that the caller records, and bytes for the host. */
    private record Everything(FramePlan plan, RdgReadback readback, TextureExtraction made) {}

    private Everything everything(SwapchainImage image, AtomicInteger recorded) {
        RenderGraph graph = new RenderGraph("frame");
        RdgBuffer data = graph.createBuffer("data", FakeRig.BUFFER);
        graph.addPass("simulate", PassKind.COMPUTE)
                .overwrites(data, Access.STORAGE_WRITE_COMPUTE)
                .flag(PassFlag.ASYNC_COMPUTE)
                .record(context -> recorded.incrementAndGet());
        RdgTexture made = graph.createTexture("made", FakeRig.TARGET);
        graph.addPass("draw", PassKind.RASTER)
                .reads(data, Access.STORAGE_READ_FRAGMENT)
                .color(made, LoadOp.CLEAR, FakeRig.CLEAR)
                .color(graph.registerExternal(image), LoadOp.CLEAR, FakeRig.CLEAR)
                .flag(PassFlag.NEVER_PARALLEL)
                .record(context -> recorded.incrementAndGet());
        RdgReadback readback = ReadbackPasses.texture(graph, made);
        TextureExtraction extraction = graph.extract(made, Access.SAMPLED_FRAGMENT);
        return new Everything(compile(graph), readback, extraction);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "record simulate",
                "frame 0 recorded",
                "submit frame queue1 #0",
                "submit frame graphics #1",
                "frame 0 completed"
            })
    void whatCannotBeDispatchedEndsTheFrame(String refused) {
        tasks.start(NamedThread.RHI);
        FrameExecutor executor =
                new FrameExecutor(device, tasks, FrameExecutorOptions.defaults().withFramesInFlight(1));
        try {
            FakeSwapchain chain = new FakeSwapchain(device, "chain", 2);
            SwapchainImage image = chain.next();
            // A worker may still record for the first frame when the second one begins.
            Everything first = everything(image, new AtomicInteger());
            scheduler.refuse(refused);
            assertThatThrownBy(
                            () -> executor.execute(first.plan, FrameSync.none().presenting(image)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(refused);
            first.made.recycle();
            // The image is still the application's, and the next frame is whole.
            AtomicInteger recorded = new AtomicInteger();
            Everything second = everything(image, recorded);
            FrameHandle next = executor.execute(second.plan, FrameSync.none().presenting(image));
            next.completed().await();
            assertThat(first.readback.bytes()).isCompletedExceptionally();
            assertThat(second.readback.bytes()).isCompleted();
            assertThat(recorded).hasValue(2);
            assertThat(chain.presented()).containsExactly(0);
            assertThat(device.submissions()).hasSize(2);
            second.made.texture().close();
            executor.close();
            assertThat(device.open()).isEmpty();
        } finally {
            tasks.close();
        }
        assertThat(uncaught).as("the call has thrown it").isEmpty();
    }

    /** The last task of a frame cannot wait for one of two passes of the host, and waits for the other one all the same. */
    @Test
    void aFrameEndsBehindItsPassesOfTheHostAlthoughOneCannotBeWaitedFor() {
        tasks.start(NamedThread.RHI);
        try (FrameExecutor executor = new FrameExecutor(device, tasks, FrameExecutorOptions.defaults())) {
            CountDownLatch running = new CountDownLatch(1);
            CompletableFuture<GraphEvent> completed = new CompletableFuture<>();
            AtomicBoolean early = new AtomicBoolean();
            RenderGraph graph = new RenderGraph("frame");
            graph.hostPass("first").flag(PassFlag.NEVER_CULL).run(context -> {
                running.countDown();
                early.set(completes(completed.get()));
            });
            graph.hostPass("second").flag(PassFlag.NEVER_CULL).run(context -> {});
            scheduler.refuseToHoldBack("frame 0 on the device", () -> await(running));
            FrameHandle frame = executor.execute(compile(graph));
            completed.complete(frame.completed());
            assertThatThrownBy(() -> frame.completed().await()).hasStackTraceContaining("refused 'frame 0");
            assertThat(early).isFalse();
        } finally {
            tasks.close();
        }
    }

    private static boolean completes(GraphEvent event) throws Exception {
        try {
            event.toCompletableFuture().get(300, TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException failed) {
            return true;
        } catch (TimeoutException pending) {
            return false;
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /** The pass of a frame before is at work meanwhile, and the one of the refused frame is behind it. */
    @ParameterizedTest
    @ValueSource(strings = {"arm frame host #0", "frame host #0", "arm frame host #1", "frame 1 completed"})
    void passesOfTheHostOfARefusedFrameDoNotRun(String refused) {
        tasks.start(NamedThread.RHI);
        CountDownLatch over = new CountDownLatch(1);
        try {
            List<String> ran = Collections.synchronizedList(new ArrayList<>());
            FrameExecutor executor = new FrameExecutor(device, tasks, FrameExecutorOptions.defaults());
            FrameHandle before = executor.execute(compile(onHost("before", ran, over::await)));
            FramePlan plan = compile(onHost("refused", ran, () -> {}));
            scheduler.refuse(refused);
            assertThatThrownBy(() -> executor.execute(plan))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(refused);
            FrameHandle next = executor.execute(compile(onHost("next", ran, () -> {})));
            over.countDown();
            next.completed().await();
            before.completed().await();
            executor.close();
            assertThat(ran).containsExactly("before 1", "before 2", "next 1", "next 2");
            assertThat(device.open()).isEmpty();
        } finally {
            over.countDown();
            tasks.close();
        }
    }

    /** What a pass of the host does besides being noted. */
    private interface Work {
        void run() throws Exception;
    }

    private static RenderGraph onHost(String name, List<String> ran, Work work) {
        RenderGraph graph = new RenderGraph("frame");
        for (int pass = 1; pass <= 2; pass++) {
            String noted = name + " " + pass;
            graph.hostPass("pass " + pass).flag(PassFlag.NEVER_CULL).run(context -> {
                work.run();
                ran.add(noted);
            });
        }
        return graph;
    }

    /** What the frame that was not launched would have waited for, the next one waits for. */
    @Test
    void theNextFrameWaitsForWhatTheRefusedOneWouldHave() {
        tasks.start(NamedThread.RHI);
        try (Buffer shared = device.createBuffer("shared", FakeRig.BUFFER)) {
            FrameExecutor executor = new FrameExecutor(device, tasks, FrameExecutorOptions.defaults());
            executor.execute(writing(shared, PassFlag.ASYNC_COMPUTE))
                    .completed()
                    .await();
            device.setCompletesAtOnce(false);
            executor.execute(writing(shared, PassFlag.ASYNC_COMPUTE));
            FramePlan behind = writing(shared, PassFlag.NEVER_CULL);
            scheduler.refuse("submit frame graphics #0");
            assertThatThrownBy(() -> executor.execute(behind)).isInstanceOf(IllegalStateException.class);
            executor.execute(behind).submitted().await();
            assertThat(device.submissions())
                    .extracting(submitted -> submitted.queue() + "@" + submitted.value() + submitted.waits())
                    .containsExactly("queue1@1[]", "queue1@2[]", "graphics@1[queue1@2]");
            device.completeAll();
            executor.close();
        } finally {
            tasks.close();
        }
    }

    private FramePlan writing(Buffer shared, PassFlag flag) {
        RenderGraph graph = new RenderGraph("frame");
        RdgBuffer data = graph.registerExternal(shared);
        graph.addPass("write", PassKind.COMPUTE)
                .overwrites(data, Access.STORAGE_WRITE_COMPUTE)
                .flag(flag, PassFlag.NEVER_CULL)
                .record(context -> {});
        return compile(graph);
    }

    @Test
    void aSinkThatThrowsStopsItsFrameOnly() {
        tasks.start(NamedThread.RHI);
        FramePipeline pipeline =
                new FramePipeline(device, tasks, FrameExecutorOptions.defaults().withFramesInFlight(1));
        RenderGraph graph = new RenderGraph("frame");
        RdgTexture made = graph.createTexture("made", FakeRig.TARGET);
        graph.extract(made, Access.SAMPLED_FRAGMENT);
        ClearPasses.texture(graph, made, FakeRig.CLEAR);
        FramePlan plan = compile(graph);
        int index = made.index();
        List<String> told = new ArrayList<>();
        assertThatThrownBy(() -> pipeline.execute(CompiledPlan.of(plan), FrameSync.none(), frame -> {
                    Resource texture = Objects.requireNonNull(frame.resource(index));
                    frame.whenSettled(failure -> told.add(texture + ": " + failure));
                    frame.whenSettled(failure -> pipeline.recycle(texture, frame));
                    throw new IllegalStateException("no place for it");
                }))
                .hasMessage("no place for it");
        assertThat(told).singleElement().asString().contains("no place for it");
        assertThat(pipeline.poolStatistics().idle()).isEqualTo(1);
        List<Resource> taken = new ArrayList<>();
        Frame next = pipeline.execute(
                CompiledPlan.of(plan),
                FrameSync.none(),
                frame -> taken.add(Objects.requireNonNull(frame.resource(index))));
        next.completed().await();
        assertThat(next.number()).isZero();
        taken.forEach(Resource::close);
        pipeline.close();
        assertThat(device.open()).isEmpty();
        tasks.close();
    }

    private static RenderGraph behind(RenderGraph graph, RdgSetupTask setup, Runnable body) {
        graph.addPass("first", PassKind.COMPUTE)
                .flag(PassFlag.NEVER_CULL, PassFlag.NEVER_PARALLEL)
                .after(setup)
                .record(context -> body.run());
        graph.addPass("second", PassKind.COMPUTE)
                .flag(PassFlag.NEVER_CULL, PassFlag.NEVER_PARALLEL)
                .record(context -> body.run());
        return graph;
    }

    /** The setup task waits for the main queue of the thread that waits for the setup task to record behind it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSetupTaskThatWaitsForTheCallerFailsTheFrame(boolean serial) {
        try (FakeRig rig =
                new FakeRig(2, FrameExecutorOptions.defaults().withSerialRecording(serial), QueueKind.GRAPHICS)) {
            rig.tasks.attach(NamedThread.RENDER);
            RenderGraph graph = new RenderGraph("frame");
            RdgSetupTask cull = graph.setupTask(
                    rig.tasks,
                    "cull",
                    () -> rig.tasks
                            .task("camera", () -> {})
                            .on(NamedThread.RENDER)
                            .dispatch()
                            .await());
            AtomicInteger recorded = new AtomicInteger();
            FrameHandle frame = rig.executor.execute(rig.compile(behind(graph, cull, recorded::incrementAndGet)));
            assertThatThrownBy(() -> frame.completed().await())
                    .cause()
                    .isInstanceOf(RdgException.class)
                    .hasMessageContainingAll(
                            "'first'", "plan 'frame'", "'cull'", "can never be recorded", "camera", "must not wait");
            assertThat(recorded).hasValue(0);
            rig.tasks.processUntilIdle(NamedThread.RENDER);
            cull.event().await();
            rig.tasks.detach(NamedThread.RENDER);
        }
    }

    /** What only the application knows of is told, and the wait goes on. */
    @Test
    void aSetupTaskThatDoesNotEndIsTold() {
        try (FakeRig rig =
                new FakeRig(2, FrameExecutorOptions.defaults().withSerialRecording(true), QueueKind.GRAPHICS)) {
            CountDownLatch camera = new CountDownLatch(1);
            List<String> told = new ArrayList<>();
            RdgListener listener = new RdgListener() {
                @Override
                public void reached(Breakpoint moment, String graph, String subject) {}

                @Override
                public void transition(String graph, String line) {}

                @Override
                public void notSetUp(String graph, String message) {
                    told.add(graph + ": " + message);
                    camera.countDown();
                }
            };
            RenderGraph graph = new RenderGraph("frame");
            RdgSetupTask cull = graph.setupTask(rig.tasks, "cull", camera::await);
            AtomicInteger recorded = new AtomicInteger();
            RdgOptions options = RdgOptions.defaults()
                    .withDiagnostics(
                            RdgDiagnostics.none().withWatch(RdgWatch.none().withListener(listener)));
            rig.executor
                    .execute(rig.compile(behind(graph, cull, recorded::incrementAndGet), options))
                    .completed()
                    .await();
            assertThat(told)
                    .singleElement()
                    .asString()
                    .contains("frame: ", "'cull'", "still waits for setup tasks", "must not wait");
            assertThat(recorded).hasValue(2);
        }
    }
}
