package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.utility.ClearPasses;
import io.frameloom.rdg.utility.ReadbackPasses;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a pass leaves behind is its own failure, however many passes follow in its list or its render pass. */
class BlameTest {
    private final RenderGraph graph =
            new RenderGraph("blame", RdgOptions.defaults().withDebug(true));
    private final RdgTexture target = graph.createTexture(
            "target",
            TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC));

    private void pass(String name, LoadOp load, Consumer<PassContext> body) {
        graph.addPass(name, PassKind.RASTER)
                .color(target, load, ClearColor.BLACK_TRANSPARENT)
                .record(body::accept);
    }

    /** Others are before it and after it, in one render pass. */
    private void inARenderPass(TestDevice device, Consumer<PassContext> bad, String... told) {
        device.run(rig -> {
            pass("before", LoadOp.CLEAR, context -> {});
            pass("bad", LoadOp.LOAD, bad);
            pass("behind", LoadOp.LOAD, context -> {});
            blamed(rig, told);
        });
    }

    private void blamed(DeviceRig rig, String... told) {
        ReadbackPasses.texture(graph, target);
        var failure = assertThatThrownBy(() ->
                        rig.executor.execute(rig.compile(graph)).completed().await())
                .cause()
                .hasMessageContainingAll("recording pass 'bad'", "BlameTest.java")
                .hasMessageNotContaining("'behind'");
        for (String words : told) {
            failure.hasStackTraceContaining(words);
        }
        rig.device.waitIdle();
    }

    @ParameterizedTest
    @EnumSource(names = {"VIRTUAL", "VULKAN"})
    void aLabelLeftOpen(TestDevice device) {
        inARenderPass(
                device,
                context -> context.commands().beginLabel("mine"),
                "label 'mine' is still open",
                "call endLabel");
    }

    @ParameterizedTest
    @EnumSource(names = {"VIRTUAL", "VULKAN"})
    void aLabelLeftOpenInAListOfSeveralPasses(TestDevice device) {
        device.run(rig -> {
            graph.addPass("bad", PassKind.COPY)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> context.commands().beginLabel("mine"));
            ClearPasses.texture(graph, target, ClearColor.BLACK_TRANSPARENT);
            blamed(rig, "label 'mine' is still open");
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"VIRTUAL", "VULKAN"})
    void aLabelOfOthersClosed(TestDevice device) {
        device.run(rig -> {
            graph.scope(
                    "others",
                    () -> pass(
                            "bad", LoadOp.CLEAR, context -> context.commands().endLabel()));
            blamed(rig, "label 'others', which was opened before");
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"VIRTUAL", "VULKAN"})
    void aRenderPassEnded(TestDevice device) {
        inARenderPass(device, context -> context.commands().endRendering(), "leave that one open");
    }

    @ParameterizedTest
    @EnumSource(names = {"VIRTUAL", "VULKAN"})
    void aRenderPassReplaced(TestDevice device) {
        inARenderPass(
                device,
                context -> {
                    context.commands().endRendering();
                    context.commands().beginRendering(whole(context));
                },
                "leave that one open");
    }

    @ParameterizedTest
    @EnumSource(names = {"VIRTUAL", "VULKAN"})
    void aRenderPassLeftOpen(TestDevice device) {
        device.run(rig -> {
            graph.addPass("bad", PassKind.RASTER)
                    .color(target, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                    .flag(PassFlag.SKIP_RENDER_PASS)
                    .record(context -> context.commands().beginRendering(whole(context)));
            pass("behind", LoadOp.LOAD, context -> {});
            blamed(rig, "inside a render pass");
        });
    }

    private RenderingInfo whole(PassContext context) {
        return new RenderingInfo(
                4,
                4,
                List.of(new RenderingInfo.ColorAttachment(
                        context.view(target), LoadOp.CLEAR, StoreOp.STORE, ClearColor.BLACK_TRANSPARENT)),
                null);
    }

    /** A pass that draws with what another one has bound would fail when that one is culled. */
    @ParameterizedTest
    @EnumSource(names = {"VIRTUAL", "VULKAN"})
    void aPipelineOfOthersUsed(TestDevice device) {
        device.run(rig -> {
            try (GraphicsPipeline pipeline = rig.device.createGraphicsPipeline(GraphicsPipelineDescription.of(
                    "nothing",
                    new ShaderSource(
                            "nothing.vert", ShaderStage.VERTEX, "#version 450\nvoid main() { gl_Position = vec4(0); }"),
                    new ShaderSource(
                            "nothing.frag",
                            ShaderStage.FRAGMENT,
                            "#version 450\nlayout(location = 0) out vec4 color;\nvoid main() { color = vec4(1); }"),
                    Format.R8G8B8A8_UNORM))) {
                pass("before", LoadOp.CLEAR, context -> {
                    CommandList list = context.commands();
                    list.bindPipeline(pipeline);
                    list.draw(3, 1, 0, 0);
                });
                pass("bad", LoadOp.LOAD, context -> context.commands().draw(3, 1, 0, 0));
                blamed(rig, "bind the pipeline first");
            }
        });
    }
}
