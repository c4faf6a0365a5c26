package io.frameloom.samples.frame;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Ambient occlusion at half resolution and its two blurs, on a compute queue where the device has one: they run beside
 * the shadow map.
 */
final class AmbientOcclusionPasses implements AutoCloseable {
    private static final int GROUP = 8;

    private final ComputePipeline occlusion;
    private final ComputePipeline blur;
    private final Sampler nearest;

    AmbientOcclusionPasses(GpuDevice device) {
        occlusion = device.createComputePipeline(
                new ComputePipelineDescription("ambient occlusion", Shaders.load("ssao.comp"), null));
        blur = device.createComputePipeline(
                new ComputePipelineDescription("ambient occlusion blur", Shaders.load("ssao_blur.comp"), null));
        nearest = device.sampler(SamplerDescription.NEAREST_CLAMP);
    }

    /** Declares the passes and returns the blurred occlusion. */
    RdgTexture declare(RenderGraph graph, FrameResources resources) {
        RdgTexture raw = create(graph, resources, "occlusion");
        RdgTexture acrossX = create(graph, resources, "occlusion blurred in x");
        RdgTexture acrossXY = create(graph, resources, "occlusion blurred");
        graph.addPass("ambient occlusion", PassKind.COMPUTE)
                .reads(resources.constants, Access.UNIFORM_COMPUTE)
                .reads(resources.depth, Access.SAMPLED_COMPUTE)
                .reads(resources.normal, Access.SAMPLED_COMPUTE)
                .overwrites(raw, Access.STORAGE_WRITE_COMPUTE)
                .flag(PassFlag.ASYNC_COMPUTE)
                .record(context -> {
                    context.commands().bindPipeline(occlusion);
                    GeometryPipelines.bindBlock(context, "Frame", resources.constants);
                    context.commands().bindTexture("depthTexture", context.view(resources.depth), nearest);
                    context.commands().bindTexture("normalTexture", context.view(resources.normal), nearest);
                    context.commands().bindStorageTexture("occlusion", context.view(raw));
                    dispatch(context.commands(), raw);
                });
        blur(graph, resources, "ambient occlusion blur x", raw, acrossX, 1, 0);
        blur(graph, resources, "ambient occlusion blur y", acrossX, acrossXY, 0, 1);
        return acrossXY;
    }

    private static RdgTexture create(RenderGraph graph, FrameResources resources, String name) {
        return graph.createTexture(
                name,
                TextureDescription.of(
                        FrameResources.groups(resources.width, 2),
                        FrameResources.groups(resources.height, 2),
                        FrameResources.OCCLUSION));
    }

    private void blur(
            RenderGraph graph,
            FrameResources resources,
            String name,
            RdgTexture source,
            RdgTexture target,
            int directionX,
            int directionY) {
        graph.addPass(name, PassKind.COMPUTE)
                .reads(resources.constants, Access.UNIFORM_COMPUTE)
                .reads(resources.depth, Access.SAMPLED_COMPUTE)
                .reads(source, Access.SAMPLED_COMPUTE)
                .overwrites(target, Access.STORAGE_WRITE_COMPUTE)
                .flag(PassFlag.ASYNC_COMPUTE)
                .record(context -> {
                    context.commands().bindPipeline(blur);
                    GeometryPipelines.bindBlock(context, "Frame", resources.constants);
                    context.commands().bindTexture("depthTexture", context.view(resources.depth), nearest);
                    context.commands().bindTexture("occlusionTexture", context.view(source), nearest);
                    context.commands().bindStorageTexture("blurred", context.view(target));
                    ByteBuffer direction = ByteBuffer.allocateDirect(2 * Integer.BYTES)
                            .order(ByteOrder.nativeOrder())
                            .putInt(directionX)
                            .putInt(directionY)
                            .flip();
                    context.commands().pushConstants(direction);
                    dispatch(context.commands(), target);
                });
    }

    private static void dispatch(io.frameloom.gpu.command.CommandList commands, RdgTexture target) {
        commands.dispatch(
                FrameResources.groups(target.description().width(), GROUP),
                FrameResources.groups(target.description().height(), GROUP),
                1);
    }

    @Override
    public void close() {
        occlusion.close();
        blur.close();
    }
}
