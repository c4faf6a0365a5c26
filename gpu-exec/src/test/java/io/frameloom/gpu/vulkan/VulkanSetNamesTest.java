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
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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
        assertThat(namesOfSets(true)).isEqualTo(NamingProgram.MORE);
        assertThat(namesOfSets(false)).isZero();
    }

    /** Returns how many more names a process gives for a list with many sets than for one with a single set. */
    private static long namesOfSets(boolean validation) throws Exception {
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "--add-exports",
                        "java.base/jdk.internal.misc=ALL-UNNAMED",
                        "-cp",
                        FaultSweepIT.classPath(),
                        NamingProgram.class.getName(),
                        String.valueOf(validation)))
                .redirectErrorStream(true)
                .start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isZero();
            return output.lines()
                    .filter(line -> line.startsWith(NamingProgram.SAYS))
                    .mapToLong(line -> Long.parseLong(line.substring(NamingProgram.SAYS.length())))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(output));
        } finally {
            process.destroyForcibly();
        }
    }
}
