package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Shaders follow addresses of buffers, under validation. */
@Timeout(60)
class VulkanBufferAddressTest {
    private static final BufferDescription WORDS =
            BufferDescription.device(256, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);

    private TaskGraph tasks;

    @BeforeEach
    void begin() {
        ValidatedDevice.assumeDriver(Capability.BUFFER_DEVICE_ADDRESS);
        tasks = TaskGraph.builder().name("addresses").workers(1).build();
    }

    @AfterEach
    void end() {
        if (tasks != null) {
            tasks.close();
        }
    }

    /** From a buffer with memory of its own to one that lies in a heap. */
    @Test
    void shadersReadAndWriteThroughAddresses() {
        DeviceOptions options =
                new DeviceOptions(tasks, "addresses", true, null).require(Capability.BUFFER_DEVICE_ADDRESS);
        VulkanDevice device = VulkanDevices.open("", options);
        try (device;
                Buffer from = device.createBuffer("from", WORDS);
                MemoryHeap heap = device.createHeap(
                        "heap",
                        device.requirements(WORDS).bytes(),
                        device.requirements(WORDS).memoryTypes());
                Buffer to = heap.placeBuffer("to", WORDS, 0);
                Buffer host = device.createBuffer("host", BufferDescription.readback(4));
                FrameContext context = device.createFrameContext("frame");
                ComputePipeline copying = device.createComputePipeline(new ComputePipelineDescription(
                        "copy", new ShaderSource("copy.comp", ShaderStage.COMPUTE, """
                                #version 450
                                #extension GL_EXT_buffer_reference : require
                                layout(local_size_x = 1) in;
                                layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint words[]; };
                                layout(push_constant) uniform Addresses { Words from; Words to; };
                                void main() { to.words[0] = from.words[3] + 1; }
                                """), null))) {
            assertThat(from.address()).isNotZero().isEqualTo(from.address()).isNotEqualTo(to.address());
            CommandList list = context.beginCommands(device.queues().get(0), "list");
            list.fillBuffer(from, 0, 256, 41);
            list.barrier(ValidatedDevice.memory(
                    PipelineStage.COPY,
                    MemoryAccess.COPY_WRITE,
                    PipelineStage.COMPUTE_SHADER,
                    MemoryAccess.STORAGE_READ));
            list.bindPipeline(copying);
            list.pushConstants(ByteBuffer.allocateDirect(16)
                    .order(ByteOrder.nativeOrder())
                    .putLong(from.address())
                    .putLong(to.address())
                    .flip());
            list.dispatch(1, 1, 1);
            list.barrier(ValidatedDevice.memory(
                    PipelineStage.COMPUTE_SHADER,
                    MemoryAccess.STORAGE_WRITE,
                    PipelineStage.COPY,
                    MemoryAccess.COPY_READ));
            list.copyBuffer(to, 0, host, 0, 4);
            list.barrier(ValidatedDevice.memory(
                    PipelineStage.COPY, MemoryAccess.COPY_WRITE, PipelineStage.HOST, MemoryAccess.HOST_READ));
            list.end();
            TimelinePoint point = device.queues().get(0).submit(new Submission("copy", List.of(list), List.of()));
            assertThat(device.queues().get(0).timeline().await(point.value(), ValidatedDevice.LONG))
                    .isTrue();
            assertThat(ValidatedDevice.words(host)).containsExactly(42);
            assertThatThrownBy(host::address)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("buffer 'host' has no address; create one of usage STORAGE");
            Buffer gone = device.createBuffer("gone", WORDS);
            gone.close();
            assertThatThrownBy(gone::address)
                    .hasMessageContaining("buffer 'gone' is asked for its address after it was");
        }
        assertThat(device.validationMessages()).isEmpty();
    }

    @Test
    void withoutTheCapabilityThereIsNoAddress() {
        try (VulkanDevice device = VulkanDevices.open("", new DeviceOptions(tasks, "none", false, null));
                Buffer buffer = device.createBuffer("words", WORDS)) {
            assertThatThrownBy(buffer::address)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("opened with BUFFER_DEVICE_ADDRESS");
        }
    }
}
