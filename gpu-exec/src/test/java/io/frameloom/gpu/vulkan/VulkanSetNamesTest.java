package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.ValidatedDevice.transition;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.testing.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Descriptor sets that frames make are named for pipeline and set, which is how messages about them tell one from another;
 * where no messages are collected nothing is named while a list is recorded.
 */
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
                                layout(set = 1, binding = 0) uniform sampler2D picture;
                                void main() { target = uint(texelFetch(picture, ivec2(0), 0).x); }
                                """), null)));
        Texture floats = gpu.own(gpu.device()
                .createTexture(
                        "floats",
                        TextureDescription.of(
                                4, 4, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED, TextureUsage.COPY_DST)));
        Buffer target =
                gpu.own(gpu.device().createBuffer("target", BufferDescription.device(256, BufferUsage.STORAGE)));
        gpu.execute("mismatch", list -> {
            list.barrier(transition(floats, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST));
            list.bindPipeline(pipeline);
            list.bindBuffer("Target", target, 0, 256);
            list.bindTexture("picture", floats.view(), gpu.device().sampler(SamplerDescription.NEAREST_CLAMP));
            list.dispatch(1, 1, 1);
        });
        assertThat(gpu.messages())
                .anySatisfy(message -> assertThat(message.toString()).contains("counting set 1"));
    }

    @Test
    void setsAreNamedWhereMessagesAreCollectedAndNowhereElse() throws Exception {
        List<String> lines = ChildJvm.run(NamingProgram.class);
        assertThat(lines)
                .filteredOn(line -> line.startsWith(NamingProgram.SAYS))
                .containsExactly(NamingProgram.SAYS + NamingProgram.MORE, NamingProgram.SAYS + 0);
        assertThat(lines)
                .filteredOn(line -> line.startsWith(NamingProgram.LISTS))
                .as("a list that is begun again has its name")
                .containsExactly(NamingProgram.LISTS + "0 1", NamingProgram.LISTS + "0 1");
    }
}
