package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.OperatingSystemThreads;
import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.TaskFailedException;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.TaskGraphStoppedException;
import io.frameloom.testing.TestEffort;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An error inside the task graph at some step of a frame: each thread that waits for it learns of it, and the executor and
 * the device close, with nothing left open.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StoppedTaskGraphTest {
    /** The threads of the system; at one step of those from {@link #plantAfter} on an error is thrown. */
    private static final class Faults extends OperatingSystemThreads {
        private final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
        private volatile boolean planted;

        void plantAfter(int steps) {
            left.set(steps);
        }

        @Override
        public void reached(SchedulingPoint point, @Nullable String subject) {
            // An error before a body fails that task alone.
            boolean armed = left.get() != Integer.MAX_VALUE && point != SchedulingPoint.BODY;
            if (!planted && armed && left.getAndDecrement() == 0) {
                planted = true;
                throw new OutOfMemoryError("planted at " + point + " of " + subject);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void everybodyLearnsOfItAndEverythingCloses(TestDevice kind) {
        if (kind == TestDevice.VULKAN) {
            String reason = VulkanDevices.unavailableReason();
            Assumptions.assumeTrue(reason.isEmpty(), reason);
        }
        int each = kind == TestDevice.VULKAN ? TestEffort.of(29, 1) : TestEffort.of(5, 1);
        int stops = 0;
        int steps = 0;
        for (Faults faults = new Faults(); steps == 0 || faults.planted; steps += each) {
            faults = new Faults();
            stops += stops(kind, faults, steps) ? 1 : 0;
        }
        assertThat(stops).isPositive();
    }

    /** Returns whether the error has stopped the task graph. */
    private static boolean stops(TestDevice kind, Faults faults, int steps) {
        TaskGraph tasks = TaskGraph.builder()
                .name("stopped")
                .workers(2)
                .scheduler(faults)
                .uncaughtHandler((task, failure) -> {})
                .build();
        tasks.start(NamedThread.RHI);
        boolean stopped = false;
        try (GpuDevice device = kind.open(new DeviceOptions(tasks, "stopped", kind == TestDevice.VULKAN, null))) {
            FrameExecutor executor = new FrameExecutor(device, tasks, FrameExecutorOptions.defaults());
            frame(device, executor);
            faults.plantAfter(steps);
            try {
                frame(device, executor);
                frame(device, executor);
            } catch (TaskGraphStoppedException | TaskFailedException | CompletionException e) {
                assertThat(e).hasStackTraceContaining("planted at");
            }
            faults.plantAfter(Integer.MAX_VALUE);
            try {
                executor.close();
            } catch (TaskGraphStoppedException e) {
                stopped = true;
            }
            assertThat(device.validationMessages()).isEmpty();
        }
        if (stopped) {
            assertThatThrownBy(tasks::close)
                    .isInstanceOf(TaskGraphStoppedException.class)
                    .hasCauseInstanceOf(OutOfMemoryError.class);
        } else {
            try {
                tasks.close();
            } catch (TaskGraphStoppedException e) {
                return true;
            }
        }
        return stopped;
    }

    private static void frame(GpuDevice device, FrameExecutor executor) {
        RenderGraph graph = new RenderGraph("frame");
        RdgTexture target = graph.createTexture("target", TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM));
        graph.addPass("draw", PassKind.RASTER)
                .color(target, LoadOp.CLEAR, FakeRig.CLEAR)
                .record(context -> {});
        RdgReadback readback = ReadbackPasses.texture(graph, target);
        FramePlan plan = new RenderGraphCompiler(RdgOptions.defaults())
                .compile(graph, QueueTopology.of(device), MemorySizer.of(device));
        FrameHandle handle = executor.execute(plan);
        readback.bytes().join();
        handle.completed().await();
    }
}
