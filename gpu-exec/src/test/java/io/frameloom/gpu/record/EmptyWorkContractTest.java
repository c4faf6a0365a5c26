package io.frameloom.gpu.record;

import static io.frameloom.gpu.record.CommandRig.transition;
import static io.frameloom.gpu.record.CommandRig.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Dispatches of no workgroups and draws of no vertices do nothing. */
@Timeout(60)
class EmptyWorkContractTest {
    private static final int RED = 0xff0000ff;

    private static ResourceUse use(Buffer buffer, Access access) {
        return new ResourceUse.OfBuffer(buffer, 0, buffer.description().bytes(), access, false);
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void dispatchesOfNoWorkgroupsWriteNothing(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            ComputePipeline count = rig.own(rig.device.createComputePipeline(new ComputePipelineDescription(
                    "count", new ShaderSource("count.comp", ShaderStage.COMPUTE, """
                            #version 450
                            layout(local_size_x = 1) in;
                            layout(set = 0, binding = 0) buffer Counts { uint counts[]; };
                            void main() { counts[0] += 1; }
                            """), null)));
            Buffer counts = rig.buffer("counts", 16, BufferUsage.STORAGE, BufferUsage.COPY_DST, BufferUsage.COPY_SRC);
            Buffer none = rig.buffer("none", 12, BufferUsage.INDIRECT, BufferUsage.COPY_DST);
            Buffer result = rig.readback(16);
            rig.execute(list -> {
                list.fillBuffer(counts, 0, 16, 5);
                list.fillBuffer(none, 0, 12, 0);
                CommandRig.full(list);
                list.beginPass(
                        "count", List.of(use(counts, Access.STORAGE_READ_WRITE_COMPUTE), use(none, Access.INDIRECT)));
                list.bindPipeline(count);
                list.bindBuffer("Counts", counts, 0, 16);
                list.dispatch(0, 1, 1);
                list.dispatch(1, 1, 0);
                list.dispatchIndirect(none, 0);
                list.endPass();
                CommandRig.full(list);
                list.copyBuffer(counts, 0, result, 0, 16);
            });
            assertThat(words(result)).containsOnly(5);
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void drawsOfNoVerticesLeaveWhatIsCleared(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture color = rig.texture(
                    "color",
                    TextureDescription.of(
                            2, 2, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC));
            GraphicsPipeline green = rig.own(rig.device.createGraphicsPipeline(new GraphicsPipelineDescription(
                    "green",
                    new ShaderSource("everything.vert", ShaderStage.VERTEX, """
                            #version 450
                            const vec2 corners[3] = vec2[](vec2(-1, -1), vec2(-1, 3), vec2(3, -1));
                            void main() { gl_Position = vec4(corners[gl_VertexIndex], 0.5, 1); }
                            """),
                    new ShaderSource("green.frag", ShaderStage.FRAGMENT, """
                            #version 450
                            layout(location = 0) out vec4 color;
                            void main() { color = vec4(0, 1, 0, 1); }
                            """),
                    List.of(),
                    GraphicsPipelineDescription.CullMode.NONE,
                    null,
                    GraphicsPipelineDescription.Blend.NONE,
                    List.of(Format.R8G8B8A8_UNORM),
                    null)));
            Buffer texels = rig.readback(16);
            ResourceUse drawn = new ResourceUse.OfTexture(
                    color, SubresourceRange.mip(0), Access.COLOR_WRITE, true, TextureLayout.COLOR);
            rig.execute(list -> {
                transition(list, color, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                list.beginPass("draw", List.of(drawn));
                list.beginRendering(new RenderingInfo(
                        2,
                        2,
                        List.of(new ColorAttachment(
                                color.view(), LoadOp.CLEAR, StoreOp.STORE, new ClearColor(1, 0, 0, 1))),
                        null));
                list.bindPipeline(green);
                list.draw(0, 1, 0, 0);
                list.draw(3, 0, 0, 0);
                list.endRendering();
                list.endPass();
                transition(list, color, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC);
                list.copyTextureToBuffer(color, 0, 0, texels, 0);
            });
            assertThat(words(texels)).containsOnly(RED);
        }
    }
}
