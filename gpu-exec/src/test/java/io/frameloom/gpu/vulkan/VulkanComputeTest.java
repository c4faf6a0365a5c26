package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.ValidatedDevice.memory;
import static io.frameloom.gpu.vulkan.ValidatedDevice.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.shader.Bindings;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(60)
public class VulkanComputeTest {
    private static final int COUNT = 1024;

    private static final String SCALE = """
            #version 450
            layout(local_size_x = 64) in;
            layout(set = 0, binding = 0) readonly buffer Input { uint values[]; } source;
            layout(set = 0, binding = 1) writeonly buffer Output { uint values[]; } target;
            layout(push_constant) uniform Push { uint factor; uint offset; };
            void main() {
                uint i = gl_GlobalInvocationID.x;
                target.values[i] = source.values[i] * factor + offset;
            }
            """;

    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    private ComputePipeline scale() {
        return gpu.own(gpu.device()
                .createComputePipeline(new ComputePipelineDescription(
                        "scale", new ShaderSource("scale.comp", ShaderStage.COMPUTE, SCALE), null)));
    }

    public static ByteBuffer push(int... words) {
        ByteBuffer bytes = ByteBuffer.allocate(words.length * Integer.BYTES).order(ByteOrder.nativeOrder());
        bytes.asIntBuffer().put(words);
        return bytes;
    }

    @Test
    void reflectsBindingsAndPushConstants() {
        ComputePipeline pipeline = scale();
        assertThat(pipeline.bindings())
                .containsExactly(
                        Bindings.binding("Input", 0, 0, ShaderBinding.Kind.STORAGE_BUFFER, false),
                        Bindings.binding("Output", 0, 1, ShaderBinding.Kind.STORAGE_BUFFER, true));
        assertThat(pipeline.pushConstantBytes()).isEqualTo(8);
    }

    @Test
    void dispatchComputesAndPushConstantsArrive() {
        ComputePipeline pipeline = scale();
        Buffer upload =
                gpu.own(gpu.device().createBuffer("upload", BufferDescription.upload(COUNT * 4, BufferUsage.STORAGE)));
        Buffer result = gpu.own(gpu.device()
                .createBuffer(
                        "result", BufferDescription.device(COUNT * 4, BufferUsage.STORAGE, BufferUsage.COPY_SRC)));
        Buffer readback = gpu.own(gpu.device().createBuffer("readback", BufferDescription.readback(COUNT * 4)));
        upload.mapped().asIntBuffer().put(IntStream.range(0, COUNT).toArray());

        gpu.execute("scale", list -> {
            list.bindPipeline(pipeline);
            list.bindBuffer("Input", upload, 0, COUNT * 4);
            list.bindBuffer("Output", result, 0, COUNT * 4);
            list.pushConstants(push(3, 7));
            list.dispatch(COUNT / 64, 1, 1);
            list.barrier(memory(
                    PipelineStage.COMPUTE_SHADER,
                    MemoryAccess.STORAGE_WRITE,
                    PipelineStage.COPY,
                    MemoryAccess.COPY_READ));
            list.copyBuffer(result, 0, readback, 0, COUNT * 4);
            list.barrier(
                    memory(PipelineStage.COPY, MemoryAccess.COPY_WRITE, PipelineStage.HOST, MemoryAccess.HOST_READ));
        });

        assertThat(words(readback))
                .isEqualTo(IntStream.range(0, COUNT).map(i -> i * 3 + 7).toArray());
    }

    @Test
    void everyDispatchSeesTheBindingsAndPushConstantsSetBeforeIt() {
        ComputePipeline pipeline = scale();
        int rounds = 40;
        long stride = 256;
        Buffer upload =
                gpu.own(gpu.device().createBuffer("upload", BufferDescription.upload(stride, BufferUsage.STORAGE)));
        Buffer result = gpu.own(gpu.device()
                .createBuffer(
                        "result",
                        BufferDescription.device(stride * rounds, BufferUsage.STORAGE, BufferUsage.COPY_SRC)));
        Buffer readback = gpu.own(gpu.device().createBuffer("readback", BufferDescription.readback(stride * rounds)));
        upload.mapped().asIntBuffer().put(IntStream.range(0, 64).toArray());

        gpu.execute("rounds", list -> {
            list.bindPipeline(pipeline);
            for (int round = 0; round < rounds; round++) {
                if (round % 3 == 0) {
                    list.bindPipeline(pipeline);
                    list.bindBuffer("Input", upload, 0, stride);
                }
                list.bindBuffer("Output", result, round * stride, stride);
                list.pushConstants(push(round, 1));
                list.dispatch(1, 1, 1);
            }
            list.barrier(memory(
                    PipelineStage.COMPUTE_SHADER,
                    MemoryAccess.STORAGE_WRITE,
                    PipelineStage.COPY,
                    MemoryAccess.COPY_READ));
            list.copyBuffer(result, 0, readback, 0, stride * rounds);
        });

        assertThat(words(readback))
                .isEqualTo(IntStream.range(0, rounds * 64)
                        .map(i -> (i % 64) * (i / 64) + 1)
                        .toArray());
    }
}
