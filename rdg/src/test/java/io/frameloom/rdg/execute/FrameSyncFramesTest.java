package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.ExternalSemaphore;
import io.frameloom.gpu.command.ExternalTimeline;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FrameSync;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.VirtualDevices;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskFailedException;
import io.frameloom.taskgraph.TaskGraph;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Frames that wait for and signal an engine's semaphores, on the virtual GPU and on a Vulkan driver with validation. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FrameSyncFramesTest {
    private static final int BYTES = 256;
    private static final BufferDescription WORDS =
            BufferDescription.device(BYTES, BufferUsage.STORAGE, BufferUsage.COPY_DST, BufferUsage.COPY_SRC);

    private static PassBuilder add(RenderGraph graph, RdgBuffer target) {
        return graph.addPass("fill", PassKind.COPY).flag(PassFlag.NEVER_CULL).overwrites(target, Access.COPY_DST);
    }

    private static RenderGraph filling(Buffer target, int word) {
        RenderGraph graph = new RenderGraph("fill");
        RdgBuffer buffer = graph.registerExternal(target);
        add(graph, buffer).record(context -> context.commands().fillBuffer(context.buffer(buffer), 0, BYTES, word));
        return graph;
    }

    private static RenderGraph failing(Buffer target) {
        RenderGraph graph = new RenderGraph("fail");
        add(graph, graph.registerExternal(target)).record(context -> {
            throw new IllegalArgumentException("no words");
        });
        return graph;
    }

    /**
     * Nothing of the frame is done before the engine says so, and then the engine is told. On Vulkan without the validation
     * layer, whose synchronization validation holds a lock until a signal comes that vkSignalSemaphore is to give.
     */
    private static void holdsBack(DeviceRig rig) {
        try (EngineSemaphores engine = new EngineSemaphores(rig.device);
                Buffer words = rig.device.createBuffer("words", WORDS)) {
            ExternalTimeline gate = engine.timeline("gate");
            ExternalTimeline done = engine.timeline("done");
            FrameHandle frame = rig.executor.execute(
                    rig.compile(filling(words, 7)),
                    FrameSync.none().waitFor(ExternalPoint.of(gate, 1)).signal(ExternalPoint.of(done, 4)));
            frame.submitted().await();
            assertThat(engine.value(done)).isZero();
            engine.signal(gate, 1);
            frame.completed().await();
            engine.await(done, 4);
        }
    }

    @Test
    void aWaitHoldsTheFrameBackAndItsSignalArrives() {
        TestDevice.VIRTUAL.run(FrameSyncFramesTest::holdsBack);
        TestDevice.VIRTUAL_QUEUES.run(FrameSyncFramesTest::holdsBack);
    }

    @Test
    void aWaitHoldsTheFrameOfADriverBackAndItsSignalArrives() {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        try (DeviceRig rig = new DeviceRig(
                2,
                FrameExecutorOptions.defaults(),
                RdgOptions.defaults(),
                false,
                options -> VulkanDevices.open("", options))) {
            holdsBack(rig);
            rig.assertClean();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFrameThatFailsSignals(TestDevice device) {
        device.run(rig -> {
            try (EngineSemaphores engine = new EngineSemaphores(rig.device);
                    Buffer words = rig.device.createBuffer("words", WORDS)) {
                ExternalTimeline timeline = engine.timeline("engine");
                engine.signal(timeline, 1);
                FrameHandle failed = rig.executor.execute(
                        rig.compile(failing(words)),
                        FrameSync.none()
                                .waitFor(ExternalPoint.of(timeline, 1), words)
                                .signal(ExternalPoint.of(timeline, 2), words));
                assertThatThrownBy(() -> failed.completed().await()).isInstanceOf(TaskFailedException.class);
                engine.await(timeline, 2);
                FrameHandle next = rig.executor.execute(
                        rig.compile(filling(words, 7)),
                        FrameSync.none().waitFor(ExternalPoint.of(timeline, 2)).signal(ExternalPoint.of(timeline, 3)));
                next.completed().await();
                engine.await(timeline, 3);
            }
        });
    }

    /** Its submit tasks never run: nothing but the close of the executor can tell the engine. */
    @ParameterizedTest
    @EnumSource
    void aFrameWhoseTaskGraphIsClosedSignals(TestDevice device) {
        device.run(rig -> {
            TaskGraph closed = TaskGraph.builder().name("closed").workers(1).build();
            FrameExecutor executor = new FrameExecutor(rig.device, closed, FrameExecutorOptions.defaults());
            try (EngineSemaphores engine = new EngineSemaphores(rig.device);
                    Buffer words = rig.device.createBuffer("words", WORDS)) {
                ExternalTimeline timeline = engine.timeline("engine");
                executor.execute(
                        rig.compile(filling(words, 7)), FrameSync.none().signal(ExternalPoint.of(timeline, 2), words));
                closed.close();
                executor.close();
                rig.device.waitIdle();
                engine.await(timeline, 2);
            }
        });
    }

    /** As an engine does that hands out the images of its own swapchain; one of the frames fails. */
    @Test
    void binarySemaphoresGoFromTheEngineToTheFrameAndBack() {
        TestDevice.VULKAN.run(rig -> {
            try (EngineSemaphores engine = new EngineSemaphores(rig.device);
                    Buffer words = rig.device.createBuffer("words", WORDS)) {
                ExternalSemaphore acquired = engine.binary("acquired");
                ExternalSemaphore rendered = engine.binary("rendered");
                for (int turn = 0; turn < 4; turn++) {
                    engine.pass(null, acquired);
                    boolean fails = turn == 1;
                    FrameHandle frame = rig.executor.execute(
                            rig.compile(fails ? failing(words) : filling(words, turn)),
                            FrameSync.none()
                                    .waitFor(ExternalPoint.of(acquired), words)
                                    .signal(ExternalPoint.of(rendered), words));
                    if (fails) {
                        assertThatThrownBy(() -> frame.submitted().await()).isInstanceOf(TaskFailedException.class);
                    } else {
                        frame.submitted().await();
                    }
                    engine.pass(rendered, null);
                }
            }
        });
    }

    /**
     * The engine's part is a submission that the frame knows nothing of but its timeline: without the wait the checker reports
     * that it is missing, and with it nothing.
     */
    @Test
    void theCheckerKnowsWhatAFrameWaitsFor() {
        for (int seed = 1; seed <= 8; seed++) {
            assertThat(hazards(seed, true)).as("seed %d", seed).isEmpty();
        }
        assertThat(hazards(1, false))
                .anySatisfy(hazard -> assertThat(hazard.kind()).isEqualTo(Hazard.Kind.READ_AFTER_WRITE));
    }

    private static List<Hazard> hazards(int seed, boolean waits) {
        HazardChecker checker = new HazardChecker();
        try (TaskGraph tasks = TaskGraph.builder().name("checked").workers(1).build()) {
            tasks.start(NamedThread.RHI);
            try (GpuDevice device = VirtualDevices.open(
                            new VirtualGpuOptions(3, seed), new DeviceOptions(tasks, "checked", false, checker));
                    EngineSemaphores engine = new EngineSemaphores(device);
                    FrameContext context = device.createFrameContext("engine's frame");
                    Buffer words = device.createBuffer("words", WORDS);
                    FrameExecutor executor = new FrameExecutor(device, tasks, FrameExecutorOptions.defaults())) {
                ExternalTimeline timeline = engine.timeline("engine");
                GpuQueue queue = device.queues().get(2);
                CommandList list = context.beginCommands(queue, "engine's list");
                list.beginPass(
                        "engine's pass", List.of(new ResourceUse.OfBuffer(words, 0, BYTES, Access.COPY_DST, true)));
                list.fillBuffer(words, 0, BYTES, 9);
                list.endPass();
                list.end();
                queue.submit(new Submission("engine's part", List.of(list), List.of())
                        .with(List.of(), List.of(ExternalPoint.of(timeline, 1))));
                RenderGraph graph = new RenderGraph("read");
                RdgReadback read = ReadbackPasses.buffer(graph, graph.registerExternal(words));
                FrameSync sync = FrameSync.none().after(List.of());
                executor.execute(
                                new RenderGraphCompiler(RdgOptions.defaults())
                                        .compile(graph, QueueTopology.of(device), MemorySizer.of(device)),
                                waits ? sync.waitFor(ExternalPoint.of(timeline, 1), words) : sync)
                        .completed()
                        .await();
                if (waits) {
                    assertThat(read.bytes().join().getInt(0)).isEqualTo(9);
                }
            }
        }
        return checker.hazards();
    }
}
