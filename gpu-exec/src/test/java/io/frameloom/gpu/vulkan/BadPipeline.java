package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.Blend;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.CullMode;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexAttribute;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.pipeline.MultisampleState;
import io.frameloom.gpu.pipeline.RasterState;
import io.frameloom.gpu.pipeline.ShaderIncludes;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.pipeline.SpecializationValue;
import io.frameloom.gpu.pipeline.TargetBlend;
import io.frameloom.gpu.resource.Format;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A description with which something is wrong.
 *
 * @param name what is wrong
 * @param attempt what is refused
 * @param parts of the message
 */
record BadPipeline(String name, Consumer<GpuDevice> attempt, List<String> parts) {
    private static final String COMPUTE = "#version 450\nlayout(local_size_x = 1) in;\n";
    static final String PLAIN_VERTEX = "void main() { gl_Position = vec4(0, 0, 0, 1); }\n";
    static final String WHITE = "layout(location = 0) out vec4 color;\nvoid main() { color = vec4(1); }\n";
    private static final VertexBuffer POSITIONS =
            new VertexBuffer(12, false, List.of(new VertexAttribute(0, Format.R32G32B32_SFLOAT, 0)));

    BadPipeline(String name, Consumer<GpuDevice> attempt, String... parts) {
        this(name, attempt, List.of(parts));
    }

    @Override
    public String toString() {
        return name;
    }

    static String lines(String... lines) {
        return String.join("\n", lines) + "\n";
    }

    private static ShaderSource compute(String body) {
        return new ShaderSource("bad.comp", ShaderStage.COMPUTE, COMPUTE + body);
    }

    private static ShaderSource compute(String body, String sizes) {
        return new ShaderSource("bad.comp", ShaderStage.COMPUTE, "#version 450\nlayout(" + sizes + ") in;\n" + body);
    }

    /** A pipeline for other attachments; nothing is said of its shaders, which need not be compiled. */
    private static GraphicsPipelineDescription drawnTo(List<Format> colors, @Nullable Format depth) {
        return new GraphicsPipelineDescription(
                "broken",
                new ShaderSource("bad.vert", ShaderStage.VERTEX, "#version 450\n" + PLAIN_VERTEX),
                new ShaderSource("bad.frag", ShaderStage.FRAGMENT, "#version 450\n" + WHITE),
                List.of(),
                CullMode.NONE,
                null,
                Blend.NONE,
                colors,
                depth);
    }

    private static BadPipeline compute(String name, ShaderSource shader, String... parts) {
        return new BadPipeline(
                name,
                device -> device.createComputePipeline(new ComputePipelineDescription("broken", shader, null)),
                parts);
    }

    static GraphicsPipelineDescription describe(
            String vertex, String fragment, List<VertexBuffer> buffers, Format format) {
        return new GraphicsPipelineDescription(
                "broken",
                new ShaderSource("bad.vert", ShaderStage.VERTEX, "#version 450\n" + vertex),
                new ShaderSource("bad.frag", ShaderStage.FRAGMENT, "#version 450\n" + fragment),
                buffers,
                CullMode.NONE,
                null,
                Blend.NONE,
                List.of(format),
                null);
    }

    private static BadPipeline graphics(
            String name, String vertex, String fragment, List<VertexBuffer> buffers, String... parts) {
        return new BadPipeline(
                name,
                device -> device.createGraphicsPipeline(describe(vertex, fragment, buffers, Format.R8G8B8A8_UNORM)),
                parts);
    }

    static Stream<BadPipeline> onBothDevices() {
        String push = lines(
                "layout(push_constant) uniform Push { vec4 many[1000]; };",
                "layout(binding = 0) buffer Out { vec4 found; };",
                "void main() { found = many[3]; }");
        ShaderSource constants = compute(lines(
                "layout(constant_id = 4) const uint COUNT = 1u;",
                "layout(binding = 0) buffer Out { uint found; };",
                "void main() { found = COUNT; }"));
        return Stream.of(
                compute("GLSL that does not compile", compute("void main() { oops(); }\n"), "bad.comp:3", "oops"),
                compute(
                        "an included file that does not compile",
                        compute("#include \"a.glsl\"\nvoid main() {}\n")
                                .withIncludes(ShaderIncludes.of(Map.of("a.glsl", "\nfloat f() { return x; }\n"))),
                        "a.glsl:2",
                        "included from bad.comp:3"),
                compute(
                        "no SPIR-V",
                        ShaderSource.spirv("bad.spv", ShaderStage.COMPUTE, new byte[24], "main"),
                        "'bad.spv'",
                        "word 0"),
                compute("push constants beyond the limit", compute(push), "'broken'", "16000 bytes of push constants"),
                compute(
                        "an unknown specialization constant",
                        constants.withConstant("SIZE", SpecializationValue.ofUint(1)),
                        "'broken'",
                        "'bad.comp'",
                        "'SIZE'",
                        "'COUNT' (id 4, UINT)"),
                compute(
                        "an unknown specialization constant by id",
                        constants.withConstant(5, SpecializationValue.ofUint(1)),
                        "of id 5",
                        "'COUNT' (id 4, UINT)"),
                compute(
                        "a specialization constant of another type",
                        constants.withConstant("COUNT", SpecializationValue.ofFloat(1)),
                        "'COUNT' (id 4, UINT)",
                        "FLOAT 1.0"),
                compute(
                        "a specialization constant twice",
                        constants
                                .withConstant("COUNT", SpecializationValue.ofUint(1))
                                .withConstant(4, SpecializationValue.ofUint(2)),
                        "two values",
                        "'COUNT'"),
                graphics(
                        "two bindings of one name",
                        "layout(binding = 0) uniform Same { vec4 place; };\nvoid main() { gl_Position = place; }\n",
                        lines(
                                "layout(binding = 1) uniform Same { vec4 tint; };",
                                "layout(location = 0) out vec4 color;",
                                "void main() { color = tint; }"),
                        List.of(),
                        "'broken'",
                        "two bindings named 'Same'"),
                graphics(
                        "two stages that disagree on a binding",
                        "layout(binding = 0) uniform Camera { vec4 place; };\nvoid main() { gl_Position = place; }\n",
                        lines(
                                "layout(binding = 0) uniform sampler2D albedo;",
                                "layout(location = 0) out vec4 color;",
                                "void main() { color = texture(albedo, vec2(0)); }"),
                        List.of(),
                        "'broken'",
                        "'bad.frag'",
                        "'albedo'",
                        "'Camera'"),
                graphics(
                        "a location that the stage before does not give",
                        PLAIN_VERTEX,
                        lines(
                                "layout(location = 3) in vec3 normal;",
                                "layout(location = 0) out vec4 color;",
                                "void main() { color = vec4(normal, 1); }"),
                        List.of(),
                        "'bad.frag' takes vec3 'normal' at location 3",
                        "'bad.vert' does not give"),
                graphics(
                        "a location of another type",
                        "layout(location = 1) flat out uint kind;\nvoid main() { kind = 1; gl_Position = vec4(0); }\n",
                        lines(
                                "layout(location = 1) in float kind;",
                                "layout(location = 0) out vec4 color;",
                                "void main() { color = vec4(kind); }"),
                        List.of(),
                        "float 'kind' at location 1",
                        "uint 'kind' at location 1"),
                graphics(
                        "a location of fewer components",
                        "layout(location = 1) out vec2 uv;\nvoid main() { uv = vec2(0); gl_Position = vec4(0); }\n",
                        lines(
                                "layout(location = 1) in vec4 uv;",
                                "layout(location = 0) out vec4 color;",
                                "void main() { color = uv; }"),
                        List.of(),
                        "vec4 'uv' at location 1",
                        "vec2 'uv' at location 1"),
                graphics(
                        "a vertex attribute that no buffer has",
                        "layout(location = 2) in vec3 normal;\nvoid main() { gl_Position = vec4(normal, 1); }\n",
                        WHITE,
                        List.of(POSITIONS),
                        "'bad.vert' takes vec3 'normal' at location 2",
                        "[0]"),
                graphics(
                        "a vertex attribute of another type",
                        "layout(location = 0) in uvec3 place;\nvoid main() { gl_Position = vec4(place, 1); }\n",
                        WHITE,
                        List.of(POSITIONS),
                        "uvec3 'place' at location 0",
                        "R32G32B32_SFLOAT",
                        "FLOAT"),
                new BadPipeline(
                        "a colour output of another type",
                        device -> device.createGraphicsPipeline(
                                describe(PLAIN_VERTEX, WHITE, List.of(), Format.R32_UINT)),
                        "vec4 'color' at location 0",
                        "R32_UINT"));
    }

    static Stream<BadPipeline> beyondTheDevice() {
        GraphicsPipelineDescription plain = describe(PLAIN_VERTEX, WHITE, List.of(), Format.R8G8B8A8_UNORM);
        return Stream.of(
                new BadPipeline(
                        "integers that are blended",
                        device -> device.createGraphicsPipeline(describe(
                                        PLAIN_VERTEX,
                                        "layout(location = 0) out uint color;\nvoid main() { color = 1; }\n",
                                        List.of(),
                                        Format.R32_UINT)
                                .withBlends(List.of(TargetBlend.ADDED))),
                        "'broken' blends colour attachment 0 of format R32_UINT"),
                new BadPipeline(
                        "vertices of a format for depth",
                        device -> device.createGraphicsPipeline(describe(
                                PLAIN_VERTEX,
                                WHITE,
                                List.of(new VertexBuffer(
                                        4, false, List.of(new VertexAttribute(0, Format.D32_SFLOAT, 0)))),
                                Format.R8G8B8A8_UNORM)),
                        "vertex attribute of format D32_SFLOAT at location 0"),
                new BadPipeline(
                        "too many samples",
                        device -> device.createGraphicsPipeline(plain.withMultisample(MultisampleState.of(64))),
                        "'broken'",
                        "64 samples"),
                new BadPipeline(
                        "a vertex attribute at a location beyond the limit",
                        device -> device.createGraphicsPipeline(describe(
                                PLAIN_VERTEX,
                                WHITE,
                                List.of(new VertexBuffer(
                                        4, false, List.of(new VertexAttribute(5000, Format.R32_SFLOAT, 0)))),
                                Format.R8G8B8A8_UNORM)),
                        "location 5000"),
                new BadPipeline(
                        "vertices too far apart",
                        device -> device.createGraphicsPipeline(describe(
                                PLAIN_VERTEX,
                                WHITE,
                                List.of(new VertexBuffer(1 << 24, false, List.of())),
                                Format.R8G8B8A8_UNORM)),
                        "16777216 bytes apart"),
                new BadPipeline(
                        "too many vertex buffers",
                        device -> device.createGraphicsPipeline(describe(
                                PLAIN_VERTEX,
                                WHITE,
                                Collections.nCopies(65, new VertexBuffer(4, false, List.of())),
                                Format.R8G8B8A8_UNORM)),
                        "'broken' has 65 vertex buffers"),
                compute(
                        "a set of too large a number",
                        compute(
                                "layout(set = 32, binding = 0) buffer Out { uint found; };\nvoid main() { found = 1; }\n"),
                        "'broken' has binding 'Out'",
                        "set 32",
                        "the device allows sets 0 to"),
                compute(
                        "a workgroup too wide",
                        compute("void main() {}\n", "local_size_x_id = 1")
                                .withConstant(1, SpecializationValue.ofUint(70_000)),
                        "'broken'",
                        "'bad.comp' has 70000 invocations in x",
                        "the device allows 1 to"),
                compute(
                        "a workgroup of too many invocations",
                        compute("void main() {}\n", "local_size_x = 128, local_size_y = 128, local_size_z = 64"),
                        "'broken'",
                        "'bad.comp' has 1048576 invocations, the device allows"),
                new BadPipeline(
                        "too many colour attachments",
                        device -> device.createGraphicsPipeline(
                                drawnTo(Collections.nCopies(65, Format.R8G8B8A8_UNORM), null)),
                        "'broken' has 65 colour attachments",
                        "the device allows"),
                new BadPipeline(
                        "a colour attachment that is compressed",
                        device -> device.createGraphicsPipeline(drawnTo(List.of(Format.BC1_RGBA_UNORM), null)),
                        "colour attachment 0 of format BC1_RGBA_UNORM",
                        "cannot draw to"),
                new BadPipeline(
                        "a vertex attribute at an offset beyond the limit",
                        device -> device.createGraphicsPipeline(describe(
                                PLAIN_VERTEX,
                                WHITE,
                                List.of(new VertexBuffer(
                                        4, false, List.of(new VertexAttribute(0, Format.R32_SFLOAT, 1 << 24)))),
                                Format.R8G8B8A8_UNORM)),
                        "vertex attribute at byte 16777216"));
    }

    static Stream<BadPipeline> onVulkan() {
        return Stream.of(compute(
                "a capability of a feature that is not on",
                compute(lines(
                        "#extension GL_ARB_sparse_texture2 : require",
                        "layout(binding = 0) buffer Out { vec4 found; };",
                        "layout(binding = 1) uniform sampler2D t;",
                        "void main() { vec4 x; sparseTextureLodARB(t, vec2(0), 0, x); found = x; }")),
                "'broken'",
                "'bad.comp' declares SPIR-V capability 41",
                "shaderResourceResidency"));
    }

    static Stream<BadPipeline> descriptions() {
        GraphicsPipelineDescription plain = describe(PLAIN_VERTEX, WHITE, List.of(), Format.R8G8B8A8_UNORM);
        return Stream.of(
                new BadPipeline(
                        "a wrong stage",
                        device -> compute("", plain.vertexShader()).attempt.accept(device),
                        "'bad.vert' is VERTEX"),
                new BadPipeline(
                        "a wrong stage of a graphics pipeline",
                        device -> new GraphicsPipelineDescription(
                                "broken",
                                compute("void main() {}\n"),
                                null,
                                List.of(),
                                CullMode.NONE,
                                null,
                                Blend.NONE,
                                List.of(),
                                null),
                        "'bad.comp' is COMPUTE"),
                new BadPipeline(
                        "stencil without a format of stencil",
                        device -> plain.withStencil(null, Format.D32_SFLOAT),
                        "D32_SFLOAT"),
                new BadPipeline(
                        "depth in a format of stencil alone",
                        device -> drawnTo(List.of(Format.R8G8B8A8_UNORM), Format.S8_UINT),
                        "depth format S8_UINT, which has no depth"),
                new BadPipeline(
                        "blends of another number", device -> plain.withBlends(List.of()), "1 colour formats and 0"),
                new BadPipeline(
                        "a restart of lists",
                        device -> new RasterState(
                                RasterState.Topology.TRIANGLE_LIST,
                                true,
                                RasterState.PolygonMode.FILL,
                                RasterState.FrontFace.CLOCKWISE,
                                false),
                        "TRIANGLE_LIST"),
                new BadPipeline("three samples", device -> MultisampleState.of(3), "got 3"),
                new BadPipeline("a fifth channel", device -> TargetBlend.OVER.withWriteMask(16), "got 16"),
                new BadPipeline(
                        "two attributes at one location",
                        device -> describe(PLAIN_VERTEX, WHITE, List.of(POSITIONS, POSITIONS), Format.R8G8B8A8_UNORM),
                        "location 0"));
    }
}
