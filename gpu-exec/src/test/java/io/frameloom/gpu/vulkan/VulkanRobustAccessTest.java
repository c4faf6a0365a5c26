package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.vulkan.driver.DeviceFeatures;
import io.frameloom.gpu.vulkan.driver.VulkanAdapter;
import io.frameloom.gpu.vulkan.driver.VulkanInstance;
import io.frameloom.taskgraph.TaskGraph;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures2;

/** Shaders are kept within buffers where that is asked for, and devices that cannot are not taken. */
@Timeout(60)
class VulkanRobustAccessTest {
    private static final BufferDescription WORDS =
            BufferDescription.device(1024, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);

    /** Writes in front of the 256 words of its buffer and behind them. */
    private static final ShaderSource LEAVE = new ShaderSource("leave.comp", ShaderStage.COMPUTE, """
            #version 450
            layout(local_size_x = 256) in;
            layout(set = 0, binding = 0) buffer Target { uint target[]; };
            void main() {
                target[gl_LocalInvocationIndex - 256] = 7;
                target[gl_LocalInvocationIndex + 256] = 7;
                target[gl_LocalInvocationIndex + (1 << 28)] = target[gl_LocalInvocationIndex + (1 << 29)];
            }
            """);

    private TaskGraph tasks;
    private DeviceOptions plain;

    @BeforeEach
    void buildTaskGraph() {
        ValidatedDevice.assumeDriver();
        tasks = TaskGraph.builder().name("robust").workers(1).build();
        plain = new DeviceOptions(tasks, "robust", true, null);
    }

    @AfterEach
    void closeTaskGraph() {
        if (tasks != null) {
            tasks.close();
        }
    }

    private static void full(CommandList list) {
        list.barrier(new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL)));
    }

    @Test
    void itIsOnIfItIsAskedFor() {
        try (VulkanDevice without = VulkanDevices.open("", plain)) {
            assertThat(without.capabilities().robustBufferAccess()).isFalse();
        }
        try (VulkanDevice with = VulkanDevices.open("", plain.withRobustBufferAccess())) {
            assertThat(with.capabilities().robustBufferAccess()).isTrue();
            assertThat(with.validationMessages()).isEmpty();
        }
    }

    @Test
    void shadersLeaveOtherBuffersAlone() {
        VulkanDevice device = VulkanDevices.open("", plain.withRobustBufferAccess());
        MemoryRequirements needs = device.requirements(WORDS);
        try (device;
                MemoryHeap heap = device.createHeap("heap", 3 * needs.bytes(), needs.memoryTypes());
                Buffer before = heap.placeBuffer("before", WORDS, 0);
                Buffer middle = heap.placeBuffer("middle", WORDS, needs.bytes());
                Buffer behind = heap.placeBuffer("behind", WORDS, 2 * needs.bytes());
                Buffer read = device.createBuffer("read", BufferDescription.readback(2048));
                ComputePipeline leave =
                        device.createComputePipeline(new ComputePipelineDescription("leave", LEAVE, null));
                FrameContext frame = device.createFrameContext("frame")) {
            GpuQueue queue = device.queues().get(0);
            CommandList list = frame.beginCommands(queue, "list");
            list.fillBuffer(before, 0, 1024, 1);
            list.fillBuffer(behind, 0, 1024, 2);
            full(list);
            list.bindPipeline(leave);
            list.bindBuffer("Target", middle, 0, 1024);
            list.dispatch(1, 1, 1);
            full(list);
            list.copyBuffer(before, 0, read, 0, 1024);
            list.copyBuffer(behind, 0, read, 1024, 1024);
            list.end();
            long value = queue.submit(new Submission("leave", List.of(list), List.of()))
                    .value();
            assertThat(queue.timeline().await(value, ValidatedDevice.LONG)).isTrue();
            int[] words = ValidatedDevice.words(read);
            assertThat(Arrays.copyOf(words, 256)).containsOnly(1);
            assertThat(Arrays.copyOfRange(words, 256, 512)).containsOnly(2);
        }
        assertThat(device.validationMessages()).isEmpty();
    }

    @Test
    void aDeviceThatCannotIsNotTaken() {
        try (VulkanInstance instance = VulkanInstance.create("robust", false, Set.of())) {
            VulkanAdapter adapter = instance.adapters().get(0);
            assertThat(adapter.robust().info()).isEqualTo(adapter.info());
            VulkanDeviceInfo lacking = adapter.robust(DeviceFeatures.read(0, 0)).info();
            assertThat(lacking.usable()).isFalse();
            assertThat(VulkanDevices.describe(List.of(lacking))).contains("lacks robustBufferAccess");
        }
    }

    @Test
    void anEngineHasToHaveSwitchedItOn() {
        try (TestEngine engine = new TestEngine()) {
            AdoptedDevice description = engine.description
                    .queue(QueueKind.GRAPHICS, engine.queue, TestEngine.FAMILY, engine.guard)
                    .build();
            assertThatThrownBy(() -> VulkanDevices.adopt(description, plain.withRobustBufferAccess()))
                    .isInstanceOf(AdoptionException.class)
                    .hasMessageContaining("feature VkPhysicalDeviceFeatures.robustBufferAccess is asked for");
            try (VulkanDevice device = VulkanDevices.adopt(description, plain)) {
                assertThat(device.capabilities().robustBufferAccess()).isFalse();
            }
        }
        try (TestEngine engine = new TestEngine(info -> {
            TestEngine.neededFeatures(info);
            // The last one that was put into the chain is its first.
            VkPhysicalDeviceFeatures2.create(info.pNext()).features().robustBufferAccess(true);
        })) {
            AdoptedDevice description = engine.description
                    .queue(QueueKind.GRAPHICS, engine.queue, TestEngine.FAMILY, engine.guard)
                    .build();
            for (DeviceOptions options : List.of(plain, plain.withRobustBufferAccess())) {
                try (VulkanDevice device = VulkanDevices.adopt(description, options)) {
                    assertThat(device.capabilities().robustBufferAccess()).isTrue();
                }
            }
            assertThat(engine.messages()).isEmpty();
        }
    }
}
