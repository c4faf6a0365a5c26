package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.RenderingInfo.DepthAttachment;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.internal.PassParts;
import io.frameloom.gpu.pipeline.DynamicState;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthCompare;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthState;
import io.frameloom.gpu.pipeline.RasterState;
import io.frameloom.gpu.pipeline.RasterState.Topology;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.pipeline.StencilState;
import io.frameloom.gpu.pipeline.StencilState.Operation;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What command lists set instead of pipelines are held against the device alike by all backends. */
@Timeout(60)
class DynamicStateContractTest {
    private static final ShaderSource VERTEX = new ShaderSource("nothing.vert", ShaderStage.VERTEX, """
            #version 450
            void main() { gl_Position = vec4(0); }
            """);

    private static final ShaderSource FRAGMENT = new ShaderSource("white.frag", ShaderStage.FRAGMENT, """
            #version 450
            layout(location = 0) out vec4 color;
            void main() { color = vec4(1); }
            """);

    private static final StencilState.Face KEEP =
            new StencilState.Face(DepthCompare.EQUAL, Operation.KEEP, Operation.KEEP, Operation.KEEP, 255, 255, 0);

    @ParameterizedTest
    @EnumSource(Backend.class)
    void linesAreAsWideAsTheDeviceDrawsThem(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            DeviceLimits.Pipelines limits = rig.device.capabilities().limits().pipelines();
            assertThat(limits.minLineWidth()).isLessThanOrEqualTo(1);
            assertThat(limits.maxLineWidth()).isGreaterThanOrEqualTo(1);
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            for (float width : new float[] {1, limits.minLineWidth(), limits.maxLineWidth()}) {
                list.setLineWidth(width);
            }
            for (float width : new float[] {-1, limits.maxLineWidth() + 1, Float.NaN, Float.POSITIVE_INFINITY}) {
                assertThatThrownBy(() -> list.setLineWidth(width))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("setLineWidth in command list 'list'")
                        .hasMessageContaining("to " + limits.maxLineWidth() + ", got " + width);
            }
            list.end();
            assertThatThrownBy(() -> list.setLineWidth(1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no longer recorded");
            rig.frame.reset();
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void depthBiasIsFiniteAndClampedWhereTheDeviceCan(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            list.setDepthBias(-2, 1.5f, 0);
            if (rig.device.capabilities().limits().pipelines().depthBiasClamp()) {
                list.setDepthBias(1, 0, 0.01f);
            } else {
                assertThatThrownBy(() -> list.setDepthBias(1, 0, 0.01f))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("cannot clamp a depth bias; give clamp 0");
            }
            for (float odd : new float[] {Float.NaN, Float.NEGATIVE_INFINITY}) {
                for (int place = 0; place < 3; place++) {
                    float[] numbers = {0, 0, 0};
                    numbers[place] = odd;
                    assertThatThrownBy(() -> list.setDepthBias(numbers[0], numbers[1], numbers[2]))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("setDepthBias in command list 'list' needs finite numbers");
                }
            }
            list.end();
            assertThatThrownBy(() -> list.setDepthBias(0, 0, 0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no longer recorded");
            rig.frame.reset();
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void whatAListSetsFitsTheDrawingPipeline(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture color = rig.texture(
                    "color", TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT));
            GraphicsPipelineDescription all = GraphicsPipelineDescription.of(
                            "all", VERTEX, FRAGMENT, Format.R8G8B8A8_UNORM)
                    .withDynamicStates(EnumSet.complementOf(EnumSet.of(DynamicState.VERTEX_INPUT)));
            GraphicsPipeline loose = rig.own(rig.device.createGraphicsPipeline(all));
            GraphicsPipeline strips = rig.own(rig.device.createGraphicsPipeline(all.withName("strips")
                    .withRaster(new RasterState(
                            Topology.TRIANGLE_STRIP,
                            true,
                            RasterState.PolygonMode.FILL,
                            RasterState.FrontFace.CLOCKWISE,
                            false))));
            GraphicsPipeline fixed = rig.own(
                    rig.device.createGraphicsPipeline(all.withName("fixed").withDynamicStates(Set.of())));
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            CommandRig.transition(list, color, TextureLayout.UNDEFINED, TextureLayout.COLOR);
            list.beginRendering(rendering(color));
            list.bindPipeline(loose);
            list.draw(3, 1, 0, 0);
            list.setTopology(Topology.LINE_LIST);
            refused(list, "pipeline 'all' is made for TRIANGLE_LIST, the list has set LINE_LIST");
            list.setTopology(Topology.TRIANGLE_FAN);
            list.draw(3, 1, 0, 0);
            list.bindPipeline(strips);
            list.draw(3, 1, 0, 0);
            list.setTopology(Topology.TRIANGLE_LIST);
            refused(list, "pipeline 'strips' restarts strips, the list has set TRIANGLE_LIST");
            list.setTopology(Topology.TRIANGLE_STRIP);
            list.setDepthTest(new DepthState(DepthCompare.LESS, true, 0, 0));
            refused(list, "names no depth format, the list has set a depth test");
            list.setDepthTest(null);
            list.setStencilTest(new StencilState(KEEP));
            refused(list, "names no stencil format, the list has set a stencil test");
            list.bindPipeline(fixed);
            list.draw(3, 1, 0, 0);
            list.endRendering();
            list.beginRendering(rendering(color));
            list.bindPipeline(strips);
            list.draw(3, 1, 0, 0);
            list.endRendering();
            list.end();
            assertThatThrownBy(() -> list.setDepthTest(null))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no longer recorded");
            rig.frame.reset();
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void whatIsOnlyReadIsNotWrittenByATestOfTheList(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture depth =
                    rig.texture("depth", TextureDescription.of(8, 8, Format.D32_SFLOAT, TextureUsage.DEPTH_ATTACHMENT));
            DepthState writes = new DepthState(DepthCompare.LESS, true, 0, 0);
            GraphicsPipeline pipeline =
                    rig.own(rig.device.createGraphicsPipeline(GraphicsPipelineDescription.of("depth", VERTEX, null)
                            .withDepth(writes, Format.D32_SFLOAT)
                            .withDynamicStates(Set.of(DynamicState.DEPTH_TEST))));
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            CommandRig.transition(list, depth, TextureLayout.UNDEFINED, TextureLayout.DEPTH_RO);
            list.beginRendering(new RenderingInfo(
                    8, 8, List.of(), new DepthAttachment(depth.view(), LoadOp.LOAD, StoreOp.STORE, 1, true)));
            list.bindPipeline(pipeline);
            refused(list, "pipeline 'depth' writes depth");
            list.setDepthTest(new DepthState(DepthCompare.LESS, false, 0, 0));
            list.draw(3, 1, 0, 0);
            list.setDepthTest(writes);
            refused(list, "pipeline 'depth' writes depth");
            list.endRendering();
            list.end();
            rig.frame.reset();
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aPipelineOfSeveralViewportsNeedsEach(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            int most = rig.device.capabilities().limits().rendering().maxViewports();
            assumeTrue(most >= 2, "one viewport");
            Texture color = rig.texture(
                    "color", TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT));
            GraphicsPipelineDescription two = GraphicsPipelineDescription.of(
                            "two", VERTEX, FRAGMENT, Format.R8G8B8A8_UNORM)
                    .withViewports(2);
            assertThatThrownBy(() -> two.withViewports(0)).hasMessageContaining("needs 1 viewport or more, got 0");
            assertThatThrownBy(() -> rig.device.createGraphicsPipeline(two.withViewports(most + 1)))
                    .hasMessageContaining("has " + (most + 1) + " viewports, the device at most " + most);
            GraphicsPipeline pipeline = rig.own(rig.device.createGraphicsPipeline(two));
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            assertThatThrownBy(() -> list.setViewport(most, 0, 0, 8, 8, 0, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("viewports 0 to " + (most - 1) + " (maxViewports), got " + most);
            assertThatThrownBy(() -> list.setScissor(-1, 0, 0, 8, 8)).isInstanceOf(IllegalArgumentException.class);
            CommandRig.transition(list, color, TextureLayout.UNDEFINED, TextureLayout.COLOR);
            list.beginRendering(rendering(color));
            list.bindPipeline(pipeline);
            refused(list, "is by a pipeline of 2 viewports without viewport 1");
            list.setViewport(1, 0, 0, 4, 4, 0, 1);
            refused(list, "without scissor 1; call setViewport and setScissor with each index first");
            list.setScissor(1, 0, 0, 4, 4);
            list.draw(3, 1, 0, 0);
            list.endRendering();
            list.beginRendering(rendering(color));
            list.bindPipeline(pipeline);
            refused(list, "is by a pipeline of 2 viewports without viewport 1");
            list.endRendering();
            list.end();
            rig.frame.reset();
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aPartBeginsWithoutWhatTheOneBeforeHasSet(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture color = rig.texture(
                    "color", TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT));
            GraphicsPipelineDescription description = GraphicsPipelineDescription.of(
                            "loose", VERTEX, FRAGMENT, Format.R8G8B8A8_UNORM)
                    .withDynamicStates(EnumSet.complementOf(EnumSet.of(DynamicState.VERTEX_INPUT)));
            GraphicsPipeline loose = rig.own(rig.device.createGraphicsPipeline(description));
            boolean several = rig.device.capabilities().limits().rendering().maxViewports() > 1;
            GraphicsPipeline two = rig.own(rig.device.createGraphicsPipeline(
                    description.withName("two").withViewports(several ? 2 : 1)));
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            CommandRig.transition(list, color, TextureLayout.UNDEFINED, TextureLayout.COLOR);
            list.beginPass(
                    "pass",
                    List.of(new ResourceUse.OfTexture(
                            color,
                            SubresourceRange.all(color.description()),
                            Access.COLOR_WRITE,
                            true,
                            TextureLayout.COLOR)));
            list.beginRendering(rendering(color));
            PassParts parts = (PassParts) list;
            parts.beginPart();
            list.bindPipeline(loose);
            list.setTopology(Topology.LINE_LIST);
            list.setDepthTest(new DepthState(DepthCompare.LESS, true, 0, 0));
            list.setStencilTest(new StencilState(KEEP));
            refused(list, "is made for TRIANGLE_LIST, the list has set LINE_LIST");
            if (several) {
                list.setViewport(1, 0, 0, 4, 4, 0, 1);
                list.setScissor(1, 0, 0, 4, 4);
            }
            parts.endPart();
            parts.beginPart();
            list.bindPipeline(loose);
            list.draw(3, 1, 0, 0);
            list.bindPipeline(two);
            if (several) {
                refused(list, "is by a pipeline of 2 viewports without viewport 1");
            }
            parts.endPart();
            list.endRendering();
            list.endPass();
            list.end();
            rig.frame.reset();
        }
    }

    private static RenderingInfo rendering(Texture color) {
        return new RenderingInfo(
                8,
                8,
                List.of(new ColorAttachment(color.view(), LoadOp.CLEAR, StoreOp.STORE, ClearColor.BLACK_TRANSPARENT)),
                null);
    }

    private static void refused(CommandList list, String why) {
        assertThatThrownBy(() -> list.draw(3, 1, 0, 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(why);
    }
}
