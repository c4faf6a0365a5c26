package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.ValidatedDevice.memory;
import static io.frameloom.gpu.vulkan.ValidatedDevice.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.pipeline.SpecializationValue;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.shader.CompiledShader;
import io.frameloom.gpu.shader.ShaderCompiler;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Specialization constants reach the code that runs, for GLSL and for SPIR-V. */
@Timeout(60)
class VulkanSpecializationTest {
    private static final ShaderSource VARIANTS = new ShaderSource("variants.comp", ShaderStage.COMPUTE, """
            #version 450
            layout(local_size_x_id = 10) in;
            layout(constant_id = 0) const int SIGNED = -1;
            layout(constant_id = 1) const uint UNSIGNED = 2u;
            layout(constant_id = 2) const float REAL = 0.5;
            layout(constant_id = 3) const bool FLAG = false;
            layout(set = 0, binding = 0) buffer Result { uint result[]; };
            void main() {
                if (gl_LocalInvocationIndex == 0) {
                    result[0] = uint(SIGNED);
                    result[1] = UNSIGNED;
                    result[2] = floatBitsToUint(REAL);
                    result[3] = FLAG ? 1u : 0u;
                    result[4] = gl_WorkGroupSize.x;
                }
            }
            """);

    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    private int[] run(ShaderSource shader) {
        ComputePipeline pipeline =
                gpu.own(gpu.device().createComputePipeline(new ComputePipelineDescription("variant", shader, null)));
        Buffer result = gpu.own(gpu.device()
                .createBuffer("result", BufferDescription.device(20, BufferUsage.STORAGE, BufferUsage.COPY_SRC)));
        Buffer readback = gpu.own(gpu.device().createBuffer("readback", BufferDescription.readback(20)));
        gpu.execute("variant", list -> {
            list.bindPipeline(pipeline);
            list.bindBuffer("Result", result, 0, 20);
            list.dispatch(1, 1, 1);
            list.barrier(memory(
                    PipelineStage.COMPUTE_SHADER,
                    MemoryAccess.STORAGE_WRITE,
                    PipelineStage.COPY,
                    MemoryAccess.COPY_READ));
            list.copyBuffer(result, 0, readback, 0, 20);
            list.barrier(
                    memory(PipelineStage.COPY, MemoryAccess.COPY_WRITE, PipelineStage.HOST, MemoryAccess.HOST_READ));
        });
        return words(readback);
    }

    @Test
    void constantsWithoutAValueKeepTheirDefaults() {
        assertThat(run(VARIANTS)).containsExactly(-1, 2, Float.floatToRawIntBits(0.5f), 0, 1);
    }

    @Test
    void valuesByNameAndByIdReplaceTheDefaults() {
        assertThat(run(VARIANTS.withConstant("SIGNED", SpecializationValue.ofInt(-7))
                        .withConstant(1, SpecializationValue.ofUint(-1))
                        .withConstant("REAL", SpecializationValue.ofFloat(2.25f))
                        .withConstant(3, SpecializationValue.ofBool(true))
                        .withConstant("local_size_x", SpecializationValue.ofUint(32))))
                .containsExactly(-7, -1, Float.floatToRawIntBits(2.25f), 1, 32);
    }

    @Test
    void manyVariantsOfSpirvAreCompiledOnce() {
        try (ShaderCompiler compiler = new ShaderCompiler()) {
            CompiledShader code = compiler.compile(VARIANTS);
            byte[] bytes = new byte[code.spirv().remaining()];
            ByteBuffer spirv = code.spirv();
            spirv.get(bytes);
            ShaderSource given = ShaderSource.spirv("variants.spv", ShaderStage.COMPUTE, bytes, "main");
            for (int size : new int[] {1, 8, 64}) {
                ShaderSource variant = given.withConstant(10, SpecializationValue.ofUint(size));
                assertThat(run(variant)[4]).isEqualTo(size);
                assertThat(compiler.compile(variant)).isSameAs(compiler.compile(given));
            }
        }
    }

    @Test
    void aWorkgroupBeyondTheDeviceIsRefused() {
        assertThatThrownBy(() -> run(VARIANTS.withConstant("local_size_x", SpecializationValue.ofUint(1 << 20))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'variant'")
                .hasMessageContaining("1048576 invocations in x");
        assertThatThrownBy(() -> run(VARIANTS.withConstant("local_size_x", SpecializationValue.ofUint(0))))
                .hasMessageContaining("0 invocations in x");
    }
}
