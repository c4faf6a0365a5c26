package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.ValidatedDevice.memory;
import static io.frameloom.gpu.vulkan.ValidatedDevice.transition;
import static io.frameloom.gpu.vulkan.ValidatedDevice.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.resource.TextureViewKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Views and samplers as the driver executes them: texels. */
@Timeout(60)
class VulkanViewsTest {
    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    /** Runs a compute shader that samples {@code image} of a type at a coordinate, and returns 8-bit RGBA. */
    private int sample(TextureView view, SamplerDescription sampler, String type, String coordinate) {
        ComputePipeline pipeline = gpu.own(gpu.device()
                .createComputePipeline(new ComputePipelineDescription(
                        "sample",
                        new ShaderSource("sample.comp", ShaderStage.COMPUTE, """
                                #version 450
                                layout(local_size_x = 1) in;
                                layout(set = 0, binding = 0) uniform TYPE image;
                                layout(set = 0, binding = 1) buffer Result { uint result; };
                                void main() { result = packUnorm4x8(textureLod(image, COORDINATE, 0)); }
                                """.replace("TYPE", type)
                                .replace("COORDINATE", coordinate)),
                        null)));
        Buffer result = gpu.own(gpu.device()
                .createBuffer("result", BufferDescription.device(4, BufferUsage.STORAGE, BufferUsage.COPY_SRC)));
        Buffer word = gpu.own(gpu.device().createBuffer("word", BufferDescription.readback(4)));
        gpu.execute("sample", list -> {
            list.bindPipeline(pipeline);
            list.bindTexture("image", view, gpu.device().sampler(sampler));
            list.bindBuffer("Result", result, 0, 4);
            list.dispatch(1, 1, 1);
            list.barrier(memory(
                    PipelineStage.COMPUTE_SHADER,
                    MemoryAccess.STORAGE_WRITE,
                    PipelineStage.COPY,
                    MemoryAccess.COPY_READ));
            list.copyBuffer(result, 0, word, 0, 4);
        });
        return words(word)[0];
    }

    private Texture filled(TextureDescription shape, int... texels) {
        Texture texture = gpu.own(gpu.device().createTexture("filled", shape));
        Buffer upload = gpu.own(gpu.device()
                .createBuffer("texels", BufferDescription.upload(texels.length * 4L, BufferUsage.COPY_SRC)));
        upload.mapped().asIntBuffer().put(texels);
        gpu.execute("fill", list -> {
            list.barrier(transition(texture, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST));
            for (int layer = 0; layer < shape.layers(); layer++) {
                list.copyBufferToTexture(upload, 4L * layer, texture, 0, layer);
            }
            list.barrier(transition(texture, TextureLayout.TRANSFER_DST, TextureLayout.SHADER_RO));
        });
        return texture;
    }

    @Test
    void cubesAreSeenAsCubesArraysAndFaces() {
        Texture cube = filled(
                TextureDescription.cube(1, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED, TextureUsage.COPY_DST),
                1,
                2,
                3,
                4,
                5,
                6);
        SubresourceRange all = SubresourceRange.all(cube.description());
        SamplerDescription nearest = SamplerDescription.NEAREST_CLAMP;
        assertThat(cube.view().kind()).isEqualTo(TextureViewKind.CUBE);
        assertThat(sample(cube.view(), nearest, "samplerCube", "vec3(0, -1, 0)"))
                .isEqualTo(4);
        assertThat(sample(cube.view(all, TextureViewKind.TWO_D_ARRAY), nearest, "sampler2DArray", "vec3(0, 0, 4)"))
                .isEqualTo(5);
        assertThat(sample(cube.view(SubresourceRange.of(0, 2)), nearest, "sampler2D", "vec2(0)"))
                .isEqualTo(3);
        assertThat(cube.view(all, TextureViewKind.TWO_D_ARRAY))
                .isSameAs(cube.view(all, TextureViewKind.TWO_D_ARRAY))
                .isNotSameAs(cube.view());
        assertThatThrownBy(() -> cube.view(SubresourceRange.of(0, 2), TextureViewKind.CUBE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'filled'")
                .hasMessageContaining("CUBE 6");
    }

    @Test
    void volumesAndCubeArraysAreSampled() {
        Texture volume = filled(
                TextureDescription.of(1, 1, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED, TextureUsage.COPY_DST)
                        .withDepth(2),
                7,
                8);
        assertThat(sample(volume.view(), SamplerDescription.NEAREST_CLAMP, "sampler3D", "vec3(0, 0, 1)"))
                .isEqualTo(8);
        Texture cubes = filled(
                TextureDescription.of(1, 1, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED, TextureUsage.COPY_DST)
                        .withCubes(2),
                1,
                2,
                3,
                4,
                5,
                6,
                7,
                8,
                9,
                10,
                11,
                12);
        assertThat(cubes.view().kind()).isEqualTo(TextureViewKind.CUBE_ARRAY);
        assertThat(sample(cubes.view(), SamplerDescription.NEAREST_CLAMP, "samplerCubeArray", "vec4(1, 0, 0, 1)"))
                .isEqualTo(7);
    }

    @Test
    void viewsInAnotherFormatReadTheSameBytes() {
        Texture texture = filled(
                TextureDescription.of(1, 1, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED, TextureUsage.COPY_DST)
                        .withViewFormats(Format.R8G8B8A8_SRGB),
                0xFF808080);
        SubresourceRange all = SubresourceRange.all(texture.description());
        TextureView srgb = texture.view(all, TextureViewKind.TWO_D, Format.R8G8B8A8_SRGB);
        assertThat(sample(texture.view(), SamplerDescription.NEAREST_CLAMP, "sampler2D", "vec2(0)"))
                .isEqualTo(0xFF808080);
        assertThat(sample(srgb, SamplerDescription.NEAREST_CLAMP, "sampler2D", "vec2(0)"))
                .isEqualTo(0xFF373737);
        assertThatThrownBy(() -> texture.view(all, TextureViewKind.TWO_D, Format.R32_UINT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'filled'")
                .hasMessageContaining("withViewFormats");
    }

    @Test
    void samplersHaveBordersMirrorsAndReductions() {
        TextureDescription shape =
                TextureDescription.of(2, 1, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED, TextureUsage.COPY_DST);
        Texture texture = filled(shape, 0x01010101, 0x05050505);
        SamplerDescription nearest = SamplerDescription.NEAREST_CLAMP;
        assertThat(sample(
                        texture.view(),
                        nearest.withBorder(SamplerDescription.Border.OPAQUE_WHITE),
                        "sampler2D",
                        "vec2(-1, 0)"))
                .isEqualTo(-1);
        assertThat(sample(
                        texture.view(),
                        nearest.withAddress(SamplerDescription.Address.MIRRORED_REPEAT),
                        "sampler2D",
                        "vec2(1.25, 0)"))
                .isEqualTo(0x05050505);
        SamplerDescription largest = SamplerDescription.LINEAR_CLAMP.withReduction(SamplerDescription.Reduction.MAX);
        assumeTrue(gpu.device().formatSupport(Format.R32_SFLOAT).reduction());
        Texture heights = filled(
                TextureDescription.of(2, 1, Format.R32_SFLOAT, TextureUsage.SAMPLED, TextureUsage.COPY_DST),
                Float.floatToRawIntBits(0.2f),
                Float.floatToRawIntBits(0.6f));
        assertThat(sample(heights.view(), largest, "sampler2D", "vec2(0.5, 0.5)"))
                .isEqualTo(0xFF000099);
    }
}
