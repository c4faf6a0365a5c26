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
import io.frameloom.gpu.resource.BlockLayout;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** What a shader writes through a pointer, member by member, is what the host writes by the layout. */
    @ParameterizedTest
    @ValueSource(strings = {"std430", "scalar"})
    void membersLieWhereTheLayoutSays(String rules) {
        BlockLayout inner = layout(rules);
        BlockLayout.Pointer innerNext = inner.pointer(4);
        BlockLayout.Member single = inner.word();
        BlockLayout struct = layout(rules);
        BlockLayout.Member first = struct.word();
        BlockLayout.Member tint = struct.vector(3);
        BlockLayout.Member pair = struct.vector(2);
        BlockLayout.Pointer next = struct.pointer(16);
        BlockLayout.Member one = struct.structs(inner, 1);
        BlockLayout.Member afterOne = struct.word();
        BlockLayout.Member turn = struct.matrix(3, 2);
        BlockLayout.Member wide = struct.matrix(2, 3);
        BlockLayout.Member two = struct.structs(inner, 2);
        BlockLayout.Member last = struct.word();
        int bytes = 3 * struct.bytes();
        DeviceOptions options =
                new DeviceOptions(tasks, "layouts", true, null).require(Capability.BUFFER_DEVICE_ADDRESS);
        VulkanDevice device = VulkanDevices.open("", options);
        try (device;
                Buffer target = device.createBuffer("target", WORDS);
                Buffer structs = device.createBuffer(
                        "structs",
                        BufferDescription.device(
                                bytes, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST));
                Buffer host = device.createBuffer("host", BufferDescription.readback(bytes));
                FrameContext context = device.createFrameContext("frame");
                ComputePipeline writing = device.createComputePipeline(new ComputePipelineDescription(
                        "write",
                        new ShaderSource("write.comp", ShaderStage.COMPUTE, """
                                #version 450
                                #extension GL_EXT_buffer_reference : require
                                #extension GL_EXT_scalar_block_layout : require
                                layout(local_size_x = 1) in;
                                layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint words[]; };
                                layout(buffer_reference, std430) buffer Texels { vec4 texels[]; };
                                struct Inner { Words next; uint single; };
                                struct Struct {
                                    uint first;
                                    vec3 tint;
                                    uvec2 pair;
                                    Texels next;
                                    Inner one;
                                    int afterOne;
                                    mat3x2 turn;
                                    mat2x3 wide;
                                    Inner two[2];
                                    float last;
                                };
                                layout(buffer_reference, RULES) buffer Structs { Struct all[]; };
                                layout(push_constant) uniform Addresses { Structs structs; Words inner; Texels next; };
                                void main() {
                                    uint i = gl_WorkGroupID.x;
                                    structs.all[i].first = 100 * i + 1;
                                    structs.all[i].tint = vec3(i, i + 0.25, i + 0.5);
                                    structs.all[i].pair = uvec2(100 * i + 2, 100 * i + 3);
                                    structs.all[i].next = next;
                                    structs.all[i].one.next = inner;
                                    structs.all[i].one.single = 100 * i + 4;
                                    structs.all[i].afterOne = -int(i);
                                    structs.all[i].turn = mat3x2(1, 2, 3, 4, 5, 6);
                                    structs.all[i].wide = mat2x3(1, 2, 3, 4, 5, 6);
                                    structs.all[i].two[0].next = inner;
                                    structs.all[i].two[0].single = 100 * i + 5;
                                    structs.all[i].two[1].next = inner;
                                    structs.all[i].two[1].single = 100 * i + 6;
                                    structs.all[i].last = i + 0.75;
                                }
                                """.replace("RULES", rules)),
                        null))) {
            ByteBuffer expected = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
            ByteBuffer nested = ByteBuffer.allocateDirect(inner.bytes()).order(ByteOrder.nativeOrder());
            for (int i = 0; i < 3; i++) {
                expected.putInt(first.at(i), 100 * i + 1);
                expected.putInt(pair.at(i), 100 * i + 2);
                expected.putInt(pair.at(i, 1), 100 * i + 3);
                next.put(expected, i, target, 32);
                expected.putInt(afterOne.at(i), -i);
                for (int c = 0; c < 3; c++) {
                    expected.putFloat(tint.at(i, c), i + c / 4f);
                    expected.putFloat(turn.at(i, c), 2 * c + 1);
                    expected.putFloat(turn.at(i, c) + 4, 2 * c + 2);
                    expected.putFloat(wide.at(i, 0) + 4 * c, 1 + c);
                    expected.putFloat(wide.at(i, 1) + 4 * c, 4 + c);
                }
                for (int n = 0; n < 3; n++) {
                    nested.putInt(single.at(0), 100 * i + 4 + n);
                    innerNext.put(nested, 0, target, 4);
                    int at = n == 0 ? one.at(i) : two.at(i, n - 1);
                    expected.putLong(at + innerNext.at(0), nested.getLong(innerNext.at(0)));
                    expected.putInt(at + single.at(0), nested.getInt(single.at(0)));
                }
                expected.putFloat(last.at(i), i + 0.75f);
            }
            CommandList list = context.beginCommands(device.queues().get(0), "list");
            list.fillBuffer(structs, 0, bytes, 0);
            list.barrier(ValidatedDevice.memory(
                    PipelineStage.COPY,
                    MemoryAccess.COPY_WRITE,
                    PipelineStage.COMPUTE_SHADER,
                    MemoryAccess.STORAGE_WRITE));
            list.bindPipeline(writing);
            list.pushConstants(ByteBuffer.allocateDirect(24)
                    .order(ByteOrder.nativeOrder())
                    .putLong(structs.address())
                    .putLong(target.address() + 4)
                    .putLong(target.address() + 32)
                    .flip());
            list.dispatch(3, 1, 1);
            list.barrier(ValidatedDevice.memory(
                    PipelineStage.COMPUTE_SHADER,
                    MemoryAccess.STORAGE_WRITE,
                    PipelineStage.COPY,
                    MemoryAccess.COPY_READ));
            list.copyBuffer(structs, 0, host, 0, bytes);
            list.barrier(ValidatedDevice.memory(
                    PipelineStage.COPY, MemoryAccess.COPY_WRITE, PipelineStage.HOST, MemoryAccess.HOST_READ));
            list.end();
            TimelinePoint point = device.queues().get(0).submit(new Submission("write", List.of(list), List.of()));
            assertThat(device.queues().get(0).timeline().await(point.value(), ValidatedDevice.LONG))
                    .isTrue();
            int[] words = new int[bytes / 4];
            expected.asIntBuffer().get(words);
            assertThat(ValidatedDevice.words(host)).containsExactly(words);
            assertThatThrownBy(() -> next.put(expected, 0, target, 4))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("byte 4 of buffer 'target' is not aligned to 16, as the pointer says; name another, or"
                            + " declare buffer_reference_align");
            assertThatThrownBy(() -> next.put(expected, 0, target, 256))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("byte 256 of buffer 'target' is outside of its 256 bytes");
            assertThatThrownBy(() -> next.put(expected.duplicate().order(ByteOrder.BIG_ENDIAN), 0, target, 0))
                    .hasMessageContaining("native order");
            assertThatThrownBy(() -> next.put(expected, 0, host, 0)).hasMessageContaining("'host' has no address");
        }
        assertThat(device.validationMessages()).isEmpty();
    }

    private static BlockLayout layout(String rules) {
        return rules.equals("scalar") ? BlockLayout.scalar() : BlockLayout.std430();
    }
}
