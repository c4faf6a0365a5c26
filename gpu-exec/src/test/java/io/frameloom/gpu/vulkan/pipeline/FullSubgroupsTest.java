package io.frameloom.gpu.vulkan.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.shader.CompiledShader;
import io.frameloom.gpu.shader.PipelineShaders;
import io.frameloom.gpu.shader.ShaderCompiler;
import io.frameloom.gpu.vulkan.FullSubgroupsProgram;
import io.frameloom.gpu.vulkan.ValidatedDevice;
import io.frameloom.testing.ChildJvm;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.lwjgl.vulkan.VK13;

/** Shaders whose workgroups can be of full subgroups alone ask for that, if the device lets them. */
class FullSubgroupsTest {
    private static final int FULL = VK13.VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;

    private static final ShaderSource VOTES = new ShaderSource("votes.comp", ShaderStage.COMPUTE, """
            #version 450
            #extension GL_KHR_shader_subgroup_vote : require
            layout(local_size_x_id = 7, local_size_y = 2) in;
            layout(set = 0, binding = 0) buffer Target { uint target; };
            void main() { target = subgroupAll(gl_LocalInvocationIndex > 0u) ? 1u : 2u; }
            """);

    private static FullSubgroups device(boolean full, int largest) {
        DeviceLimits.Groups groups = new DeviceLimits.Groups(1024, 1024, 64);
        return new FullSubgroups(
                new DeviceLimits.Compute(groups, groups, 1024, 1 << 15, 32, 8, largest, Set.of(), false, full));
    }

    @Test
    void limitsAndWorkgroupsDecide() {
        try (ShaderCompiler compiler = new ShaderCompiler()) {
            CompiledShader shader = compiler.compile(VOTES);
            PipelineShaders.Stage one = new PipelineShaders.Stage(shader, Map.of());
            PipelineShaders.Stage wide = new PipelineShaders.Stage(shader, Map.of(7, 64));
            PipelineShaders.Stage odd = new PipelineShaders.Stage(shader, Map.of(7, 48));
            assertThat(device(true, 32).areWantedBy(wide)).isTrue();
            assertThat(device(true, 128).areWantedBy(wide))
                    .as("128 invocations, but 64 in x")
                    .isFalse();
            assertThat(device(true, 32).areWantedBy(odd)).isFalse();
            assertThat(device(true, 32).areWantedBy(one)).isFalse();
            assertThat(device(false, 32).areWantedBy(wide)).isFalse();
        }
    }

    /** The flags as the driver gets them, and what the validation layer says of them. */
    @Test
    void theDriverIsAsked() throws Exception {
        ValidatedDevice.assumeDriver();
        List<String> lines = ChildJvm.run(FullSubgroupsProgram.class);
        assumeFalse(lines.contains(FullSubgroupsProgram.CANNOT), FullSubgroupsProgram.CANNOT);
        List<String> said = lines.stream()
                .filter(line ->
                        line.startsWith(FullSubgroupsProgram.SAYS) || line.startsWith(FullSubgroupsProgram.COMPLAINS))
                .toList();
        assertThat(said)
                .containsExactlyInAnyOrder(
                        FullSubgroupsProgram.SAYS + "shuffles in 2 halves: " + FULL,
                        FullSubgroupsProgram.SAYS + "shuffles in 3 halves: 0",
                        FullSubgroupsProgram.SAYS + "stores in 2 halves: 0",
                        FullSubgroupsProgram.SAYS + "stores in 3 halves: 0");
    }
}
