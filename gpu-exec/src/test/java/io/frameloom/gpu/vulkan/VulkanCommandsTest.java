package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.ValidatedDevice.transition;
import static io.frameloom.gpu.vulkan.ValidatedDevice.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.IndexType;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Indirect draws and secondary lists as the driver executes them: pixels. */
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
            assertThatThrownBy(() -> gpu.graphics()
                            .submit(new io.frameloom.gpu.command.Submission("alone", List.of(part), List.of())))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'part'")
                    .hasMessageContaining("secondary");
        }
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
