package io.frameloom.gpu.record;

import static io.frameloom.gpu.record.CommandRig.full;
import static io.frameloom.gpu.record.CommandRig.transition;
import static io.frameloom.gpu.record.CommandRig.words;
import static io.frameloom.gpu.record.RenderPassScene.BLACK;
import static io.frameloom.gpu.record.RenderPassScene.FRAGMENT;
import static io.frameloom.gpu.record.RenderPassScene.VERTEX;
import static io.frameloom.gpu.record.RenderPassScene.color;
import static io.frameloom.gpu.record.RenderPassScene.pass;
import static io.frameloom.gpu.record.RenderPassScene.triangle;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.DepthAttachment;
import io.frameloom.gpu.command.RenderingInfo.StencilAttachment;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthCompare;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthState;
import io.frameloom.gpu.pipeline.StencilState;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What secondary lists may do depends on the render pass, or the pass, in which they are executed; on all backends. */
@Timeout(60)
class SecondaryListRulesContractTest {
    private static final int GREEN = 0xff00ff00;

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aSecondaryListDrawsBehindItsOwnViewportAndScissor(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture color = color(rig, 1);
            GraphicsPipeline triangle = triangle(rig, FRAGMENT, null);
            CommandList list = rig.frame.beginSecondary(
                    rig.queue(), "secondary", pass(color, 1).formats(), List.of());
            list.bindPipeline(triangle);
            assertThatThrownBy(() -> list.draw(3, 1, 0, 0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("without a viewport");
            list.setViewport(0, 0, 4, 4);
            assertThatThrownBy(() -> list.draw(3, 1, 0, 0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("without a scissor");
            list.setScissor(0, 0, 4, 4);
            list.draw(3, 1, 0, 0);
            list.end();
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aSecondaryListClearsAllLayersOfItsRenderPass(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture color = color(rig, 2);
            Buffer readback = rig.readback(128);
            RenderingInfo both = pass(color, 2).withSecondaries();
            CommandList clears = rig.frame.beginSecondary(rig.queue(), "clears", both.formats(), List.of());
            clears.clearColorAttachment(0, new ClearColor(0, 1, 0, 1), 0, 0, 4, 4);
            clears.end();
            CommandList one = rig.frame.beginSecondary(
                    rig.queue(), "of one layer", pass(color, 1).formats(), List.of());
            one.end();
            rig.execute(list -> {
                transition(list, color, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                list.beginRendering(both);
                assertThatThrownBy(() -> list.execute(List.of(one)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("'of one layer'");
                list.execute(List.of(clears));
                list.endRendering();
                transition(list, color, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC);
                list.copyTextureToBuffer(color, 0, 0, readback, 0);
                list.copyTextureToBuffer(color, 0, 1, readback, 64);
            });
            assertThat(words(readback)).hasSize(32).containsOnly(GREEN);
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aListWithPassesOfItsOwnIsNotExecutedInsideOfOne(Backend backend) {
        try (CommandRig rig = new CommandRig(backend, false)) {
            for (int round = 0; round < 3; round++) {
                CommandList passes = rig.frame.beginSecondary(rig.queue(), "passes", null, List.of());
                passes.beginPass("inner", List.of());
                passes.endPass();
                passes.end();
                CommandList barriers = rig.frame.beginSecondary(rig.queue(), "barriers", null, List.of());
                full(barriers);
                barriers.end();
                CommandList plain = rig.frame.beginSecondary(rig.queue(), "plain", null, List.of());
                plain.end();
                rig.execute(list -> {
                    list.beginPass("outer", List.of());
                    for (CommandList wrong : List.of(passes, barriers)) {
                        assertThatThrownBy(() -> list.execute(List.of(plain, wrong)))
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageContaining("execute in command list 'list': list '" + wrong.label() + "'")
                                .hasMessageContaining("inside pass 'outer'");
                    }
                    list.execute(List.of(plain));
                    list.endPass();
                    list.execute(List.of(passes, barriers));
                });
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aSecondaryListHasNoSecondaryLists(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            RenderingInfo info = pass(color(rig, 1), 1).withSecondaries();
            CommandList list = rig.frame.beginSecondary(rig.queue(), "secondary", null, List.of());
            assertThatThrownBy(() -> list.beginRendering(info))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'secondary'")
                    .hasMessageContaining("primary list");
            list.end();
        }
    }

    /** Whether a render pass may be written to is known when it executes the lists. */
    @ParameterizedTest
    @EnumSource(Backend.class)
    void aSecondaryListWritesNoDepthThatItsRenderPassOnlyReads(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture color = color(rig, 1);
            Texture depth =
                    rig.texture("depth", TextureDescription.of(4, 4, Format.D32_SFLOAT, TextureUsage.DEPTH_ATTACHMENT));
            GraphicsPipeline writes = triangle(rig, FRAGMENT, new DepthState(DepthCompare.LESS, true, 0, 0));
            GraphicsPipeline tests = triangle(rig, FRAGMENT, new DepthState(DepthCompare.LESS, false, 0, 0));
            RenderingInfo reading = withDepth(color, depth, true);
            RenderingInfo writing = withDepth(color, depth, false);
            CommandList draws = drawing(rig, reading, "draws", writes);
            CommandList mixed = drawing(rig, reading, "mixed", tests, writes, tests);
            CommandList harmless = drawing(rig, reading, "harmless", tests);
            CommandList clears = rig.frame.beginSecondary(rig.queue(), "clears", reading.formats(), List.of());
            clears.clearDepthStencilAttachment(true, 1, false, 0, 0, 0, 4, 4);
            clears.end();
            rig.execute(list -> {
                transition(list, color, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                transition(list, depth, TextureLayout.UNDEFINED, TextureLayout.DEPTH_RO);
                list.beginRendering(reading);
                for (CommandList wrong : List.of(draws, mixed)) {
                    assertThatThrownBy(() -> list.execute(List.of(harmless, wrong)))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("execute in command list 'list': list '" + wrong.label())
                            .hasMessageContaining("'triangle' writes depth")
                            .hasMessageContaining("read only");
                }
                assertThatThrownBy(() -> list.execute(List.of(clears)))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("list 'clears'")
                        .hasMessageContaining("clearDepthStencilAttachment")
                        .hasMessageContaining("read only");
                list.execute(List.of(harmless));
                list.endRendering();
                transition(list, depth, TextureLayout.DEPTH_RO, TextureLayout.DEPTH);
                list.beginRendering(writing);
                list.execute(List.of(draws, mixed, clears));
                list.endRendering();
            });
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aSecondaryListWritesNoStencilThatItsRenderPassOnlyReads(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Format format = rig.device.firstSupported(TextureUsage.DEPTH_ATTACHMENT, Format.DEPTH_STENCIL);
            Texture both = rig.texture("both", TextureDescription.of(4, 4, format, TextureUsage.DEPTH_ATTACHMENT));
            StencilState.Face counts = new StencilState.Face(
                    DepthCompare.ALWAYS,
                    StencilState.Operation.KEEP,
                    StencilState.Operation.KEEP,
                    StencilState.Operation.INCREMENT_AND_CLAMP,
                    255,
                    255,
                    0);
            GraphicsPipeline writes = rig.own(rig.device.createGraphicsPipeline(new GraphicsPipelineDescription(
                            "counts",
                            VERTEX,
                            null,
                            List.of(),
                            GraphicsPipelineDescription.CullMode.NONE,
                            new DepthState(DepthCompare.LESS, false, 0, 0),
                            GraphicsPipelineDescription.Blend.NONE,
                            List.of(),
                            format)
                    .withStencil(new StencilState(counts), format)));
            RenderingInfo reading = new RenderingInfo(
                            4, 4, List.of(), new DepthAttachment(both.view(), LoadOp.LOAD, StoreOp.STORE, 1, true))
                    .withStencil(new StencilAttachment(both.view(), LoadOp.LOAD, StoreOp.STORE, 0, true))
                    .withSecondaries();
            CommandList draws = drawing(rig, reading, "draws", writes);
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            list.beginRendering(reading);
            assertThatThrownBy(() -> list.execute(List.of(draws)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("list 'draws'")
                    .hasMessageContaining("'counts' writes stencil")
                    .hasMessageContaining("read only");
            list.endRendering();
            list.end();
            rig.frame.reset();
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aSecondaryListClearsNothingOutsideOfItsRenderPass(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture color = color(rig, 1);
            RenderingInfo info = pass(color, 1).withSecondaries();
            CommandList wide = rig.frame.beginSecondary(rig.queue(), "wide", info.formats(), List.of());
            wide.clearColorAttachment(0, BLACK, 0, 0, 2, 2);
            wide.clearColorAttachment(0, BLACK, 2, 0, 3, 4);
            wide.end();
            CommandList fits = rig.frame.beginSecondary(rig.queue(), "fits", info.formats(), List.of());
            fits.clearColorAttachment(0, BLACK, 2, 0, 2, 4);
            fits.end();
            rig.execute(list -> {
                transition(list, color, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                list.beginRendering(info);
                assertThatThrownBy(() -> list.execute(List.of(wide)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("list 'wide'")
                        .hasMessageContaining("5x4")
                        .hasMessageContaining("not within the render area of 4x4");
                list.execute(List.of(fits));
                list.endRendering();
            });
        }
    }

    /** What a list has done is not held against the next one that has its object. */
    @ParameterizedTest
    @EnumSource(Backend.class)
    void aRecycledSecondaryListHasWrittenNothing(Backend backend) {
        try (CommandRig rig = new CommandRig(backend, false)) {
            Texture color = color(rig, 1);
            Texture depth =
                    rig.texture("depth", TextureDescription.of(4, 4, Format.D32_SFLOAT, TextureUsage.DEPTH_ATTACHMENT));
            GraphicsPipeline writes = triangle(rig, FRAGMENT, new DepthState(DepthCompare.LESS, true, 0, 0));
            GraphicsPipeline tests = triangle(rig, FRAGMENT, new DepthState(DepthCompare.LESS, false, 0, 0));
            for (int round = 0; round < 6; round++) {
                boolean reads = round % 3 == 2;
                RenderingInfo info = withDepth(color, depth, reads);
                CommandList part = drawing(rig, info, "part", reads ? tests : writes);
                rig.execute(list -> {
                    TextureLayout layout = reads ? TextureLayout.DEPTH_RO : TextureLayout.DEPTH;
                    transition(list, color, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                    transition(list, depth, TextureLayout.UNDEFINED, layout);
                    list.beginRendering(info);
                    list.execute(List.of(part));
                    list.endRendering();
                });
            }
        }
    }

    private static RenderingInfo withDepth(Texture color, Texture depth, boolean readOnly) {
        return new RenderingInfo(
                        4,
                        4,
                        pass(color, 1).colors(),
                        new DepthAttachment(depth.view(), LoadOp.LOAD, StoreOp.STORE, 1, readOnly))
                .withSecondaries();
    }

    private static CommandList drawing(
            CommandRig rig, RenderingInfo info, String label, GraphicsPipeline... pipelines) {
        CommandList list = rig.frame.beginSecondary(rig.queue(), label, info.formats(), List.of());
        list.setViewport(0, 0, 4, 4);
        list.setScissor(0, 0, 4, 4);
        for (GraphicsPipeline pipeline : pipelines) {
            list.bindPipeline(pipeline);
            list.draw(3, 1, 0, 0);
        }
        list.end();
        return list;
    }
}
