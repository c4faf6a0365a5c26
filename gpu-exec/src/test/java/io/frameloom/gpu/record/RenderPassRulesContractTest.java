package io.frameloom.gpu.record;

import static io.frameloom.gpu.record.CommandRig.full;
import static io.frameloom.gpu.record.CommandRig.transition;
import static io.frameloom.gpu.record.CommandRig.words;
import static io.frameloom.gpu.record.RenderPassScene.FRAGMENT;
import static io.frameloom.gpu.record.RenderPassScene.color;
import static io.frameloom.gpu.record.RenderPassScene.pass;
import static io.frameloom.gpu.record.RenderPassScene.triangle;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.DepthAttachment;
import io.frameloom.gpu.command.RenderingInfo.StencilAttachment;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthCompare;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthState;
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
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What depends on the open render pass, or on the pipeline bound, beyond a command; on all backends. */
@Timeout(60)
class RenderPassRulesContractTest {
    private static final ShaderSource PUSHING = new ShaderSource("pushing.frag", ShaderStage.FRAGMENT, """
            #version 450
            layout(push_constant) uniform Push { vec4 tint; };
            layout(location = 0) out vec4 color;
            void main() { color = tint; }
            """);
    private static final String ADD = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) buffer Target { int target[]; };
            layout(push_constant) uniform Push { int amount; };
            void main() { target[0] += amount; }
            """;

    @ParameterizedTest
    @EnumSource(Backend.class)
    void whatIsAttachedToBeReadIsNotWritten(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture color = color(rig, 1);
            Texture depth =
                    rig.texture("depth", TextureDescription.of(4, 4, Format.D32_SFLOAT, TextureUsage.DEPTH_ATTACHMENT));
            GraphicsPipeline writes = triangle(rig, FRAGMENT, new DepthState(DepthCompare.LESS, true, 0, 0));
            GraphicsPipeline tests = triangle(rig, FRAGMENT, new DepthState(DepthCompare.LESS, false, 0, 0));
            RenderingInfo info = new RenderingInfo(
                    4,
                    4,
                    pass(color, 1).colors(),
                    new DepthAttachment(depth.view(), LoadOp.LOAD, StoreOp.STORE, 1, true));
            rig.execute(list -> {
                transition(list, color, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                transition(list, depth, TextureLayout.UNDEFINED, TextureLayout.DEPTH_RO);
                list.beginRendering(info);
                list.bindPipeline(writes);
                assertThatThrownBy(() -> list.draw(3, 1, 0, 0))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("'triangle' writes depth")
                        .hasMessageContaining("read only");
                assertThatThrownBy(() -> list.clearDepthStencilAttachment(true, 1, false, 0, 0, 0, 4, 4))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("read only");
                list.bindPipeline(tests);
                list.draw(3, 1, 0, 0);
                list.endRendering();
            });
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void depthAndStencilAreAttachedByTheirPlanes(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            TextureDescription shape = TextureDescription.of(
                            4, 4, Format.D32_SFLOAT_S8_UINT, TextureUsage.DEPTH_ATTACHMENT, TextureUsage.COPY_SRC)
                    .withLayers(2);
            Texture both = rig.texture("both", shape);
            SubresourceRange first = SubresourceRange.of(0, 0);
            SubresourceRange second = SubresourceRange.of(0, 1);
            DepthAttachment depth = new DepthAttachment(both.view(first), LoadOp.CLEAR, StoreOp.STORE, 1, false);
            RenderingInfo info = new RenderingInfo(4, 4, List.of(), depth);
            rig.execute(list -> {
                transition(list, both, TextureLayout.UNDEFINED, TextureLayout.DEPTH);
                assertThatThrownBy(() -> list.beginRendering(info.withStencil(new StencilAttachment(
                                both.view(second.plane(1)), LoadOp.CLEAR, StoreOp.STORE, 7, false))))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("'both' are of different mips or layers");
                list.beginRendering(info.withStencil(
                        new StencilAttachment(both.view(first.plane(1)), LoadOp.CLEAR, StoreOp.STORE, 7, false)));
                list.endRendering();
            });
        }
    }

    private static ByteBuffer amount(int value) {
        return ByteBuffer.allocate(4)
                .order(ByteOrder.nativeOrder())
                .putInt(value)
                .flip();
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aPipelineForgetsWhatIsBoundEvenIfItIsTheSame(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            ComputePipeline add = rig.compute("add", ADD, invocation -> {
                ByteBuffer target = invocation.bytes("Target");
                target.putInt(0, target.getInt(0) + invocation.pushConstants().getInt(0));
            });
            Buffer target = rig.buffer("target", 4, BufferUsage.STORAGE, BufferUsage.COPY_DST, BufferUsage.COPY_SRC);
            Buffer readback = rig.readback(4);
            rig.execute(list -> {
                list.fillBuffer(target, 0, 4, 1);
                full(list);
                list.bindPipeline(add);
                list.bindBuffer("Target", target, 0, 4);
                list.pushConstants(amount(5));
                list.bindPipeline(add);
                assertThatThrownBy(() -> list.dispatch(1, 1, 1))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("'Target'");
                list.bindBuffer("Target", target, 0, 4);
                assertThatThrownBy(() -> list.dispatch(1, 1, 1))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("0 are set");
                list.pushConstants(amount(5));
                list.dispatch(1, 1, 1);
                full(list);
                list.copyBuffer(target, 0, readback, 0, 4);
            });
            assertThat(words(readback)).containsExactly(6);
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void pushConstantsAreSetForThePipelineThatReadsThem(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            ComputePipeline add = rig.compute("add", ADD, invocation -> {});
            ComputePipeline other = rig.compute("other", ADD, invocation -> {});
            GraphicsPipeline triangle = triangle(rig, PUSHING, null);
            Texture color = color(rig, 1);
            Buffer target = rig.buffer("target", 4, BufferUsage.STORAGE, BufferUsage.COPY_DST);
            rig.execute(list -> {
                list.fillBuffer(target, 0, 4, 1);
                full(list);
                list.bindPipeline(add);
                list.bindBuffer("Target", target, 0, 4);
                assertThatThrownBy(() -> list.dispatch(1, 1, 1))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("'add' needs 4 bytes of push constants, 0 are set");
                list.pushConstants(amount(1));
                list.dispatch(1, 1, 1);
                full(list);
                list.bindPipeline(other);
                list.bindBuffer("Target", target, 0, 4);
                assertThatThrownBy(() -> list.dispatch(1, 1, 1))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("'other' needs 4 bytes of push constants, 0 are set");
                transition(list, color, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                list.beginRendering(pass(color, 1));
                list.bindPipeline(triangle);
                assertThatThrownBy(() -> list.draw(3, 1, 0, 0))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("'triangle' needs 16 bytes of push constants, 0 are set");
                list.endRendering();
            });
        }
    }
}
