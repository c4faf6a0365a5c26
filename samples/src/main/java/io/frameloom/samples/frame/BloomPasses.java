package io.frameloom.samples.frame;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;

/**
 * The bloom chain: what is bright is halved mip by mip in one texture and summed up again in another. Every pass names
 * the single mips it touches, so each mip has its own layout.
 */
final class BloomPasses implements AutoCloseable {
    private static final int GROUP = 8;
    private static final int MAX_MIPS = 6;

    private final ComputePipeline threshold;
    private final ComputePipeline down;
    private final ComputePipeline up;
    private final Sampler linear;

    BloomPasses(GpuDevice device) {
        threshold = device.createComputePipeline(
                new ComputePipelineDescription("bloom threshold", Shaders.load("bloom_down.comp", "THRESHOLD"), null));
        down = device.createComputePipeline(
                new ComputePipelineDescription("bloom down", Shaders.load("bloom_down.comp"), null));
        up = device.createComputePipeline(
                new ComputePipelineDescription("bloom up", Shaders.load("bloom_up.comp"), null));
        linear = device.sampler(SamplerDescription.LINEAR_CLAMP);
    }

    /** Declares the passes and returns the texture whose mip 0 is the bloom. */
    RdgTexture declare(RenderGraph graph, FrameResources resources) {
        int width = FrameResources.groups(resources.width, 2);
        int height = FrameResources.groups(resources.height, 2);
        int chain = 32 - Integer.numberOfLeadingZeros(Math.max(width, height));
        int mips = Math.min(MAX_MIPS, Math.max(2, chain - 2));
        TextureDescription shape =
                TextureDescription.of(width, height, FrameResources.RADIANCE).withMips(mips);
        RdgTexture halves = graph.createTexture("bloom down", shape);
        RdgTexture sums = graph.createTexture("bloom up", shape.withMips(mips - 1));
        graph.addPass("bloom threshold", PassKind.COMPUTE)
                .reads(resources.history, Access.SAMPLED_COMPUTE)
                .overwrites(halves, SubresourceRange.mip(0), Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {
                    CommandList commands = context.commands();
                    commands.bindPipeline(threshold);
                    commands.bindTexture("sourceTexture", context.view(resources.history), linear);
                    commands.bindStorageTexture("halved", context.view(halves, SubresourceRange.mip(0)));
                    dispatch(commands, shape, 0);
                });
        for (int mip = 1; mip < mips; mip++) {
            declareDown(graph, halves, mip);
        }
        for (int mip = mips - 2; mip >= 0; mip--) {
            declareUp(graph, halves, sums, mip, mip == mips - 2);
        }
        return sums;
    }

    private void declareDown(RenderGraph graph, RdgTexture halves, int mip) {
        graph.addPass("bloom down " + mip, PassKind.COMPUTE)
                .reads(halves, SubresourceRange.mip(mip - 1), Access.SAMPLED_COMPUTE)
                .overwrites(halves, SubresourceRange.mip(mip), Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {
                    CommandList commands = context.commands();
                    commands.bindPipeline(down);
                    commands.bindTexture("sourceTexture", context.view(halves, SubresourceRange.mip(mip - 1)), linear);
                    commands.bindStorageTexture("halved", context.view(halves, SubresourceRange.mip(mip)));
                    dispatch(commands, halves.description(), mip);
                });
    }

    private void declareUp(RenderGraph graph, RdgTexture halves, RdgTexture sums, int mip, boolean first) {
        RdgTexture coarse = first ? halves : sums;
        PassBuilder pass = graph.addPass("bloom up " + mip, PassKind.COMPUTE)
                .reads(halves, SubresourceRange.mip(mip), Access.SAMPLED_COMPUTE)
                .reads(coarse, SubresourceRange.mip(mip + 1), Access.SAMPLED_COMPUTE)
                .overwrites(sums, SubresourceRange.mip(mip), Access.STORAGE_WRITE_COMPUTE);
        pass.record(context -> recordUp(context, halves, coarse, sums, mip));
    }

    private void recordUp(PassContext context, RdgTexture halves, RdgTexture coarse, RdgTexture sums, int mip) {
        CommandList commands = context.commands();
        commands.bindPipeline(up);
        commands.bindTexture("fineTexture", context.view(halves, SubresourceRange.mip(mip)), linear);
        commands.bindTexture("coarseTexture", context.view(coarse, SubresourceRange.mip(mip + 1)), linear);
        commands.bindStorageTexture("sum", context.view(sums, SubresourceRange.mip(mip)));
        dispatch(commands, sums.description(), mip);
    }

    private static void dispatch(CommandList commands, TextureDescription shape, int mip) {
        commands.dispatch(
                FrameResources.groups(shape.width(mip), GROUP), FrameResources.groups(shape.height(mip), GROUP), 1);
    }

    @Override
    public void close() {
        threshold.close();
        down.close();
        up.close();
    }
}
