package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FrameStatistics;
import io.frameloom.rdg.HostContext;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.PlanPolicy;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgSetupTask;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.VirtualDevices;
import io.frameloom.rdg.WaitStageScope;
import io.frameloom.rdg.diagnostics.PlanWarning;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.taskgraph.TaskFailedException;
import java.io.IOException;
import java.nio.ReadOnlyBufferException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames with passes of the host, on the virtual GPU and on a Vulkan driver with validation where there is one. */
class HostFramesTest {
    @ParameterizedTest
    @EnumSource
    void everyFrameGoesToTheHostAndBack(TestDevice device) {
        device.run(HostFrames::everyFrameGoesToTheHostAndBack);
    }

    @ParameterizedTest
    @EnumSource
    void everyFrameGoesToTheHostAndBackFromOneThread(TestDevice device) {
        device.run(
                FrameExecutorOptions.defaults().withSerialRecording(true), HostFrames::everyFrameGoesToTheHostAndBack);
    }

    @ParameterizedTest
    @EnumSource
    void everyFrameGoesToTheHostAndBackWhenEachPassIsWaitedFor(TestDevice device) {
        device.run(RdgDiagnostics.none().withSerialise(true), HostFrames::everyFrameGoesToTheHostAndBack);
    }

    @ParameterizedTest
    @EnumSource
    void framesInFlightShareWhatTheHostTouches(TestDevice device) {
        device.run(HostFrames::framesInFlightShareWhatTheHostTouches);
    }

    @ParameterizedTest
    @EnumSource
    void laterFramesWriteOverWhatTheDeviceWroteLast(TestDevice device) {
        device.run(HostFrames::laterFramesWriteOverWhatTheDeviceWroteLast);
    }

    @ParameterizedTest
    @EnumSource
    void randomFramesEqualTheSerialModel(TestDevice device) {
        for (long seed = 0; seed < 3; seed++) {
            long current = seed;
            device.run(rig -> HostFrames.randomFramesEqualTheSerialModel(rig, current, 4));
        }
    }

    /** Each device has an order of its own in which it does what waits and barriers leave open. */
    @Test
    void randomFramesEqualTheSerialModelInWhateverOrder() {
        for (long seed = 0; seed < 40; seed++) {
            long current = seed;
            PlanPolicy policy = PlanPolicy.defaults()
                    .withWaitStageScope(seed % 2 == 0 ? WaitStageScope.ALL : WaitStageScope.EXACT)
                    .withSplitBarriers(seed % 3 == 0)
                    .withHoistBarriers(seed % 5 == 0);
            try (DeviceRig rig = new DeviceRig(
                    2,
                    FrameExecutorOptions.defaults(),
                    RdgOptions.defaults().withPassLimits(1, 2).withPolicy(policy),
                    false,
                    options -> VirtualDevices.open(new VirtualGpuOptions(1 + (int) (current % 4), current), options))) {
                HostFrames.randomFramesEqualTheSerialModel(rig, current, 5);
                rig.assertClean();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void immediateModeRunsItWhenItIsDeclared(TestDevice device) {
        device.run(RdgDiagnostics.none().withImmediate(true), rig -> {
            RenderGraph graph = rig.begin("now");
            RdgBuffer down = graph.createBuffer("down", HostFrames.READBACK);
            AtomicInteger seen = new AtomicInteger();
            HostFrames.fill(graph, down, 42, false);
            graph.hostPass("look")
                    .reads(down, Access.HOST_READ)
                    .flag(PassFlag.NEVER_CULL)
                    .run(context -> seen.set(context.read(down).getInt(0)));
            assertThat(seen).hasValue(42);
            rig.executor.execute(rig.compile(graph)).completed().await();
        });
    }

    @ParameterizedTest
    @EnumSource
    void whatDoesNotDependOnItGoesOnMeanwhile(TestDevice device) {
        device.run(rig -> {
            try (Buffer result = rig.device.createBuffer("result", HostFrames.READBACK);
                    Buffer other = rig.device.createBuffer("other", HostFrames.DEVICE)) {
                CountDownLatch next = new CountDownLatch(1);
                RenderGraph graph = new RenderGraph("waits");
                graph.hostPass("wait")
                        .flag(PassFlag.NEVER_CULL)
                        .run(context ->
                                assertThat(next.await(60, TimeUnit.SECONDS)).isTrue());
                HostFrames.fill(graph, graph.registerExternal(result), 1, false);
                FrameHandle waiting = rig.executor.execute(rig.compile(graph));
                waiting.submitted().await();
                RenderGraph later = new RenderGraph("later");
                HostFrames.fill(later, later.registerExternal(other), 2, false);
                FrameHandle passing = rig.executor.execute(rig.compile(later));
                passing.submitted().await();
                assertThat(waiting.completed().isComplete()).isFalse();
                next.countDown();
                waiting.completed().await();
                passing.completed().await();
                rig.executor.close();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void whatItThrowsFailsTheFrameAndTheNextOneWorks(TestDevice device) {
        device.run(rig -> {
            try (Buffer result = rig.device.createBuffer("result", HostFrames.READBACK)) {
                AtomicInteger runs = new AtomicInteger();
                FramePlan plan = failing(rig, result, runs);
                FrameHandle failed = rig.executor.execute(plan);
                FrameHandle next = rig.executor.execute(plan);
                assertThatThrownBy(() -> failed.completed().await())
                        .isInstanceOf(TaskFailedException.class)
                        .hasRootCauseMessage("the first time")
                        .hasStackTraceContaining("running pass 'decide'")
                        .hasStackTraceContaining("HostFramesTest")
                        .hasStackTraceContaining("on the host failed");
                assertThatThrownBy(() -> failed.submitted().await()).isInstanceOf(TaskFailedException.class);
                next.completed().await();
                assertThat(runs).hasValue(2);
                assertThat(RandomFrames.words(result)[3]).isEqualTo(2);
                rig.executor.close();
            }
        });
    }

    private static FramePlan failing(DeviceRig rig, Buffer result, AtomicInteger runs) {
        RenderGraph graph = new RenderGraph("fails", RdgOptions.defaults().withDebug(true));
        RdgBuffer down = graph.createBuffer("down", HostFrames.READBACK);
        RdgBuffer up = graph.createBuffer("up", HostFrames.UPLOAD);
        HostFrames.fill(graph, down, 5, true);
        graph.hostPass("decide")
                .reads(down, Access.HOST_READ)
                .overwrites(up, Access.HOST_WRITE)
                .run(context -> {
                    if (runs.incrementAndGet() == 1) {
                        throw new IOException("the first time");
                    }
                    assertThat(context.read(down).getInt(12)).isEqualTo(5);
                    context.write(up).putInt(12, runs.get());
                });
        HostFrames.copy(graph, up, graph.registerExternal(result), false);
        return rig.compile(graph);
    }

    /** It would wait for itself. Nothing is closed, so the next frame and the close of its owner work. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theExecutorIsNotClosedFromInside(boolean onTheHost) {
        TestDevice.VIRTUAL.run(FrameExecutorOptions.defaults().withFramesInFlight(2), rig -> {
            CountDownLatch executed = new CountDownLatch(1);
            rig.executor
                    .execute(rig.compile(closing(rig, onTheHost, () -> {})))
                    .completed()
                    .await();
            FrameHandle closes = rig.executor.execute(rig.compile(closing(rig, onTheHost, () -> {
                assertThat(reachesZero(executed)).isTrue();
                rig.executor.close();
            })));
            FrameHandle behind = rig.executor.execute(rig.compile(closing(rig, onTheHost, () -> {})));
            executed.countDown();
            assertThatThrownBy(() -> closes.completed().await())
                    .rootCause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("instead of waiting");
            behind.completed().await();
            rig.executor
                    .execute(rig.compile(closing(rig, onTheHost, () -> {})))
                    .completed()
                    .await();
            rig.executor.close();
        });
    }

    private static boolean reachesZero(CountDownLatch latch) {
        try {
            return latch.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static RenderGraph closing(DeviceRig rig, boolean onTheHost, Runnable body) {
        RenderGraph graph = rig.begin("closes");
        if (onTheHost) {
            graph.hostPass("close").flag(PassFlag.NEVER_CULL).run(context -> body.run());
        } else {
            graph.addPass("close", PassKind.COMPUTE).flag(PassFlag.NEVER_CULL).record(context -> body.run());
        }
        return graph;
    }

    @Test
    void passesRunOneAfterTheOtherInTheirOrder() {
        TestDevice.VIRTUAL_QUEUES.run(rig -> {
            List<String> order = Collections.synchronizedList(new ArrayList<>());
            FrameHandle last = null;
            for (int frame = 0; frame < 4; frame++) {
                RenderGraph graph = new RenderGraph("frame " + frame);
                for (int pass = 0; pass < 3; pass++) {
                    String name = frame + "." + pass;
                    graph.hostPass(name).flag(PassFlag.NEVER_CULL).run(context -> order.add(name));
                }
                last = rig.executor.execute(rig.compile(graph));
            }
            Objects.requireNonNull(last).completed().await();
            assertThat(order).hasSize(12).isSorted();
        });
    }

    /** Nor is one behind it, which the device may have done long before. */
    @Test
    void framesAreNotCompleteBeforeTheLastPassOfTheHost() {
        TestDevice.VIRTUAL.run(rig -> {
            for (int frame = 0; frame < 10; frame++) {
                CountDownLatch done = new CountDownLatch(1);
                AtomicBoolean ended = new AtomicBoolean();
                RenderGraph graph = new RenderGraph("frame");
                graph.hostPass("slow").flag(PassFlag.NEVER_CULL).run(context -> {
                    assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
                    ended.set(true);
                });
                FrameHandle slow = rig.executor.execute(rig.compile(graph));
                RenderGraph next = new RenderGraph("next");
                RdgBuffer filled = next.createBuffer("filled", HostFrames.DEVICE);
                next.addPass("fill", PassKind.COPY)
                        .overwrites(filled, Access.COPY_DST)
                        .flag(PassFlag.NEVER_CULL)
                        .record(context ->
                                context.commands().fillBuffer(context.buffer(filled), 0, MixKernel.BYTES, 1));
                FrameHandle behind = rig.executor.execute(rig.compile(next));
                behind.submitted().await();
                var timeline = rig.device.queues().get(0).timeline();
                assertThat(timeline.await(timeline.submitted(), Duration.ofSeconds(60)))
                        .isTrue();
                assertThat(slow.completed().isComplete()).isFalse();
                assertThat(behind.completed().isComplete()).isFalse();
                done.countDown();
                behind.completed().await();
                assertThat(ended).isTrue();
                assertThat(slow.completed().isComplete()).isTrue();
            }
        });
    }

    @Test
    void conditionsAndSetupTasksHold() {
        TestDevice.VIRTUAL_QUEUES.run(rig -> {
            List<String> ran = Collections.synchronizedList(new ArrayList<>());
            CountDownLatch set = new CountDownLatch(1);
            RenderGraph graph = new RenderGraph("frame");
            RdgSetupTask setup = graph.setupTask(rig.tasks, "set up", () -> {
                assertThat(set.await(60, TimeUnit.SECONDS)).isTrue();
                ran.add("set up");
            });
            graph.hostPass("left out")
                    .onlyIf(() -> false)
                    .flag(PassFlag.NEVER_CULL)
                    .run(context -> ran.add("left out"));
            graph.hostPass("runs")
                    .onlyIf(() -> true)
                    .after(setup)
                    .flag(PassFlag.NEVER_CULL)
                    .run(context -> ran.add("runs"));
            FrameHandle frame = rig.executor.execute(rig.compile(graph));
            set.countDown();
            frame.completed().await();
            assertThat(ran).containsExactly("set up", "runs");
        });
    }

    @Test
    void aFailedSetupTaskFailsIt() {
        TestDevice.VIRTUAL.run(rig -> {
            AtomicInteger runs = new AtomicInteger();
            RenderGraph graph = new RenderGraph("frame");
            RdgSetupTask setup = graph.setupTask(rig.tasks, "set up", () -> {
                throw new IllegalStateException("no data");
            });
            graph.hostPass("runs").after(setup).flag(PassFlag.NEVER_CULL).run(context -> runs.incrementAndGet());
            FrameHandle frame = rig.executor.execute(rig.compile(graph));
            assertThatThrownBy(() -> frame.completed().await())
                    .hasStackTraceContaining("'runs'")
                    .hasStackTraceContaining("no data");
            assertThat(runs).hasValue(0);
        });
    }

    @Test
    void onlyWhatIsDeclaredIsHandedOut() {
        TestDevice.VIRTUAL.run(rig -> {
            AtomicReference<HostContext> kept = new AtomicReference<>();
            RenderGraph graph = new RenderGraph("frame");
            RenderGraph foreign = new RenderGraph("foreign");
            RdgBuffer alien = foreign.createBuffer("alien", HostFrames.UPLOAD);
            RdgBuffer down = graph.createBuffer("down", HostFrames.READBACK);
            RdgBuffer up = graph.createBuffer("up", HostFrames.UPLOAD);
            HostFrames.fill(graph, down, 3, false);
            graph.hostPass("half")
                    .reads(down, 16, 32, Access.HOST_READ)
                    .overwrites(up, 0, 8, Access.HOST_WRITE)
                    .overwrites(up, 64, 8, Access.HOST_WRITE)
                    .flag(PassFlag.NEVER_CULL)
                    .run(context -> {
                        kept.set(context);
                        assertThat(context.read(down).remaining()).isEqualTo(32);
                        assertThat(context.read(down.view(24, 8)).getInt(0)).isEqualTo(3);
                        assertThat(context.write(up.view(64, 4)).remaining()).isEqualTo(4);
                        assertThatThrownBy(() -> context.read(down).putInt(0, 1))
                                .isInstanceOf(ReadOnlyBufferException.class);
                        assertThatThrownBy(() -> context.read(down.view(0, 32)))
                                .isInstanceOf(RdgException.class)
                                .hasMessageContaining("'half'")
                                .hasMessageContaining("'down'")
                                .hasMessageContaining("0+32");
                        assertThatThrownBy(() -> context.write(up))
                                .isInstanceOf(RdgException.class)
                                .hasMessageContaining("several ranges");
                        assertThatThrownBy(() -> context.write(down))
                                .isInstanceOf(RdgException.class)
                                .hasMessageContaining("has not declared")
                                .hasMessageContaining("HOST_WRITE");
                        assertThatThrownBy(() -> context.read(alien)).isInstanceOf(RdgException.class);
                    });
            rig.executor.execute(rig.compile(graph)).completed().await();
            assertThatThrownBy(() -> Objects.requireNonNull(kept.get()).read(down))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("inside its host body");
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatItDoesNotTakeIsWarnedOfIfThePlanAsks(boolean validation) {
        TestDevice.VIRTUAL.run(RdgDiagnostics.none().withValidation(validation), rig -> {
            RenderGraph graph = new RenderGraph("frame");
            RdgBuffer down = graph.createBuffer("down", HostFrames.READBACK);
            HostFrames.fill(graph, down, 3, false);
            graph.hostPass("idle")
                    .reads(down, Access.HOST_READ)
                    .flag(PassFlag.NEVER_CULL)
                    .run(context -> {});
            FrameHandle frame = rig.executor.execute(rig.compile(graph));
            frame.completed().await();
            assertThat(frame.warnings())
                    .extracting(PlanWarning::code, PlanWarning::subject)
                    .isEqualTo(validation ? List.of(tuple(PlanWarning.Code.NOT_TAKEN, "down")) : List.of());
        });
    }

    /** The plan is that of the graph before, and so is the memory; the body is its own. */
    @Test
    void plansAreReusedWithBodiesOfTheirOwn() {
        TestDevice.VIRTUAL_QUEUES.run(rig -> {
            try (Buffer result = rig.device.createBuffer("result", HostFrames.READBACK)) {
                List<FrameHandle> frames = new ArrayList<>();
                AtomicInteger sum = new AtomicInteger();
                for (int frame = 0; frame < 6; frame++) {
                    int value = frame;
                    RenderGraph graph = new RenderGraph("again");
                    RdgBuffer up = graph.createBuffer("up", HostFrames.UPLOAD);
                    graph.hostPass("write").overwrites(up, Access.HOST_WRITE).run(context -> {
                        sum.addAndGet(value);
                        context.write(up).putInt(0, value);
                    });
                    HostFrames.copy(graph, up, graph.registerExternal(result), true);
                    frames.add(rig.executor.execute(rig.compile(graph)));
                }
                frames.forEach(frame -> frame.completed().await());
                assertThat(sum).hasValue(15);
                assertThat(RandomFrames.words(result)[0]).isEqualTo(5);
                rig.executor.close();
            }
        });
    }

    @Test
    void whenTheDeviceIsLostTheFrameEnds() {
        try (FakeRig rig = FakeRig.graphics()) {
            rig.device.setCompletesAtOnce(false);
            AtomicInteger runs = new AtomicInteger();
            RenderGraph graph = new RenderGraph("lost");
            RdgBuffer down = graph.createBuffer("down", HostFrames.READBACK);
            HostFrames.fill(graph, down, 3, false);
            graph.hostPass("look")
                    .reads(down, Access.HOST_READ)
                    .flag(PassFlag.NEVER_CULL)
                    .run(context -> runs.incrementAndGet());
            FrameHandle frame = rig.executor.execute(rig.compile(graph));
            frame.submitted().await();
            rig.device.lose();
            assertThatThrownBy(() -> frame.completed().await()).isInstanceOf(TaskFailedException.class);
            assertThat(runs).hasValue(0);
        }
    }

    /** Between the passes of the device around it, on one clock; one that its condition leaves out has no time. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void statisticsTellItsTime(boolean timestamps) {
        TestDevice.VIRTUAL_QUEUES.run(FrameExecutorOptions.defaults().withCollectTimestamps(timestamps), rig -> {
            try (Buffer result = rig.device.createBuffer("result", HostFrames.READBACK)) {
                RenderGraph graph = new RenderGraph("timed");
                RdgBuffer down = graph.createBuffer("down", HostFrames.READBACK);
                RdgBuffer up = graph.createBuffer("up", HostFrames.UPLOAD);
                HostFrames.fill(graph, down, 3, false);
                long[] inside = new long[2];
                graph.hostPass("decide")
                        .reads(down, Access.HOST_READ)
                        .overwrites(up, Access.HOST_WRITE)
                        .run(context -> {
                            inside[0] = System.nanoTime();
                            context.write(up).put(context.read(down));
                            inside[1] = System.nanoTime();
                        });
                graph.hostPass("left out")
                        .onlyIf(() -> false)
                        .flag(PassFlag.NEVER_CULL)
                        .run(context -> {});
                HostFrames.copy(graph, up, graph.registerExternal(result), false);
                FrameHandle frame = rig.executor.execute(rig.compile(graph));
                frame.completed().await();
                assertThat(frame.statistics().passTimes())
                        .extracting(FrameStatistics.PassTime::pass)
                        .isEqualTo(
                                timestamps ? List.of("fill down", "decide", "copy up to result") : List.of("decide"));
                FrameStatistics.PassTime host = frame.statistics().passTimes().get(timestamps ? 1 : 0);
                assertThat(host.queue()).isEqualTo("host");
                assertThat(host.startNanos()).isLessThanOrEqualTo(inside[0]);
                assertThat(host.startNanos() + host.nanos()).isGreaterThanOrEqualTo(inside[1]);
                assertThat(frame.statistics().gpuNanos() > 0).isEqualTo(timestamps);
                rig.executor.close();
            }
        });
    }

    /** What the host knows to be done is not thereby available to another queue. */
    @Test
    void whatIsSubmittedBehindItWaitsForWhatItHasWaitedFor() {
        try (FakeRig rig = FakeRig.graphicsAndCompute();
                Buffer result = rig.readback()) {
            RenderGraph graph = new RenderGraph("through the host");
            RdgBuffer down = graph.createBuffer("down", HostFrames.READBACK);
            RdgBuffer up = graph.createBuffer("up", HostFrames.UPLOAD);
            graph.addPass("fill", PassKind.COPY)
                    .overwrites(down, Access.COPY_DST)
                    .flag(PassFlag.ASYNC_COMPUTE)
                    .record(context -> context.commands().fillBuffer(context.buffer(down), 0, 4, 1));
            graph.hostPass("decide")
                    .reads(down, Access.HOST_READ)
                    .overwrites(up, Access.HOST_WRITE)
                    .run(context -> {});
            RdgBuffer out = graph.registerExternal(result);
            graph.addPass("copy", PassKind.COPY)
                    .reads(up, Access.COPY_SRC)
                    .overwrites(out, Access.COPY_DST)
                    .record(context -> {});
            rig.executor.execute(rig.compile(graph)).completed().await();
            assertThat(rig.device.submissions()).hasSize(2);
            assertThat(rig.device.submissions().get(1).submission().waits())
                    .singleElement()
                    .satisfies(wait -> {
                        assertThat(wait.point().queue().index()).isEqualTo(1);
                        assertThat(wait.point().value()).isEqualTo(1);
                    });
        }
    }

    @Test
    void plansForTheHostFitTheDeviceOnlyIfItsQueuesDo() {
        TestDevice.VIRTUAL.run(rig -> {
            RenderGraph graph = new RenderGraph("elsewhere");
            graph.hostPass("look").flag(PassFlag.NEVER_CULL).run(context -> {});
            FramePlan plan = new RenderGraphCompiler(RdgOptions.defaults())
                    .compile(graph, QueueTopology.graphicsAndCompute(), MemorySizer.of(rig.device));
            assertThatThrownBy(() -> rig.executor.execute(plan))
                    .isInstanceOf(RdgException.class)
                    .hasMessageStartingWith(
                            "plan 'elsewhere' is for the queues 'graphics' (graphics, family 0), 'compute'"
                                    + " (compute, family 1), but the device '")
                    .hasMessageEndingWith("' has " + QueueTopology.of(rig.device)
                            + "; compile with QueueTopology.of the device that executes");
        });
    }
}
