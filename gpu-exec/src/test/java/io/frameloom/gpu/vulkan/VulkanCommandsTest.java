package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.ValidatedDevice.memory;
import static io.frameloom.gpu.vulkan.ValidatedDevice.transition;
import static io.frameloom.gpu.vulkan.ValidatedDevice.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.CommandList;
import io.frameloom.gpu.ComputePipeline;
import io.frameloom.gpu.ComputePipelineDescription;
import io.frameloom.gpu.Format;
import io.frameloom.gpu.FrameContext;
import io.frameloom.gpu.GraphicsPipeline;
import io.frameloom.gpu.GraphicsPipelineDescription;
import io.frameloom.gpu.IndexType;
import io.frameloom.gpu.LoadOp;
import io.frameloom.gpu.MemoryAccess;
import io.frameloom.gpu.PipelineStage;
import io.frameloom.gpu.RenderingInfo;
import io.frameloom.gpu.RenderingInfo.ClearColor;
import io.frameloom.gpu.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.SamplerDescription;
import io.frameloom.gpu.ShaderSource;
import io.frameloom.gpu.ShaderStage;
import io.frameloom.gpu.StoreOp;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.gpu.TextureUsage;
import io.frameloom.gpu.TextureView;
import io.frameloom.gpu.TextureViewKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Views, samplers, indirect draws and secondary lists as the driver executes them: pixels and texels. */
@Timeout(60)
class VulkanCommandsTest {
    private static final int SIZE = 8;
    private static final int RED = 0xff0000ff;
    private static final int GREEN = 0xff00ff00;
    private static final int BLACK = 0xff000000;

    /** Each instance is one column of the target, in a colour of its number. */
    private static final ShaderSource COLUMNS = new ShaderSource("columns.vert", ShaderStage.VERTEX, """
            #version 450
            const vec2 corners[6] = vec2[](vec2(0, 0), vec2(0, 1), vec2(1, 1), vec2(0, 0), vec2(1, 1), vec2(1, 0));
            layout(location = 0) flat out vec4 color;
            void main() {
                vec2 corner = corners[gl_VertexIndex % 6];
                float column = float(gl_InstanceIndex);
                gl_Position = vec4((column + corner.x) / 4.0 - 1.0, corner.y * 2.0 - 1.0, 0, 1);
                color = gl_InstanceIndex % 2 == 0 ? vec4(1, 0, 0, 1) : vec4(0, 1, 0, 1);
            }
            """);

    private static final ShaderSource FLAT = new ShaderSource("flat.frag", ShaderStage.FRAGMENT, """
            #version 450
            layout(location = 0) flat in vec4 color;
            layout(location = 0) out vec4 result;
            void main() { result = color; }
            """);

    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    private Texture target() {
        return gpu.own(gpu.device()
                .createTexture(
                        "target",
                        TextureDescription.of(
                                SIZE,
                                SIZE,
                                Format.R8G8B8A8_UNORM,
                                TextureUsage.COLOR_ATTACHMENT,
                                TextureUsage.COPY_SRC)));
    }

    private GraphicsPipeline columns() {
        return gpu.own(gpu.device()
                .createGraphicsPipeline(new GraphicsPipelineDescription(
                        "columns",
                        COLUMNS,
                        FLAT,
                        List.of(),
                        GraphicsPipelineDescription.CullMode.NONE,
                        null,
                        GraphicsPipelineDescription.Blend.NONE,
                        List.of(Format.R8G8B8A8_UNORM),
                        null)));
    }

    private static RenderingInfo rendering(Texture target) {
        return new RenderingInfo(
                SIZE,
                SIZE,
                List.of(new ColorAttachment(target.view(), LoadOp.CLEAR, StoreOp.STORE, new ClearColor(0, 0, 0, 1))),
                null);
    }

    private Buffer upload(BufferUsage usage, int... words) {
        Buffer buffer = gpu.own(gpu.device()
                .createBuffer("words", BufferDescription.upload(words.length * 4L, usage, BufferUsage.COPY_SRC)));
        buffer.mapped().asIntBuffer().put(words);
        return buffer;
    }

    private Buffer readback(long bytes) {
        return gpu.own(gpu.device().createBuffer("readback", BufferDescription.readback(bytes)));
    }

    private static void readBack(CommandList list, Texture target, Buffer pixels) {
        list.barrier(transition(target, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC));
        list.copyTextureToBuffer(target, 0, 0, pixels, 0);
    }

    private static void assertColumns(Buffer pixels, int... expected) {
        int[] words = words(pixels);
        for (int i = 0; i < words.length; i++) {
            assertThat(words[i]).as("pixel " + i).isEqualTo(expected[i % SIZE]);
        }
    }

    @Test
    void drawsComeFromBuffersOneManyAndCounted() {
        Texture target = target();
        GraphicsPipeline columns = columns();
        Buffer pixels = readback(SIZE * SIZE * 4);
        // Two draws 5 words apart, then indexed ones, then the number of draws.
        Buffer arguments = upload(
                BufferUsage.INDIRECT,
                6,
                1,
                0,
                0,
                -1,
                6,
                1,
                0,
                1,
                -1,
                6,
                1,
                0,
                0,
                2,
                6,
                1,
                0,
                0,
                4,
                6,
                1,
                0,
                5,
                1,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0);
        Buffer indices = upload(BufferUsage.INDEX, 0, 1, 2, 3, 4, 5);
        boolean counted = gpu.device().capabilities().limits().drawing().drawIndirectCount();
        assumeTrue(gpu.device().capabilities().limits().drawing().multiDrawIndirect(), "one draw at a time");
        assumeTrue(counted, "no counts from buffers");

        gpu.execute("indirect", list -> {
            list.barrier(transition(target, TextureLayout.UNDEFINED, TextureLayout.COLOR));
            list.beginRendering(rendering(target));
            list.bindPipeline(columns);
            list.drawIndirect(arguments, 0, 2, 20);
            list.bindIndexBuffer(indices, 0, IndexType.UINT32);
            list.drawIndexedIndirect(arguments, 40, 2, 20);
            list.drawIndirectCount(arguments, 80, arguments, 96, 5, 16);
            list.endRendering();
            readBack(list, target, pixels);
        });

        assertColumns(pixels, RED, GREEN, RED, BLACK, RED, GREEN, BLACK, BLACK);
    }

    @Test
    void secondaryListsRecordedByOtherThreadsDrawInOneRenderPass() throws InterruptedException {
        Texture target = target();
        GraphicsPipeline columns = columns();
        Buffer pixels = readback(SIZE * SIZE * 4);
        RenderingInfo info = rendering(target);
        try (FrameContext frame = gpu.device().createFrameContext("frame")) {
            CommandList[] parts = new CommandList[SIZE];
            Thread[] threads = new Thread[SIZE];
            for (int i = 0; i < SIZE; i++) {
                int column = i;
                threads[i] = new Thread(() -> {
                    CommandList part =
                            frame.beginSecondary(gpu.graphics(), "part " + column, info.formats(), List.of());
                    part.bindPipeline(columns);
                    part.setViewport(0, 0, SIZE, SIZE);
                    part.setScissor(0, 0, SIZE, SIZE);
                    part.draw(6, 1, 0, column);
                    part.end();
                    parts[column] = part;
                });
                threads[i].start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            long value = gpu.submit(frame, "primary", list -> {
                        list.barrier(transition(target, TextureLayout.UNDEFINED, TextureLayout.COLOR));
                        list.beginRendering(info.withSecondaries());
                        list.execute(List.of(parts));
                        list.endRendering();
                        readBack(list, target, pixels);
                    })
                    .value();
            // A context whose secondary lists are pending is as busy as one with primary lists.
            assertThat(gpu.graphics().timeline().await(value, ValidatedDevice.LONG))
                    .isTrue();
        }
        assertColumns(pixels, RED, GREEN, RED, GREEN, RED, GREEN, RED, GREEN);
    }

    @Test
    void aSecondaryListIsNotSubmittedByItself() {
        try (FrameContext frame = gpu.device().createFrameContext("frame")) {
            CommandList part = frame.beginSecondary(gpu.graphics(), "part", null, List.of());
            part.end();
            assertThatThrownBy(() ->
                            gpu.graphics().submit(new io.frameloom.gpu.Submission("alone", List.of(part), List.of())))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'part'")
                    .hasMessageContaining("secondary");
        }
    }

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
        Buffer word = readback(4);
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
        Buffer upload = upload(BufferUsage.COPY_SRC, texels);
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

    @Test
    void theDeviceTellsWhatFormatsCanDo() {
        var color = gpu.device().formatSupport(Format.R8G8B8A8_UNORM);
        assertThat(color.sampled() && color.blend() && color.linearFilter() && color.blitSource())
                .isTrue();
        assertThat(color.supportsSamples(1)).isTrue();
        assertThat(color.supportsSamples(3)).isFalse();
        var depth = gpu.device().formatSupport(Format.D16_UNORM);
        assertThat(depth.depthAttachment()).isTrue();
        assertThat(depth.colorAttachment()).isFalse();
        assertThatThrownBy(() -> gpu.device().firstSupported(TextureUsage.COLOR_ATTACHMENT, Format.DEPTH_STENCIL))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("COLOR_ATTACHMENT");
        TextureDescription sixteen = TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT)
                .withSamples(64);
        assertThat(color.supportsSamples(64)).isFalse();
        assertThatThrownBy(() -> gpu.device().createTexture("many", sixteen))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'many'")
                .hasMessageContaining("64 samples");
    }

    @Test
    void labelsNestAndMark() {
        gpu.execute("labels", list -> {
            list.beginLabel("outer");
            list.insertLabel("here");
            list.beginLabel("inner");
            list.setBlendConstants(1, 0, 0, 1);
            list.endLabel();
            list.endLabel();
        });
    }
}
