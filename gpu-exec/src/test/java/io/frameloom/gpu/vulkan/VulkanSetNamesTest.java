package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.ValidatedDevice.transition;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.ComputePipeline;
import io.frameloom.gpu.ComputePipelineDescription;
import io.frameloom.gpu.Format;
import io.frameloom.gpu.SamplerDescription;
import io.frameloom.gpu.ShaderSource;
import io.frameloom.gpu.ShaderStage;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.gpu.TextureUsage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Descriptor sets that frames make are named for pipeline and set, which is how messages about them tell one from another. */
@Timeout(60)
class VulkanSetNamesTest {
    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    @Test
    void messagesAboutSetsOfFramesNameThem() {
        gpu.expectMessages();
        ComputePipeline pipeline = gpu.own(gpu.device()
                .createComputePipeline(new ComputePipelineDescription(
                        "counting", new ShaderSource("counting.comp", ShaderStage.COMPUTE, """
                                #version 450
                                layout(local_size_x = 1) in;
                                layout(set = 0, binding = 0) buffer Target { uint target; };
                                layout(set = 1, binding = 0) uniform usampler2D integers;
                                void main() { target = texelFetch(integers, ivec2(0), 0).x; }
                                """), null)));
        Texture floats = gpu.own(gpu.device()
                .createTexture("floats", TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED)));
        Buffer target =
                gpu.own(gpu.device().createBuffer("target", BufferDescription.device(256, BufferUsage.STORAGE)));
        gpu.execute("mismatch", list -> {
            list.barrier(transition(floats, TextureLayout.UNDEFINED, TextureLayout.SHADER_RO));
            list.bindPipeline(pipeline);
            list.bindBuffer("Target", target, 0, 256);
            list.bindTexture("integers", floats.view(), gpu.device().sampler(SamplerDescription.NEAREST_CLAMP));
            list.dispatch(1, 1, 1);
        });
        assertThat(gpu.messages())
                .anySatisfy(message -> assertThat(message.toString()).contains("counting set 1"));
    }
}
