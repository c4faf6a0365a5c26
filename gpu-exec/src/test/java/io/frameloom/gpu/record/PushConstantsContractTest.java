package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.CpuKernel;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Push constants are whole words of four bytes, also where the block of a shader ends within one; on all backends. */
@Timeout(60)
class PushConstantsContractTest {
    private static final CpuKernel KERNEL = invocation -> {};

    private static String glsl(String type) {
        return "#version 450\n#extension GL_EXT_shader_8bit_storage : require\n"
                + "#extension GL_EXT_shader_16bit_storage : require\n"
                + "#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
                + "layout(local_size_x = 1) in;\n"
                + "layout(push_constant) uniform Push { uint a; " + type + " b; };\n"
                + "layout(binding = 0) buffer Result { uint result; };\n"
                + "void main() { result = a + uint(b); }\n";
    }

    private static void dispatch(CommandList list, ComputePipeline pipeline, Buffer result, int bytes) {
        list.bindPipeline(pipeline);
        list.bindBuffer("Result", result, 0, 4);
        ByteBuffer data = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
        data.putInt(0, 40);
        if (bytes > 4) {
            data.put(4, (byte) 2);
        }
        list.pushConstants(data);
        list.dispatch(1, 1, 1);
    }

    @ParameterizedTest
    @CsvSource({"VULKAN, uint8_t", "VIRTUAL, uint8_t", "VULKAN, uint16_t", "VIRTUAL, uint16_t"})
    void blocksThatEndWithinAWordAreRoundedUp(CommandRig.Backend backend, String type) {
        try (CommandRig rig = new CommandRig(backend)) {
            ComputePipeline pipeline = rig.compute("short", glsl(type), KERNEL);
            assertThat(pipeline.pushConstantBytes()).isEqualTo(8);
            Buffer result = rig.buffer("result", 4, BufferUsage.STORAGE, BufferUsage.COPY_SRC);
            Buffer back = rig.readback(4);
            rig.execute(list -> {
                dispatch(list, pipeline, result, 8);
                CommandRig.full(list);
                list.copyBuffer(result, 0, back, 0, 4);
                CommandRig.full(list);
            });
            if (backend == CommandRig.Backend.VULKAN) {
                assertThat(CommandRig.words(back)).containsExactly(42);
            }
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            assertThatThrownBy(() -> dispatch(list, pipeline, result, 4))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("'short' needs 8 bytes of push constants, 4 are set");
        }
    }

    @ParameterizedTest
    @EnumSource
    void fewerBytesLeaveTheRest(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            ComputePipeline pipeline = rig.compute("sum", glsl("uint"), KERNEL);
            Buffer result = rig.buffer("result", 4, BufferUsage.STORAGE, BufferUsage.COPY_SRC);
            Buffer back = rig.readback(4);
            rig.execute(list -> {
                dispatch(list, pipeline, result, 8);
                list.pushConstants(
                        ByteBuffer.allocate(4).order(ByteOrder.nativeOrder()).putInt(0, 7));
                CommandRig.full(list);
                list.dispatch(1, 1, 1);
                CommandRig.full(list);
                list.copyBuffer(result, 0, back, 0, 4);
                CommandRig.full(list);
            });
            if (backend == CommandRig.Backend.VULKAN) {
                assertThat(CommandRig.words(back)).containsExactly(9);
            }
        }
    }
}
