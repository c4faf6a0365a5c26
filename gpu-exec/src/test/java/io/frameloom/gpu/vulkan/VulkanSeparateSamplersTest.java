package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.ValidatedDevice.transition;
import static io.frameloom.gpu.vulkan.ValidatedDevice.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource.Elements;
import io.frameloom.gpu.pipeline.BoundResource.SampledImage;
import io.frameloom.gpu.pipeline.BoundResource.SeparateSampler;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.Blend;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.CullMode;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Textures and samplers that are bound separately give the pictures of those that are bound together. */
@Timeout(60)
class VulkanSeparateSamplersTest {
    private static final int SIZE = 16;
    private static final String VERTEX = """
            #version 450
            const vec2 corners[3] = vec2[](vec2(-1, -1), vec2(-1, 3), vec2(3, -1));
            void main() { gl_Position = vec4(corners[gl_VertexIndex], 0.5, 1); }
            """;
    /** A quarter of the picture for each of two textures with each of two samplers. */
    private static final String QUARTERS = """
            void main() {
                vec2 at = gl_FragCoord.xy / 9.0;
                bool right = gl_FragCoord.x > 8;
                bool below = gl_FragCoord.y > 8;
                if (right) {
                    result = below ? textureLod(SECOND_LINEAR, at, 0) : textureLod(SECOND_NEAREST, at, 0);
                } else {
                    result = below ? textureLod(FIRST_LINEAR, at, 0) : textureLod(FIRST_NEAREST, at, 0);
                }
            }
            """;

    private static final String HEAD = """
            #version 450
            layout(location = 0) out vec4 result;
            """;
    private static final String TOGETHER = HEAD + """
            layout(set = 0, binding = 0) uniform sampler2D FIRST_NEAREST;
            layout(set = 0, binding = 1) uniform sampler2D FIRST_LINEAR;
            layout(set = 0, binding = 2) uniform sampler2D SECOND_NEAREST;
            layout(set = 0, binding = 3) uniform sampler2D SECOND_LINEAR;
            """ + QUARTERS;
    private static final String SEPARATELY = HEAD + """
            layout(set = 0, binding = 0) uniform texture2D first;
            layout(set = 0, binding = 1) uniform sampler nearest;
            layout(set = 1, binding = 4) uniform texture2D second;
            layout(set = 1, binding = 2) uniform sampler linear;
            #define FIRST_NEAREST sampler2D(first, nearest)
            #define FIRST_LINEAR sampler2D(first, linear)
            #define SECOND_NEAREST sampler2D(second, nearest)
            #define SECOND_LINEAR sampler2D(second, linear)
            """ + QUARTERS;
    private static final String MATERIALS = HEAD + """
            layout(set = 0, binding = 0) uniform texture2D many[2];
            layout(set = 0, binding = 1) uniform sampler several[2];
            NUMBERS
            #define FIRST_NEAREST sampler2D(many[first], several[first])
            #define FIRST_LINEAR sampler2D(many[first], several[second])
            #define SECOND_NEAREST sampler2D(many[second], several[first])
            #define SECOND_LINEAR sampler2D(many[second], several[second])
            """ + QUARTERS;

    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    private Texture first;
    private Texture second;
    private Sampler nearest;
    private Sampler linear;
    private int[] expected;

    private Texture noise(String name, int seed) {
        Texture texture = gpu.own(gpu.device()
                .createTexture(
                        name,
                        TextureDescription.of(
                                4, 4, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED, TextureUsage.COPY_DST)));
        Buffer texels =
                gpu.own(gpu.device().createBuffer("texels", BufferDescription.upload(64, BufferUsage.COPY_SRC)));
        byte[] bytes = new byte[64];
        new Random(seed).nextBytes(bytes);
        texels.mapped().put(bytes);
        gpu.execute("noise", list -> {
            list.barrier(transition(texture, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST));
            list.copyBufferToTexture(texels, 0, texture, 0, 0);
            list.barrier(transition(texture, TextureLayout.TRANSFER_DST, TextureLayout.SHADER_RO));
        });
        return texture;
    }

    private GraphicsPipeline pipeline(String name, String fragment) {
        return gpu.own(gpu.device()
                .createGraphicsPipeline(new GraphicsPipelineDescription(
                        name,
                        new ShaderSource("all.vert", ShaderStage.VERTEX, VERTEX),
                        new ShaderSource(name + ".frag", ShaderStage.FRAGMENT, fragment),
                        List.of(),
                        CullMode.NONE,
                        null,
                        Blend.NONE,
                        List.of(Format.R8G8B8A8_UNORM),
                        null)));
    }

    private int[] picture(GraphicsPipeline pipeline, Consumer<CommandList> binding) {
        Texture color = gpu.own(gpu.device()
                .createTexture(
                        "color",
                        TextureDescription.of(
                                SIZE,
                                SIZE,
                                Format.R8G8B8A8_UNORM,
                                TextureUsage.COLOR_ATTACHMENT,
                                TextureUsage.COPY_SRC)));
        Buffer pixels = gpu.own(gpu.device().createBuffer("pixels", BufferDescription.readback(SIZE * SIZE * 4)));
        gpu.execute("picture", list -> {
            list.barrier(transition(color, TextureLayout.UNDEFINED, TextureLayout.COLOR));
            list.beginRendering(new RenderingInfo(
                    SIZE,
                    SIZE,
                    List.of(new ColorAttachment(color.view(), LoadOp.CLEAR, StoreOp.STORE, new ClearColor(0, 0, 0, 1))),
                    null));
            list.bindPipeline(pipeline);
            binding.accept(list);
            list.draw(3, 1, 0, 0);
            list.endRendering();
            list.barrier(transition(color, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC));
            list.copyTextureToBuffer(color, 0, 0, pixels, 0);
        });
        return words(pixels);
    }

    @BeforeEach
    void drawWithPairs() {
        first = noise("first", 1);
        second = noise("second", 2);
        nearest = gpu.device().sampler(new SamplerDescription(false, true, false, 1));
        linear = gpu.device().sampler(SamplerDescription.LINEAR_CLAMP);
        expected = picture(pipeline("together", TOGETHER), list -> {
            list.bindTexture("FIRST_NEAREST", first.view(), nearest);
            list.bindTexture("FIRST_LINEAR", first.view(), linear);
            list.bindTexture("SECOND_NEAREST", second.view(), nearest);
            list.bindTexture("SECOND_LINEAR", second.view(), linear);
        });
        assertThat(Arrays.stream(expected).distinct().count()).isGreaterThan(30);
    }

    @Test
    void boundByName() {
        assertThat(picture(pipeline("separately", SEPARATELY), list -> {
                    list.bindSampler("nearest", nearest);
                    list.bindTexture("first", first.view());
                    list.bindTexture("second", second.view());
                    list.bindSampler("linear", linear);
                }))
                .isEqualTo(expected);
    }

    @Test
    void boundAnewOneByOne() {
        GraphicsPipeline separately = pipeline("separately", SEPARATELY);
        assertThat(picture(separately, list -> {
                    list.bindSampler("nearest", linear);
                    list.bindTexture("first", second.view());
                    list.bindTexture("second", second.view());
                    list.bindSampler("linear", linear);
                    list.draw(3, 1, 0, 0);
                    list.bindSampler("nearest", nearest);
                    list.draw(3, 1, 0, 0);
                    list.bindTexture("first", first.view());
                }))
                .isEqualTo(expected);
    }

    @Test
    void boundByASetAndByName() {
        GraphicsPipeline separately = pipeline("separately", SEPARATELY);
        BindingSet set = gpu.own(gpu.device()
                .createBindingSet(
                        "second",
                        separately,
                        1,
                        Map.of("second", new SampledImage(second.view()), "linear", new SeparateSampler(linear))));
        assertThat(picture(separately, list -> {
                    list.bindSet(set);
                    list.bindTexture("first", first.view());
                    list.bindSampler("nearest", nearest);
                }))
                .isEqualTo(expected);
    }

    @Test
    void takenFromArraysByNumbersThatAPipelineSays() {
        assertThat(fromArrays("""
                layout(constant_id = 0) const int first = 1;
                layout(constant_id = 1) const int second = 0;
                """)).isEqualTo(expected);
    }

    @Test
    void takenFromArraysByNumbersThatArePushed() {
        try {
            assertThat(fromArrays("layout(push_constant) uniform Push { int first; int second; };"))
                    .isEqualTo(expected);
        } catch (IllegalArgumentException refused) {
            assertThat(refused).hasMessageContaining("does not have feature shaderSampledImageArrayDynamicIndexing");
        }
    }

    private int[] fromArrays(String numbersDeclared) {
        GraphicsPipeline materials = pipeline("materials", MATERIALS.replace("NUMBERS", numbersDeclared));
        BindingSet set = gpu.own(gpu.device()
                .createBindingSet(
                        "materials",
                        materials,
                        0,
                        Map.of(
                                "many",
                                new Elements(List.of(new SampledImage(second.view()), new SampledImage(first.view()))),
                                "several",
                                new Elements(List.of(new SeparateSampler(linear), new SeparateSampler(nearest))))));
        ByteBuffer numbers = ByteBuffer.allocate(8).order(ByteOrder.nativeOrder());
        numbers.putInt(0, 1).putInt(4, 0);
        return picture(materials, list -> {
            list.bindSet(set);
            if (materials.pushConstantBytes() > 0) {
                list.pushConstants(numbers);
            }
        });
    }
}
