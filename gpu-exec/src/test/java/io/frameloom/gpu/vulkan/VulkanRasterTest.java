package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.ValidatedDevice.transition;
import static io.frameloom.gpu.vulkan.ValidatedDevice.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.IndexType;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.RenderingInfo.DepthAttachment;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.Blend;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.CullMode;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthCompare;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthState;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexAttribute;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.resource.TextureViewKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(60)
class VulkanRasterTest {
    private static final int SIZE = 64;
    private static final int CLEAR = 0xff000000;
    private static final int RED = 0xff0000ff;
    private static final int GREEN = 0xff00ff00;

    /** Covers the half of the target below the diagonal from top left to bottom right. */
    private static final ShaderSource HALF = new ShaderSource("half.vert", ShaderStage.VERTEX, """
            #version 450
            const vec2 corners[3] = vec2[](vec2(-1, -1), vec2(-1, 1), vec2(1, 1));
            void main() { gl_Position = vec4(corners[gl_VertexIndex], 0.5, 1); }
            """);

    private static final ShaderSource LAYERED = new ShaderSource("layered.vert", ShaderStage.VERTEX, """
            #version 450
            #extension GL_ARB_shader_viewport_layer_array : require
            const vec2 corners[3] = vec2[](vec2(-1, -1), vec2(-1, 3), vec2(3, -1));
            layout(location = 0) flat out vec4 color;
            void main() {
                gl_Position = vec4(corners[gl_VertexIndex], 0.5, 1);
                gl_Layer = gl_InstanceIndex;
                color = gl_InstanceIndex == 0 ? vec4(1, 0, 0, 1) : vec4(0, 1, 0, 1);
            }
            """);

    private static final ShaderSource PUSHED_COLOR = new ShaderSource("pushed.frag", ShaderStage.FRAGMENT, """
            #version 450
            layout(push_constant) uniform Push { vec4 color; };
            layout(location = 0) out vec4 result;
            void main() { result = color; }
            """);

    private static final ShaderSource FROM_BUFFERS = new ShaderSource("buffers.vert", ShaderStage.VERTEX, """
            #version 450
            layout(location = 0) in vec3 position;
            layout(location = 1) in vec4 tint;
            layout(location = 0) flat out vec4 color;
            void main() { gl_Position = vec4(position, 1); color = tint; }
            """);

    private static final ShaderSource PASS_COLOR = new ShaderSource("pass.frag", ShaderStage.FRAGMENT, """
            #version 450
            layout(location = 0) flat in vec4 color;
            layout(location = 0) out vec4 result;
            void main() { result = color; }
            """);

    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    private Texture target(Format format, TextureUsage usage) {
        return gpu.own(gpu.device()
                .createTexture(
                        "target " + format, TextureDescription.of(SIZE, SIZE, format, usage, TextureUsage.COPY_SRC)));
    }

    private GraphicsPipeline pipeline(
            ShaderSource vertex, ShaderSource fragment, List<VertexBuffer> buffers, @Nullable DepthState depth) {
        return gpu.own(gpu.device()
                .createGraphicsPipeline(new GraphicsPipelineDescription(
                        "triangles",
                        vertex,
                        fragment,
                        buffers,
                        CullMode.NONE,
                        depth,
                        Blend.NONE,
                        List.of(Format.R8G8B8A8_UNORM),
                        depth == null ? null : Format.D32_SFLOAT)));
    }

    private static RenderingInfo rendering(Texture color, @Nullable Texture depth) {
        return new RenderingInfo(
                SIZE,
                SIZE,
                List.of(new ColorAttachment(color.view(), LoadOp.CLEAR, StoreOp.STORE, new ClearColor(0, 0, 0, 1))),
                depth == null ? null : new DepthAttachment(depth.view(), LoadOp.CLEAR, StoreOp.STORE, 1, false));
    }

    private static ByteBuffer rgba(float red, float green, float blue, float alpha) {
        ByteBuffer bytes = ByteBuffer.allocate(16).order(ByteOrder.nativeOrder());
        bytes.asFloatBuffer().put(new float[] {red, green, blue, alpha});
        return bytes;
    }

    private static void readBack(CommandList list, Texture color, Buffer pixels) {
        list.barrier(transition(color, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC));
        list.copyTextureToBuffer(color, 0, 0, pixels, 0);
    }

    private Buffer pixels() {
        return gpu.own(gpu.device().createBuffer("pixels", BufferDescription.readback(SIZE * SIZE * 4)));
    }

    private static int at(int[] pixels, int x, int y) {
        return pixels[y * SIZE + x];
    }

    @Test
    void vertexShadersChooseTheLayerThatIsDrawnTo() {
        Texture color = gpu.own(gpu.device()
                .createTexture(
                        "layers",
                        TextureDescription.of(
                                        SIZE,
                                        SIZE,
                                        Format.R8G8B8A8_UNORM,
                                        TextureUsage.COLOR_ATTACHMENT,
                                        TextureUsage.COPY_SRC)
                                .withLayers(2)));
        GraphicsPipeline pipeline = pipeline(LAYERED, PASS_COLOR, List.of(), null);
        Buffer first = pixels();
        Buffer second = pixels();

        gpu.execute("layers", list -> {
            list.barrier(transition(color, TextureLayout.UNDEFINED, TextureLayout.COLOR));
            list.beginRendering(rendering(color, null).withLayers(2));
            list.bindPipeline(pipeline);
            list.draw(3, 2, 0, 0);
            list.endRendering();
            list.barrier(transition(color, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC));
            list.copyTextureToBuffer(color, 0, 0, first, 0);
            list.copyTextureToBuffer(color, 0, 1, second, 0);
        });

        assertThat(words(first)).containsOnly(RED);
        assertThat(words(second)).containsOnly(GREEN);
    }

    @Test
    void vertexShadersChooseTheSliceThatIsDrawnTo() {
        Texture volume = gpu.own(gpu.device()
                .createTexture(
                        "volume",
                        TextureDescription.of(
                                        SIZE,
                                        SIZE,
                                        Format.R8G8B8A8_UNORM,
                                        TextureUsage.COLOR_ATTACHMENT,
                                        TextureUsage.COPY_SRC)
                                .withDepth(4)));
        TextureView slices = volume.view(new SubresourceRange(0, 1, 1, 2, 0, 1), TextureViewKind.TWO_D_ARRAY);
        RenderingInfo info = new RenderingInfo(
                        SIZE,
                        SIZE,
                        List.of(new ColorAttachment(slices, LoadOp.CLEAR, StoreOp.STORE, new ClearColor(0, 0, 0, 1))),
                        null)
                .withLayers(2);
        TextureRegion all = TextureRegion.mip(volume.description(), 0);
        GraphicsPipeline pipeline = pipeline(LAYERED, PASS_COLOR, List.of(), null);
        Buffer first = pixels();
        Buffer second = pixels();

        gpu.execute("slices", list -> {
            list.barrier(transition(volume, TextureLayout.UNDEFINED, TextureLayout.COLOR));
            list.beginRendering(info);
            list.bindPipeline(pipeline);
            list.draw(3, 2, 0, 0);
            list.endRendering();
            list.barrier(transition(volume, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC));
            list.copyTextureToBuffer(volume, all.withSlices(1, 1), first, TexelLayout.tight(0));
            list.copyTextureToBuffer(volume, all.withSlices(2, 1), second, TexelLayout.tight(0));
        });

        assertThat(words(first)).containsOnly(RED);
        assertThat(words(second)).containsOnly(GREEN);
    }

    @Test
    void drawsATriangleWithoutVertexBuffers() {
        Texture color = target(Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT);
        GraphicsPipeline pipeline = pipeline(HALF, PUSHED_COLOR, List.of(), null);
        Buffer pixels = pixels();

        gpu.execute("triangle", list -> {
            list.barrier(transition(color, TextureLayout.UNDEFINED, TextureLayout.COLOR));
            list.beginRendering(rendering(color, null));
            list.bindPipeline(pipeline);
            list.pushConstants(rgba(1, 0, 0, 1));
            list.draw(3, 1, 0, 0);
            list.endRendering();
            readBack(list, color, pixels);
        });

        int[] image = words(pixels);
        for (int y = 0; y < SIZE; y++) {
            for (int x = 0; x < SIZE; x++) {
                if (x != y) {
                    assertThat(at(image, x, y)).as("pixel %d,%d", x, y).isEqualTo(x < y ? RED : CLEAR);
                }
            }
        }
    }

    @Test
    void viewportAndScissorLimitWhatIsDrawn() {
        Texture color = target(Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT);
        GraphicsPipeline pipeline = pipeline(HALF, PUSHED_COLOR, List.of(), null);
        Buffer pixels = pixels();

        gpu.execute("clipped", list -> {
            list.barrier(transition(color, TextureLayout.UNDEFINED, TextureLayout.COLOR));
            list.beginRendering(rendering(color, null));
            list.bindPipeline(pipeline);
            list.pushConstants(rgba(1, 0, 0, 1));
            list.setScissor(0, SIZE / 2, SIZE / 4, SIZE / 2);
            list.draw(3, 1, 0, 0);
            list.setScissor(0, 0, SIZE, SIZE);
            list.setViewport(SIZE / 2f, 0, SIZE / 2f, SIZE / 2f);
            list.pushConstants(rgba(0, 1, 0, 1));
            list.draw(3, 1, 0, 0);
            list.endRendering();
            readBack(list, color, pixels);
        });

        int[] image = words(pixels);
        assertThat(at(image, 2, SIZE - 2)).isEqualTo(RED);
        assertThat(at(image, 2, SIZE / 2 - 2)).isEqualTo(CLEAR);
        assertThat(at(image, SIZE / 4 + 1, SIZE - 2)).isEqualTo(CLEAR);
        assertThat(at(image, SIZE / 2 + 1, SIZE / 2 - 2)).isEqualTo(GREEN);
        assertThat(at(image, SIZE - 2, SIZE - 2)).isEqualTo(CLEAR);
    }

    /** As engines draw whose clip coordinates have y up. */
    @Test
    void aViewportOfNegativeHeightTurnsThePictureOver() {
        Texture color = target(Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT);
        GraphicsPipeline pipeline = pipeline(HALF, PUSHED_COLOR, List.of(), null);
        Buffer pixels = pixels();

        gpu.execute("turned", list -> {
            list.barrier(transition(color, TextureLayout.UNDEFINED, TextureLayout.COLOR));
            list.beginRendering(rendering(color, null));
            list.bindPipeline(pipeline);
            list.pushConstants(rgba(1, 0, 0, 1));
            list.setViewport(0, SIZE, SIZE, -SIZE);
            list.draw(3, 1, 0, 0);
            list.endRendering();
            readBack(list, color, pixels);
        });

        int[] image = words(pixels);
        for (int y = 0; y < SIZE; y++) {
            for (int x = 0; x < SIZE; x++) {
                int mirrored = SIZE - 1 - y;
                if (x != mirrored) {
                    assertThat(at(image, x, y)).as("pixel %d,%d", x, y).isEqualTo(x < mirrored ? RED : CLEAR);
                }
            }
        }
    }

    @Test
    void depthsAreThoseOfTheViewport() {
        Texture color = target(Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT);
        Texture depth = target(Format.D32_SFLOAT, TextureUsage.DEPTH_ATTACHMENT);
        GraphicsPipeline pipeline =
                pipeline(HALF, PUSHED_COLOR, List.of(), new DepthState(DepthCompare.ALWAYS, true, 0, 0));
        Buffer depths = gpu.own(gpu.device().createBuffer("depths", BufferDescription.readback(SIZE * SIZE * 4)));

        gpu.execute("depths", list -> {
            list.barrier(transition(color, TextureLayout.UNDEFINED, TextureLayout.COLOR));
            list.barrier(transition(depth, TextureLayout.UNDEFINED, TextureLayout.DEPTH));
            list.beginRendering(rendering(color, depth));
            list.bindPipeline(pipeline);
            list.pushConstants(rgba(1, 0, 0, 1));
            list.setViewport(0, 0, SIZE / 2f, SIZE, 1, 0.5f);
            list.draw(3, 1, 0, 0);
            list.setViewport(SIZE / 2f, 0, SIZE / 2f, SIZE, 0.125f, 1);
            list.draw(3, 1, 0, 0);
            list.endRendering();
            list.barrier(transition(depth, TextureLayout.DEPTH, TextureLayout.TRANSFER_SRC));
            list.copyTextureToBuffer(depth, 0, 0, depths, 0);
        });

        // The triangle lies in the middle of clip coordinates.
        int[] found = words(depths);
        assertThat(Float.intBitsToFloat(at(found, 1, SIZE - 2))).isEqualTo(0.75f);
        assertThat(Float.intBitsToFloat(at(found, SIZE / 2 + 1, SIZE - 2))).isEqualTo(0.5625f);
    }

    @Test
    void nearerTrianglesWinWhateverTheOrderOfIndexedDraws() {
        Texture color = target(Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT);
        Texture depth = target(Format.D32_SFLOAT, TextureUsage.DEPTH_ATTACHMENT);
        GraphicsPipeline pipeline = pipeline(
                FROM_BUFFERS,
                PASS_COLOR,
                List.of(
                        new VertexBuffer(12, false, List.of(new VertexAttribute(0, Format.R32G32B32_SFLOAT, 0))),
                        new VertexBuffer(16, true, List.of(new VertexAttribute(1, Format.R32G32B32A32_SFLOAT, 0)))),
                new DepthState(DepthCompare.LESS, true, 0, 0));
        Buffer positions =
                gpu.own(gpu.device().createBuffer("positions", BufferDescription.upload(8 * 12, BufferUsage.VERTEX)));
        Buffer tints =
                gpu.own(gpu.device().createBuffer("tints", BufferDescription.upload(2 * 16, BufferUsage.VERTEX)));
        Buffer indices =
                gpu.own(gpu.device().createBuffer("indices", BufferDescription.upload(6 * 2, BufferUsage.INDEX)));
        positions.mapped().asFloatBuffer().put(new float[] {
            // near: left half
            -1, -1, 0.2f, -1, 1, 0.2f, 0, 1, 0.2f, 0, -1, 0.2f,
            // far: everything
            -1, -1, 0.7f, -1, 1, 0.7f, 1, 1, 0.7f, 1, -1, 0.7f
        });
        tints.mapped().asFloatBuffer().put(new float[] {1, 0, 0, 1, 0, 1, 0, 1});
        indices.mapped().asShortBuffer().put(new short[] {0, 1, 2, 0, 2, 3});
        Buffer pixels = pixels();
        Buffer depths = gpu.own(gpu.device().createBuffer("depths", BufferDescription.readback(SIZE * SIZE * 4)));

        gpu.execute("depth", list -> {
            list.barrier(transition(color, TextureLayout.UNDEFINED, TextureLayout.COLOR));
            list.barrier(transition(depth, TextureLayout.UNDEFINED, TextureLayout.DEPTH));
            list.beginRendering(rendering(color, depth));
            list.bindPipeline(pipeline);
            list.bindVertexBuffer(0, positions, 0);
            list.bindVertexBuffer(1, tints, 0);
            list.bindIndexBuffer(indices, 0, IndexType.UINT16);
            list.drawIndexed(6, 1, 0, 0, 0);
            list.drawIndexed(6, 1, 0, 4, 1);
            list.endRendering();
            readBack(list, color, pixels);
            list.barrier(transition(depth, TextureLayout.DEPTH, TextureLayout.TRANSFER_SRC));
            list.copyTextureToBuffer(depth, 0, 0, depths, 0);
        });

        int[] image = words(pixels);
        int[] zs = words(depths);
        for (int y = 0; y < SIZE; y++) {
            for (int x = 0; x < SIZE; x++) {
                boolean near = x < SIZE / 2;
                assertThat(at(image, x, y)).as("pixel %d,%d", x, y).isEqualTo(near ? RED : GREEN);
                assertThat(Float.intBitsToFloat(at(zs, x, y))).isEqualTo(near ? 0.2f : 0.7f);
            }
        }
    }
}
