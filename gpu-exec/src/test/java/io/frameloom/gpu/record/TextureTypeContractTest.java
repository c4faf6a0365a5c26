package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.pipeline.BoundResource.SampledTexture;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A texture that a shader takes for something else is refused by all backends, in the same words. */
@Timeout(60)
class TextureTypeContractTest {
    private static final TextureDescription COLOR =
            TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED);
    private static final TextureDescription WORDS =
            TextureDescription.of(8, 8, Format.R32_UINT, TextureUsage.SAMPLED, TextureUsage.STORAGE);
    private static final TextureDescription DEPTH =
            TextureDescription.of(8, 8, Format.D32_SFLOAT, TextureUsage.SAMPLED, TextureUsage.DEPTH_ATTACHMENT);
    private static final TextureDescription SAMPLES = TextureDescription.of(
                    8, 8, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED, TextureUsage.COLOR_ATTACHMENT)
            .withSamples(4);

    /** A texture for a sampler of a shader, and what is said of it; nothing if it fits. */
    private record Case(
            String declared,
            String expression,
            TextureDescription texture,
            SamplerDescription sampler,
            List<String> words) {
        String glsl() {
            return """
                    #version 450
                    layout(local_size_x = 1) in;
                    layout(set = 0, binding = 0) uniform %s t;
                    layout(set = 0, binding = 1) buffer Out { vec4 found; };
                    void main() { found = vec4(%s); }
                    """.formatted(declared, expression);
        }
    }

    private static Case nearest(String declared, String expression, TextureDescription texture, String... words) {
        return new Case(declared, expression, texture, SamplerDescription.NEAREST_CLAMP, List.of(words));
    }

    private static List<Case> cases() {
        String flat = "texture(t, vec2(0.5))";
        String deep = "texture(t, vec3(0.5))";
        return List.of(
                nearest("sampler2D", flat, COLOR),
                nearest("sampler2D", flat, COLOR.withDepth(4), "seen as THREE_D, the shader takes TWO_D"),
                nearest("sampler2D", flat, COLOR.withLayers(2), "seen as TWO_D_ARRAY, the shader takes TWO_D"),
                nearest("sampler2D", flat, COLOR.withCubes(1), "seen as CUBE, the shader takes TWO_D"),
                nearest("sampler2D", flat, WORDS, "seen as R32_UINT", "numbers are UINT, the shader takes FLOAT"),
                nearest("isampler2D", flat, WORDS, "numbers are UINT, the shader takes SINT"),
                nearest("usampler2D", flat, WORDS),
                nearest("sampler3D", deep, COLOR.withDepth(4)),
                nearest("sampler3D", deep, COLOR, "seen as TWO_D, the shader takes THREE_D"),
                nearest("samplerCube", deep, COLOR.withCubes(1)),
                nearest("samplerCube", deep, COLOR, "seen as TWO_D, the shader takes CUBE"),
                nearest("samplerCubeArray", "texture(t, vec4(0.5))", COLOR.withCubes(2)),
                nearest("sampler2DArray", deep, COLOR.withLayers(2)),
                nearest("sampler2DArray", deep, COLOR, "seen as TWO_D, the shader takes TWO_D_ARRAY"),
                nearest("sampler2DMS", "texelFetch(t, ivec2(0), 0)", SAMPLES),
                nearest("sampler2DMS", "texelFetch(t, ivec2(0), 0)", COLOR, "has 1 sample, the shader takes one of"),
                nearest("sampler2D", flat, SAMPLES, "has 4 samples, the shader takes one of a single"),
                new Case("sampler2DShadow", deep, DEPTH, SamplerDescription.SHADOW, List.of()),
                nearest("sampler2D", flat, DEPTH),
                nearest(
                        "sampler2DShadow",
                        deep,
                        DEPTH,
                        "sampler that does not compare, the shader takes one that does"),
                new Case(
                        "sampler2DShadow",
                        deep,
                        COLOR,
                        SamplerDescription.SHADOW,
                        List.of("has no depth that its sampler could compare")),
                new Case(
                        "sampler2D",
                        flat,
                        DEPTH,
                        SamplerDescription.SHADOW,
                        List.of("sampler that compares, the shader takes one that does not")),
                new Case(
                        "usampler2D",
                        flat,
                        WORDS,
                        SamplerDescription.LINEAR_CLAMP,
                        List.of("sampler with linear filters, but is seen as R32_UINT", "cannot filter")));
    }

    @ParameterizedTest
    @EnumSource
    void samplersTakeTheTexturesThatTheyDeclare(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Buffer out = rig.buffer("out", 16, BufferUsage.STORAGE);
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            List<String> accepted = new ArrayList<>();
            for (Case each : cases()) {
                ComputePipeline pipeline = rig.compute(each.declared, each.glsl(), invocation -> {});
                Texture texture = rig.texture("given", each.texture);
                Sampler sampler = rig.device.sampler(each.sampler);
                list.bindPipeline(pipeline);
                if (each.words.isEmpty()) {
                    list.bindTexture("t", texture.view(), sampler);
                    continue;
                }
                try {
                    list.bindTexture("t", texture.view(), sampler);
                    accepted.add(each.declared + " of " + each.texture);
                } catch (IllegalArgumentException refused) {
                    assertThat(refused.getMessage())
                            .startsWith("texture 'given' bound to 't' of pipeline '" + each.declared + "' ")
                            .contains(each.words);
                }
                assertThatThrownBy(() -> rig.device.createBindingSet(
                                "set",
                                pipeline,
                                0,
                                Map.of(
                                        "t",
                                        new SampledTexture(texture.view(), sampler),
                                        "Out",
                                        new BufferRange(out, 0, 16))))
                        .as(each.declared)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContainingAll(each.words.toArray(String[]::new));
            }
            assertThat(accepted).isEmpty();
            list.end();
        }
    }

    @ParameterizedTest
    @EnumSource
    void imagesTakeTheTexturesThatTheyDeclare(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            Texture deep = rig.texture("deep", WORDS.withDepth(4));
            Texture flat = rig.texture("flat", WORDS);
            list.bindPipeline(rig.compute("image", """
                    #version 450
                    layout(local_size_x = 1) in;
                    layout(set = 0, binding = 0, r32ui) uniform uimage2D t;
                    void main() { imageStore(t, ivec2(0), uvec4(1)); }
                    """, invocation -> {}));
            list.bindStorageTexture("t", flat.view());
            assertThatThrownBy(() -> list.bindStorageTexture("t", deep.view()))
                    .hasMessageContaining("'deep'")
                    .hasMessageContaining("seen as THREE_D, the shader takes TWO_D");
            list.bindPipeline(rig.compute("anyFormat", """
                    #version 450
                    layout(local_size_x = 1) in;
                    layout(set = 0, binding = 0) writeonly uniform image2D t;
                    void main() { imageStore(t, ivec2(0), vec4(1)); }
                    """, invocation -> {}));
            assertThatThrownBy(() -> list.bindStorageTexture("t", flat.view()))
                    .hasMessageContaining("numbers are UINT, the shader takes FLOAT");
            list.end();
        }
    }

    /** The layouts of the two are equal to Vulkan. */
    @ParameterizedTest
    @EnumSource
    void aSetOfOneTypeDoesNotFitAPipelineOfAnother(CommandRig.Backend backend) {
        Case flat = nearest("sampler2D", "texture(t, vec2(0.5))", COLOR);
        Case deep = nearest("sampler3D", "texture(t, vec3(0.5))", COLOR);
        try (CommandRig rig = new CommandRig(backend)) {
            Buffer out = rig.buffer("out", 16, BufferUsage.STORAGE);
            Texture texture = rig.texture("given", COLOR);
            ComputePipeline first = rig.compute("flat", flat.glsl(), invocation -> {});
            ComputePipeline second = rig.compute("deep", deep.glsl(), invocation -> {});
            Sampler sampler = rig.device.sampler(SamplerDescription.NEAREST_CLAMP);
            try (BindingSet set = rig.device.createBindingSet(
                    "set",
                    first,
                    0,
                    Map.of("t", new SampledTexture(texture.view(), sampler), "Out", new BufferRange(out, 0, 16)))) {
                CommandList list = rig.frame.beginCommands(rig.queue(), "list");
                list.bindPipeline(first);
                list.bindSet(set);
                list.bindPipeline(second);
                assertThatThrownBy(() -> list.bindSet(set))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("'set'")
                        .hasMessageContaining("'deep'");
                list.end();
            }
        }
    }
}
