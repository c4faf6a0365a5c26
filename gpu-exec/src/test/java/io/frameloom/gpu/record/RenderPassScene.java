package io.frameloom.gpu.record;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthState;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A render pass with one colour, and a pipeline that draws in it. */
final class RenderPassScene {
    static final ClearColor BLACK = ClearColor.BLACK_TRANSPARENT;

    static final ShaderSource VERTEX = new ShaderSource("rules.vert", ShaderStage.VERTEX, """
            #version 450
            void main() { gl_Position = vec4(gl_VertexIndex, 0, 0, 1); }
            """);
    static final ShaderSource FRAGMENT = new ShaderSource("rules.frag", ShaderStage.FRAGMENT, """
            #version 450
            layout(location = 0) out vec4 color;
            void main() { color = vec4(1); }
            """);

    private RenderPassScene() {}

    static Texture color(CommandRig rig, int layers) {
        return rig.texture(
                "color",
                TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC)
                        .withLayers(layers));
    }

    static RenderingInfo pass(Texture color, int layers) {
        return new RenderingInfo(
                        4, 4, List.of(new ColorAttachment(color.view(), LoadOp.CLEAR, StoreOp.STORE, BLACK)), null)
                .withLayers(layers);
    }

    /** Draws with the fragment shader, and with a depth test of 32 bits or without one. */
    static GraphicsPipeline triangle(CommandRig rig, ShaderSource fragment, @Nullable DepthState depth) {
        return rig.own(rig.device.createGraphicsPipeline(new GraphicsPipelineDescription(
                "triangle",
                VERTEX,
                fragment,
                List.of(),
                GraphicsPipelineDescription.CullMode.NONE,
                depth,
                GraphicsPipelineDescription.Blend.NONE,
                List.of(Format.R8G8B8A8_UNORM),
                depth == null ? null : Format.D32_SFLOAT)));
    }
}
