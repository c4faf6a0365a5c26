package io.frameloom.samples.adopt;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.CommandList;
import io.frameloom.gpu.ComputePipeline;
import io.frameloom.gpu.ComputePipelineDescription;
import io.frameloom.gpu.ExternalPoint;
import io.frameloom.gpu.ExternalTimeline;
import io.frameloom.gpu.Format;
import io.frameloom.gpu.FrameContext;
import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.PipelineStage;
import io.frameloom.gpu.ResourceUse;
import io.frameloom.gpu.ShaderSource;
import io.frameloom.gpu.ShaderStage;
import io.frameloom.gpu.Submission;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.gpu.TextureUsage;
import io.frameloom.gpu.TimelinePoint;
import io.frameloom.gpu.vulkan.VulkanDevice;
import java.util.List;

/** Frameloom's half of the frame: a compute pass over the engine's image. */
final class FrameloomPass implements AutoCloseable {
    private static final int GROUP = 8;

    private static final String RINGS = """
            #version 450
            layout(local_size_x = 8, local_size_y = 8) in;
            layout(set = 0, binding = 0, rgba8) uniform image2D Picture;
            void main() {
                ivec2 size = imageSize(Picture);
                ivec2 at = ivec2(gl_GlobalInvocationID.xy);
                if (any(greaterThanEqual(at, size))) {
                    return;
                }
                vec2 p = (vec2(at) + 0.5 - 0.5 * vec2(size)) / float(size.y);
                float ring = 0.5 + 0.5 * cos(length(p) * 60.0);
                float vignette = 1.0 - smoothstep(0.3, 0.9, length(p));
                vec4 color = imageLoad(Picture, at);
                imageStore(Picture, at, vec4(color.rgb * (0.4 + 0.6 * ring) * vignette, 1));
            }
            """;

    private final VulkanDevice gpu;
    private final ComputePipeline rings;
    private final FrameContext frame;
    private final Texture picture;
    private final ExternalTimeline engineTimeline;

    FrameloomPass(VulkanDevice gpu, Engine engine) {
        this.gpu = gpu;
        rings = gpu.createComputePipeline(new ComputePipelineDescription(
                "rings", new ShaderSource("rings.comp", ShaderStage.COMPUTE, RINGS), null));
        frame = gpu.createFrameContext("frame");
        picture = gpu.importTexture(
                "engine's picture",
                engine.image(),
                TextureDescription.of(
                        engine.width(),
                        engine.height(),
                        Format.R8G8B8A8_UNORM,
                        TextureUsage.STORAGE,
                        TextureUsage.COLOR_ATTACHMENT,
                        TextureUsage.COPY_SRC),
                TextureLayout.GENERAL);
        engineTimeline = gpu.importTimeline("engine", engine.timeline());
    }

    /** Submits the pass behind a value of the engine's timeline; the image stays in layout GENERAL. */
    TimelinePoint submitAfter(long engineValue) {
        GpuQueue queue = gpu.queues().get(0);
        CommandList list = frame.beginCommands(queue, "rings");
        list.beginPass(
                "rings",
                List.of(new ResourceUse.OfTexture(
                        picture,
                        SubresourceRange.all(picture.description()),
                        Access.STORAGE_READ_WRITE_COMPUTE,
                        false,
                        TextureLayout.GENERAL)));
        list.bindPipeline(rings);
        list.bindStorageTexture("Picture", picture.view());
        list.dispatch(
                (picture.description().width() + GROUP - 1) / GROUP,
                (picture.description().height() + GROUP - 1) / GROUP,
                1);
        list.endPass();
        list.end();
        ExternalPoint drawn = new ExternalPoint(engineTimeline, engineValue, PipelineStage.COMPUTE_SHADER.bit());
        return queue.submit(new Submission("rings", List.of(list), List.of()).with(List.of(drawn), List.of()));
    }

    /** Returns the semaphore that reaches the values of Frameloom's points. */
    long timeline() {
        return gpu.handles().timeline(gpu.queues().get(0));
    }

    @Override
    public void close() {
        gpu.waitIdle();
        picture.close();
        frame.close();
        rings.close();
    }
}
