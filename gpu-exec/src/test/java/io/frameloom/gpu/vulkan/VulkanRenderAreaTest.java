package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.ValidatedDevice.LONG;
import static io.frameloom.gpu.vulkan.ValidatedDevice.transition;
import static io.frameloom.gpu.vulkan.ValidatedDevice.words;
import static io.frameloom.gpu.vulkan.VulkanHandles.recordNative;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkRect2D;
import org.lwjgl.vulkan.VkViewport;

/** Each render pass begins with viewport and scissor at its area, whatever the one before it has left. */
@Timeout(60)
class VulkanRenderAreaTest {
    private static final int SIZE = 8;

    private static final ShaderSource ALL = new ShaderSource("all.vert", ShaderStage.VERTEX, """
            #version 450
            const vec2 corners[3] = vec2[](vec2(-1, -1), vec2(-1, 3), vec2(3, -1));
            void main() { gl_Position = vec4(corners[gl_VertexIndex], 0.5, 1); }
            """);

    private static final ShaderSource WHITE = new ShaderSource("white.frag", ShaderStage.FRAGMENT, """
            #version 450
            layout(location = 0) out vec4 color;
            void main() { color = vec4(1); }
            """);

    /** What a list has had before a pass. */
    private interface Former {
        void record(FrameContext frame, CommandList list, RenderingInfo info);
    }

    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    private Texture color(GpuDevice device, String name) {
        return gpu.own(device.createTexture(
                name,
                TextureDescription.of(
                        SIZE, SIZE, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC)));
    }

    private static RenderingInfo whole(Texture color) {
        return new RenderingInfo(
                SIZE,
                SIZE,
                List.of(new ColorAttachment(color.view(), LoadOp.CLEAR, StoreOp.STORE, ClearColor.BLACK_TRANSPARENT)),
                null);
    }

    /** Makes a quarter of the texture the area of draws. */
    private static void setQuarter(VkCommandBuffer commands) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkViewport.Buffer viewport = VkViewport.calloc(1, stack);
            viewport.get(0).width(SIZE / 2f).height(SIZE / 2f).maxDepth(1);
            VkRect2D.Buffer scissor = VkRect2D.calloc(1, stack);
            scissor.get(0).extent().set(SIZE / 2, SIZE / 2);
            VK13.vkCmdSetViewport(commands, 0, viewport);
            VK13.vkCmdSetScissor(commands, 0, scissor);
        }
    }

    private static void inPass(CommandList list, RenderingInfo info, Runnable commands) {
        list.beginRendering(info);
        commands.run();
        list.endRendering();
    }

    private static CommandList quarter(FrameContext frame, CommandList primary, RenderingInfo info) {
        CommandList part = frame.beginSecondary(primary.queue(), "part", info.formats(), List.of());
        part.setViewport(0, 0, SIZE / 2f, SIZE / 2f);
        part.setScissor(0, 0, SIZE / 2, SIZE / 2);
        part.end();
        return part;
    }

    @Test
    void aPassHasItsWholeAreaAfterAnyOther() {
        assertAreas(gpu.device());
    }

    /** No object is taken again while a layer looks for mistakes. */
    @Test
    void aListObjectThatIsTakenAgainSetsTheAreaAnew() {
        assertAreas(gpu.own(VulkanDevices.open("", new DeviceOptions(gpu.tasks(), "areas", false, null))));
    }

    private void assertAreas(GpuDevice device) {
        GpuQueue queue = device.queues().get(0);
        GraphicsPipeline white = gpu.own(device.createGraphicsPipeline(
                GraphicsPipelineDescription.of("white", ALL, WHITE, Format.R8G8B8A8_UNORM)));
        List<Former> formers = List.of(
                (frame, list, info) -> {},
                (frame, list, info) -> inPass(list, info, () -> {}),
                (frame, list, info) -> inPass(list, info, () -> list.setViewport(0, 0, SIZE / 2f, SIZE)),
                (frame, list, info) -> inPass(list, info, () -> list.setScissor(0, 0, SIZE, SIZE / 2)),
                (frame, list, info) -> inPass(list, info.withRenderArea(2, 2, 4, 4), () -> {}),
                (frame, list, info) ->
                        inPass(list, info.withSecondaries(), () -> list.execute(List.of(quarter(frame, list, info)))),
                (frame, list, info) -> inPass(list, info, () -> recordNative(list, VulkanRenderAreaTest::setQuarter)),
                (frame, list, info) -> recordNative(list, VulkanRenderAreaTest::setQuarter));
        List<Buffer> pixels = new ArrayList<>();
        try (FrameContext context = device.createFrameContext("areas");
                FrameContext between = device.createFrameContext("between")) {
            // A later list takes the object of a former one.
            for (int round = 0; round < 5; round++) {
                CommandList list = context.beginCommands(queue, "areas");
                for (Former former : formers) {
                    Texture before = color(device, "before");
                    Texture color = color(device, "after");
                    list.barrier(transition(before, TextureLayout.UNDEFINED, TextureLayout.COLOR));
                    former.record(context, list, whole(before));
                    draw(list, white, color, whole(color));
                    Buffer read = gpu.own(device.createBuffer("pixels", BufferDescription.readback(SIZE * SIZE * 4)));
                    list.barrier(transition(color, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC));
                    list.copyTextureToBuffer(color, 0, 0, read, 0);
                    pixels.add(read);
                }
                submit(queue, list);
                context.reset();
                // Drivers may keep what a command buffer has set for one that sets nothing.
                CommandList quarter = between.beginCommands(queue, "quarter");
                Texture other = color(device, "other");
                draw(quarter, white, other, whole(other).withRenderArea(0, 0, SIZE / 2, SIZE / 2));
                submit(queue, quarter);
                between.reset();
            }
        }
        assertThat(pixels)
                .allSatisfy(read -> assertThat(Arrays.stream(words(read)).filter(word -> word != 0))
                        .hasSize(SIZE * SIZE));
    }

    private static void draw(CommandList list, GraphicsPipeline pipeline, Texture color, RenderingInfo info) {
        list.barrier(transition(color, TextureLayout.UNDEFINED, TextureLayout.COLOR));
        inPass(list, info, () -> {
            list.bindPipeline(pipeline);
            list.draw(3, 1, 0, 0);
        });
    }

    private static void submit(GpuQueue queue, CommandList list) {
        list.end();
        TimelinePoint done = queue.submit(new Submission("areas", List.of(list), List.of()));
        assertThat(queue.timeline().await(done.value(), LONG)).isTrue();
    }
}
