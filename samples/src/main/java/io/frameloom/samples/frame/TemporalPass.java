package io.frameloom.samples.frame;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RenderGraph;

/** Blends the picture with the reprojected history into the history of this frame. */
final class TemporalPass implements AutoCloseable {
    private static final int GROUP = 8;

    private final ComputePipeline pipeline;
    private final Sampler nearest;
    private final Sampler linear;

    TemporalPass(GpuDevice device) {
        pipeline = device.createComputePipeline(
                new ComputePipelineDescription("temporal history", Shaders.load("temporal.comp"), null));
        nearest = device.sampler(SamplerDescription.NEAREST_CLAMP);
        linear = device.sampler(SamplerDescription.LINEAR_CLAMP);
    }

    void declare(RenderGraph graph, FrameResources resources) {
        graph.addPass("temporal history", PassKind.COMPUTE)
                .reads(resources.constants, Access.UNIFORM_COMPUTE)
                .reads(resources.radiance, Access.SAMPLED_COMPUTE)
                .reads(resources.depth, Access.SAMPLED_COMPUTE)
                .reads(resources.motion, Access.SAMPLED_COMPUTE)
                .reads(resources.historyBefore, Access.SAMPLED_COMPUTE)
                .overwrites(resources.history, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {
                    CommandList commands = context.commands();
                    commands.bindPipeline(pipeline);
                    GeometryPipelines.bindBlock(context, "Frame", resources.constants);
                    commands.bindTexture("radianceTexture", context.view(resources.radiance), nearest);
                    commands.bindTexture("depthTexture", context.view(resources.depth), nearest);
                    commands.bindTexture("motionTexture", context.view(resources.motion), nearest);
                    commands.bindTexture("historyTexture", context.view(resources.historyBefore), linear);
                    commands.bindStorageTexture("resolved", context.view(resources.history));
                    commands.dispatch(
                            FrameResources.groups(resources.width, GROUP),
                            FrameResources.groups(resources.height, GROUP),
                            1);
                });
    }

    @Override
    public void close() {
        pipeline.close();
    }
}
