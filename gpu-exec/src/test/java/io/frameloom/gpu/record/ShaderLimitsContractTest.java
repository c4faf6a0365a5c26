package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceKind;
import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.error.ShaderCompilationException;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.Blend;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.CullMode;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexAttribute;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.pipeline.MultisampleState;
import io.frameloom.gpu.pipeline.RasterState;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.pipeline.SpecializationValue;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.shader.PipelineShaders;
import io.frameloom.gpu.shader.ShaderCompiler;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Shaders that use more than a device allows, or that do not give what the pipeline needs, are refused by all backends. */
@Timeout(60)
class ShaderLimitsContractTest {
    private static final String VERTEX = "void main() { gl_Position = vec4(0, 0, 0, 1); }";
    private static final String FRAGMENT = "layout(location = 0) out vec4 o; void main() { o = vec4(1); }";

    private static ShaderSource shader(ShaderStage stage, String body) {
        return new ShaderSource("some." + stage, stage, "#version 450\n" + body);
    }

    private static ShaderSource compute(String body) {
        return shader(ShaderStage.COMPUTE, "layout(local_size_x = 1) in;\n" + body);
    }

    private static void create(CommandRig rig, ShaderSource shader) {
        rig.own(rig.device.createComputePipeline(new ComputePipelineDescription("some", shader, null)));
    }

    private static GraphicsPipelineDescription graphics(String vertex, String fragment, VertexBuffer... buffers) {
        return new GraphicsPipelineDescription(
                "some",
                shader(ShaderStage.VERTEX, vertex),
                shader(ShaderStage.FRAGMENT, fragment),
                List.of(buffers),
                CullMode.NONE,
                null,
                Blend.NONE,
                List.of(Format.R8G8B8A8_UNORM),
                null);
    }

    private static GraphicsPipeline create(CommandRig rig, GraphicsPipelineDescription description) {
        return rig.own(rig.device.createGraphicsPipeline(description));
    }

    private static void refused(Runnable creation, String... words) {
        assertThatThrownBy(creation::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'some'")
                .hasMessageContainingAll(words);
    }

    @ParameterizedTest
    @EnumSource
    void bindingsAreCountedWithTheElementsOfTheirArrays(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            DeviceLimits.Shaders most = rig.device.capabilities().limits().shaders();
            String out = "layout(binding = 1) buffer O { uint o; };\n";
            int uniforms = most.maxUniformBuffers();
            refused(
                    () -> create(
                            rig,
                            compute("layout(binding = 0) uniform U { uint x; } u[" + (uniforms + 1) + "];\n" + out
                                    + "void main() { o = u[" + uniforms + "].x; }")),
                    "has " + (uniforms + 1) + " bindings of UNIFORM_BUFFER",
                    "the device allows " + uniforms);
            int storage = most.maxStorageBuffers();
            refused(
                    () -> create(
                            rig,
                            compute("layout(binding = 0) buffer U { uint x; } u[" + storage + "];\n" + out
                                    + "void main() { o = u[0].x; }")),
                    "has " + (storage + 1) + " bindings of STORAGE_BUFFER",
                    "the device allows " + storage);
            int sampled = most.maxSampledTextures();
            refused(
                    () -> create(
                            rig,
                            compute("layout(binding = 0) uniform sampler2D u[" + (sampled + 1) + "];\n" + out
                                    + "void main() { o = uint(texture(u[0], vec2(0)).x); }")),
                    "has " + (sampled + 1) + " bindings of SAMPLED_TEXTURE",
                    "the device allows " + sampled);
        }
    }

    @ParameterizedTest
    @EnumSource
    void texturesAndSamplersAloneCountWithThoseTogether(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            DeviceLimits.Shaders most = rig.device.capabilities().limits().shaders();
            int images = most.maxSampledTextures();
            int samplers = most.maxSamplers();
            refused(
                    () -> create(rig, separate(images + 1, 1)),
                    "has " + (images + 1) + " bindings of SAMPLED_IMAGE with",
                    "the device allows " + images);
            refused(
                    () -> create(rig, separate(1, samplers + 1)),
                    "has " + (samplers + 1) + " bindings of SAMPLER with",
                    "the device allows " + samplers);
            refused(
                    () -> create(rig, compute("""
                            layout(binding = 0) uniform texture2D t;
                            layout(binding = 1) uniform sampler s[%d];
                            layout(binding = 2) uniform sampler2D u;
                            layout(binding = 3) buffer O { vec4 o; };
                            void main() { o = texture(sampler2D(t, s[0]), vec2(0)) + texture(u, vec2(0)); }
                            """.formatted(samplers))),
                    "has " + (samplers + 1) + " bindings of SAMPLED_TEXTURE and SAMPLER with",
                    "the device allows " + samplers);
            create(rig, separate(2, Math.min(samplers, 16)));
        }
    }

    private static ShaderSource separate(int images, int samplers) {
        return compute("""
                layout(binding = 0) uniform texture2D t[%d];
                layout(binding = 1) uniform sampler s[%d];
                layout(binding = 2) buffer O { vec4 o; };
                void main() { o = texture(sampler2D(t[0], s[%d]), vec2(0)); }
                """.formatted(images, samplers, samplers - 1));
    }

    @ParameterizedTest
    @EnumSource
    void sharedMemoryIsCountedWithItsSpecializationConstants(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            int most = rig.device.capabilities().limits().compute().maxSharedBytes();
            String out = "layout(binding = 0) buffer O { uint o; };\n";
            String use = "void main() { s[o] = 1; barrier(); o = s[5]; }";
            refused(
                    () -> create(rig, compute("shared uint s[1 << 20];\n" + out + use)),
                    "'some.COMPUTE' shares 4194304 bytes",
                    "the device allows " + most);
            create(rig, compute("shared uint s[" + most / 4 + "];\n" + out + use));
            refused(
                    () -> create(
                            rig,
                            compute("shared uint s[" + most / 4 + "]; shared bool t;\n" + out
                                    + "void main() { s[o] = 1; t = o == 2; barrier(); o = t ? s[5] : 0; }")),
                    "shares " + (most / 4 * 4 + 4) + " bytes");
            ShaderSource sized = compute("layout(constant_id = 3) const uint COUNT = 2;\n"
                    + "struct Part { vec3 a; float b[3]; };\nshared Part s[COUNT * 2];\n" + out
                    + "void main() { s[o].a = vec3(1); barrier(); o = uint(s[1].a.x); }");
            create(rig, sized);
            refused(
                    () -> create(rig, sized.withConstant(3, SpecializationValue.ofUint(10_000))),
                    "shares 640000 bytes");
        }
    }

    @ParameterizedTest
    @EnumSource
    void locationsBeyondTheLimitsAreRefused(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            String vertex = "layout(location = 100) out vec4 q; void main() { gl_Position = vec4(0); q = vec4(1); }";
            String fragment =
                    "layout(location = 100) in vec4 q; layout(location = 0) out vec4 o; void main() { o = q; }";
            refused(
                    () -> create(rig, graphics(vertex, fragment)),
                    "'some.VERTEX' gives vec4 'q' at location 100",
                    "the device allows locations 0 to");
        }
    }

    /** The compiler itself knows no more than eight, which devices of tests have. */
    @Test
    void fragmentShadersGiveNoMoreTargetsThanTheDeviceHas() {
        GraphicsPipelineDescription description =
                graphics(VERTEX, "layout(location = 4) out vec4 o; void main() { o = vec4(1); }");
        DeviceCapabilities least = new DeviceCapabilities(
                "least",
                DeviceKind.SIMULATED,
                "none",
                false,
                true,
                4096,
                1 << 20,
                64,
                64,
                128,
                1,
                false,
                DeviceLimits.minimum(),
                Set.of());
        PipelineLimits limits = new PipelineLimits(least, format -> {
            throw new AssertionError("shaders have no formats");
        });
        try (ShaderCompiler compiler = new ShaderCompiler()) {
            PipelineShaders shaders = PipelineShaders.of(compiler, description, 128);
            refused(
                    () -> limits.check(description, shaders),
                    "'some.FRAGMENT' gives vec4 'o' at location 4",
                    "the device allows locations 0 to 3");
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatNoTextureCanBeIsRefusedByName(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            String out = "layout(binding = 1) buffer O { vec4 o; };\n";
            assertThatThrownBy(() -> create(
                            rig,
                            compute("layout(binding = 0, r32ui) uniform uimageBuffer t;\n"
                                    + "void main() { imageStore(t, 0, uvec4(1)); }")))
                    .isInstanceOf(ShaderCompilationException.class)
                    .hasMessageContaining("binding 't' is a buffer of texels; use a storage block");
            assertThatThrownBy(() -> create(
                            rig,
                            compute("layout(binding = 0) uniform samplerBuffer t;\n" + out
                                    + "void main() { o = texelFetch(t, 0); }")))
                    .isInstanceOf(ShaderCompilationException.class)
                    .hasMessageContaining("binding 't' is a buffer of texels; use a storage block");
            assertThatThrownBy(() -> create(
                            rig,
                            compute("layout(binding = 0) uniform sampler1D t;\n" + out
                                    + "void main() { o = texture(t, 0.5); }")))
                    .isInstanceOf(ShaderCompilationException.class)
                    .hasMessageContaining("binding 't' is a texture of one dimension");
        }
    }

    @ParameterizedTest
    @EnumSource
    void verticesLieWhereTheirAttributesCanBeRead(CommandRig.Backend backend) {
        String vertex = "layout(location = 0) in vec4 q; void main() { gl_Position = q; }";
        Format floats = Format.R32G32B32A32_SFLOAT;
        try (CommandRig rig = new CommandRig(backend)) {
            refused(
                    () -> create(
                            rig,
                            graphics(
                                    vertex,
                                    FRAGMENT,
                                    new VertexBuffer(17, false, List.of(new VertexAttribute(0, floats, 0))))),
                    "vertices 17 bytes apart, of which attribute 0 of format R32G32B32A32_SFLOAT needs a multiple of 4");
            refused(
                    () -> create(
                            rig,
                            graphics(
                                    vertex,
                                    FRAGMENT,
                                    new VertexBuffer(20, false, List.of(new VertexAttribute(0, floats, 1))))),
                    "vertex attribute 0 of format R32G32B32A32_SFLOAT at byte 1, it needs a multiple of 4");
            create(
                    rig,
                    graphics(
                            vertex,
                            FRAGMENT,
                            new VertexBuffer(5, false, List.of(new VertexAttribute(0, Format.R8G8B8A8_UNORM, 1)))));
            refused(
                    () -> create(
                            rig,
                            graphics(
                                    vertex,
                                    FRAGMENT,
                                    new VertexBuffer(
                                            6, false, List.of(new VertexAttribute(0, Format.A2B10G10R10_UNORM, 0))))),
                    "needs a multiple of 4");
        }
    }

    @ParameterizedTest
    @EnumSource
    void pointsHaveASize(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            RasterState points = RasterState.TRIANGLES.with(RasterState.Topology.POINT_LIST);
            refused(
                    () -> create(rig, graphics(VERTEX, FRAGMENT).withRaster(points)),
                    "'some.VERTEX' does not write gl_PointSize");
            String sized = VERTEX.replace("gl_Position =", "gl_PointSize = 2; gl_Position =");
            create(rig, graphics(sized, FRAGMENT).withRaster(points));
            create(
                    rig,
                    graphics("out gl_PerVertex { float gl_PointSize; vec4 gl_Position; };\n" + sized, FRAGMENT)
                            .withRaster(points));
        }
    }

    @ParameterizedTest
    @EnumSource
    void coverageByAlphaNeedsAlpha(CommandRig.Backend backend) {
        MultisampleState covering = MultisampleState.of(4).withAlphaToCoverage();
        try (CommandRig rig = new CommandRig(backend)) {
            String opaque = "layout(location = 0) out vec3 o; void main() { o = vec3(1); }";
            refused(
                    () -> create(rig, graphics(VERTEX, opaque).withMultisample(covering)),
                    "'some.FRAGMENT' gives no alpha at location 0");
            create(rig, graphics(VERTEX, FRAGMENT).withMultisample(covering));
        }
    }
}
