package io.frameloom.samples.frame;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;

/** Lights the g-buffer: sun with shadow, point lights, sky, fog; paints the sky where there is nothing. */
final class LightingPass implements AutoCloseable {
    private static final int TILE = 16;

    private final ComputePipeline pipeline;
    private final Sampler nearest;
    private final Sampler shadow;

    LightingPass(GpuDevice device) {
        pipeline = device.createComputePipeline(
                new ComputePipelineDescription("lighting", Shaders.load("lighting.comp"), null));
        nearest = device.sampler(SamplerDescription.NEAREST_CLAMP);
        shadow = device.sampler(SamplerDescription.SHADOW);
    }

    void declare(RenderGraph graph, FrameResources resources, RdgTexture occlusion) {
        graph.addPass("lighting", PassKind.COMPUTE)
                .reads(resources.constants, Access.UNIFORM_COMPUTE)
                .reads(resources.lights, Access.STORAGE_READ_COMPUTE)
                .reads(resources.albedo, Access.SAMPLED_COMPUTE)
                .reads(resources.normal, Access.SAMPLED_COMPUTE)
                .reads(resources.emissive, Access.SAMPLED_COMPUTE)
                .reads(resources.depth, Access.SAMPLED_COMPUTE)
                .reads(occlusion, Access.SAMPLED_COMPUTE)
                .reads(resources.shadow, Access.SAMPLED_COMPUTE)
                .overwrites(resources.radiance, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {
                    CommandList commands = context.commands();
                    commands.bindPipeline(pipeline);
                    GeometryPipelines.bindBlock(context, "Frame", resources.constants);
                    GeometryPipelines.bindBlock(context, "Lights", resources.lights);
                    commands.bindTexture("albedoTexture", context.view(resources.albedo), nearest);
                    commands.bindTexture("normalTexture", context.view(resources.normal), nearest);
                    commands.bindTexture("emissiveTexture", context.view(resources.emissive), nearest);
                    commands.bindTexture("depthTexture", context.view(resources.depth), nearest);
                    commands.bindTexture("occlusionTexture", context.view(occlusion), nearest);
                    commands.bindTexture("shadowTexture", context.view(resources.shadow), shadow);
                    commands.bindStorageTexture("radiance", context.view(resources.radiance));
                    commands.dispatch(
                            FrameResources.groups(resources.width, TILE),
                            FrameResources.groups(resources.height, TILE),
                            1);
                });
    }

    @Override
    public void close() {
        pipeline.close();
    }
}
