package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSlot;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.gpu.vulkan.ValidatedDevice;
import io.frameloom.gpu.vulkan.VulkanComputeTest;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Devices whose command lists check nothing do what the others do, and those that must check do. */
@Timeout(60)
class UncheckedCommandsTest {
    private static final String SUM = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) buffer Sum { int sum; };
            layout(push_constant) uniform Push { int amount; };
            void main() { sum += amount; }
            """;

    private final TaskGraph tasks =
            TaskGraph.builder().name("unchecked").workers(1).build();
    private final DeviceOptions unchecked = DeviceOptions.of(tasks, "unchecked").withChecks(false);

    @AfterEach
    void close() {
        tasks.close();
    }

    private static ComputePipeline sum(GpuDevice device) {
        return device.createComputePipeline(new ComputePipelineDescription(
                "sum", new ShaderSource("sum.comp", ShaderStage.COMPUTE, SUM), invocation -> {}));
    }

    /** What nothing but the checks looks at: the range is bound and never used. */
    private static ThrowingCallable tooLargeARange(GpuDevice device) {
        return () -> {
            try (FrameContext frame = device.createFrameContext("frame");
                    ComputePipeline pipeline = sum(device);
                    Buffer words = device.createBuffer("words", BufferDescription.device(4, BufferUsage.STORAGE))) {
                CommandList list = frame.beginCommands(device.queues().get(0), "list");
                list.bindPipeline(pipeline);
                list.bindBuffer(pipeline.slot("Sum"), words, 0, 8);
                list.end();
            }
        };
    }

    private static GpuDevice vulkan(DeviceOptions options) {
        ValidatedDevice.assumeDriver();
        return VulkanDevices.open("", options);
    }

    @Test
    void mistakesAreNotLookedFor() {
        try (GpuDevice device = vulkan(unchecked)) {
            assertThatCode(tooLargeARange(device)).doesNotThrowAnyException();
        }
        try (GpuDevice device = vulkan(unchecked.withChecks(true))) {
            assertThatThrownBy(tooLargeARange(device)).hasMessageContaining("0+8");
        }
    }

    /** Commands that come in pairs are counted: what is left open would spoil the list that executes this one. */
    @Test
    void conditionsAreCounted() {
        try (GpuDevice device = vulkan(unchecked);
                FrameContext frame = device.createFrameContext("frame")) {
            CommandList list = frame.beginCommands(device.queues().get(0), "list");
            assertThatThrownBy(list::endConditionalRendering).hasMessageContaining("no condition is open");
            list.end();
        }
    }

    @Test
    void theVirtualGpuAndObservedDevicesCheckAllTheSame() {
        try (GpuDevice device = VirtualDevice.open(new VirtualGpuOptions(3, 7), unchecked)) {
            assertThatThrownBy(tooLargeARange(device)).hasMessageContaining("0+8");
        }
        try (GpuDevice device = vulkan(unchecked.withObserver(new HazardChecker()))) {
            assertThatThrownBy(tooLargeARange(device)).hasMessageContaining("0+8");
        }
    }

    @Test
    void aRightProgramDoesTheSame() {
        try (GpuDevice device = vulkan(unchecked.withValidation(true));
                FrameContext frame = device.createFrameContext("frame");
                ComputePipeline pipeline = sum(device);
                Buffer words = device.createBuffer(
                        "words",
                        BufferDescription.device(4, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST));
                Buffer back = device.createBuffer("back", BufferDescription.readback(4))) {
            GpuQueue queue = device.queues().get(0);
            ShaderSlot slot = pipeline.slot("Sum");
            BarrierBatch full = new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL));
            for (int round = 1; round <= 3; round++) {
                CommandList list = frame.beginCommands(queue, "list");
                list.fillBuffer(words, 0, 4, 100 * round);
                list.bindPipeline(pipeline);
                list.bindBuffer(slot, words, 0, 4);
                for (int amount = 1; amount <= 3; amount++) {
                    list.barrier(full);
                    list.pushConstants(VulkanComputeTest.push(amount));
                    list.dispatch(1, 1, 1);
                }
                list.barrier(full);
                list.copyBuffer(words, 0, back, 0, 4);
                list.barrier(full);
                list.end();
                long value = queue.submit(new Submission("sum", List.of(list), List.of()))
                        .value();
                assertThat(queue.timeline().await(value, Duration.ofSeconds(30)))
                        .isTrue();
                frame.reset();
                assertThat(back.mapped().order(ByteOrder.nativeOrder()).getInt(0))
                        .isEqualTo(100 * round + 6);
            }
            assertThat(device.validationMessages()).isEmpty();
        }
    }

    @Test
    void everyCommandIsRecorded() throws Exception {
        Deque<AutoCloseable> owned = new ArrayDeque<>();
        try (GpuDevice device = vulkan(unchecked)) {
            EveryCommand scene = new EveryCommand(device, owned);
            FrameContext frame = device.createFrameContext("frame");
            owned.push(frame);
            CommandList list = frame.beginCommands(scene.queue, "list");
            scene.record(list);
            list.end();
            while (!owned.isEmpty()) {
                owned.pop().close();
            }
        }
    }
}
