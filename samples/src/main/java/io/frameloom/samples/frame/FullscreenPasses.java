package io.frameloom.samples.frame;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.Blend;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.CullMode;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import java.util.List;

/** Tone mapping into the finished picture, and a view of the normals that is culled unless something reads it. */
final class FullscreenPasses implements AutoCloseable {
    private final GraphicsPipeline toneMapping;
    private final GraphicsPipeline debug;
    private final Sampler nearest;
    private final Sampler linear;

    FullscreenPasses(GpuDevice device) {
        toneMapping = create(device, "tone mapping", "tonemap.frag");
        debug = create(device, "debug view", "debug.frag");
        nearest = device.sampler(SamplerDescription.NEAREST_CLAMP);
        linear = device.sampler(SamplerDescription.LINEAR_CLAMP);
    }

    private static GraphicsPipeline create(GpuDevice device, String name, String fragment) {
        return device.createGraphicsPipeline(new GraphicsPipelineDescription(
                name,
                Shaders.load("fullscreen.vert"),
                Shaders.load(fragment),
                List.of(),
                CullMode.NONE,
                null,
                Blend.NONE,
                List.of(FrameResources.PICTURE),
                null));
    }

    void declareToneMapping(RenderGraph graph, FrameResources resources, RdgTexture bloom) {
        SubresourceRange finest = SubresourceRange.mip(0);
        graph.addPass("tone mapping", PassKind.RASTER)
                .reads(resources.history, Access.SAMPLED_FRAGMENT)
                .reads(bloom, finest, Access.SAMPLED_FRAGMENT)
                .color(resources.picture, LoadOp.DONT_CARE, ClearColor.BLACK_TRANSPARENT)
                .record(context -> {
                    CommandList commands = context.commands();
                    commands.bindPipeline(toneMapping);
                    commands.bindTexture("radianceTexture", context.view(resources.history), nearest);
                    commands.bindTexture("bloomTexture", context.view(bloom, finest), linear);
                    commands.draw(3, 1, 0, 0);
                });
    }

    /** Declares the view of the normals; its result is transient and unread. */
    void declareDebug(RenderGraph graph, FrameResources resources) {
        RdgTexture view = graph.createTexture(
                "debug view", TextureDescription.of(resources.width, resources.height, FrameResources.PICTURE));
        graph.addPass("debug view", PassKind.RASTER)
                .reads(resources.normal, Access.SAMPLED_FRAGMENT)
                .color(view, LoadOp.DONT_CARE, ClearColor.BLACK_TRANSPARENT)
                .record(context -> {
                    CommandList commands = context.commands();
                    commands.bindPipeline(debug);
                    commands.bindTexture("normalTexture", context.view(resources.normal), nearest);
                    commands.draw(3, 1, 0, 0);
                });
    }

    @Override
    public void close() {
        toneMapping.close();
        debug.close();
    }
}
