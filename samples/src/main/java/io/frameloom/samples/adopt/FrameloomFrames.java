package io.frameloom.samples.adopt;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.ExternalSemaphore;
import io.frameloom.gpu.command.ExternalTimeline;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FrameSync;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.utility.CopyPasses;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Frameloom's half of a frame: a graph that draws rings over the engine's picture and shows it in an image of the
 * engine's swapchain. One thread.
 */
final class FrameloomFrames implements AutoCloseable {
    private static final int GROUP = 8;

    private static final String RINGS = """
            #version 450
            layout(local_size_x = 8, local_size_y = 8) in;
            layout(set = 0, binding = 0, rgba8) uniform image2D Picture;
            layout(push_constant) uniform Push { float phase; };
            void main() {
                ivec2 size = imageSize(Picture);
                ivec2 at = ivec2(gl_GlobalInvocationID.xy);
                if (any(greaterThanEqual(at, size))) {
                    return;
                }
                vec2 p = (vec2(at) + 0.5 - 0.5 * vec2(size)) / float(size.y);
                float ring = 0.5 + 0.5 * cos(length(p) * 60.0 - phase);
                float vignette = 1.0 - smoothstep(0.3, 0.9, length(p));
                vec4 color = imageLoad(Picture, at);
                imageStore(Picture, at, vec4(color.rgb * (0.4 + 0.6 * ring) * vignette, 1));
            }
            """;

    private final VulkanDevice gpu;
    private final ComputePipeline rings;
    private final Texture picture;
    private final ExternalTimeline engineTimeline;
    private final FrameExecutor executor;
    private final RenderGraph graph = new RenderGraph("frame");
    private final List<Texture> images = new ArrayList<>();
    private final List<ExternalSemaphore> acquired = new ArrayList<>();
    private final List<ExternalSemaphore> rendered = new ArrayList<>();

    FrameloomFrames(VulkanDevice gpu, TaskGraph tasks, Engine engine) {
        this.gpu = gpu;
        rings = gpu.createComputePipeline(new ComputePipelineDescription(
                "rings", new ShaderSource("rings.comp", ShaderStage.COMPUTE, RINGS), null));
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
        executor = new FrameExecutor(gpu, tasks);
    }

    /** Draws to the images of a swapchain from now on. */
    void use(EngineSwapchain swapchain) {
        TextureDescription shape = TextureDescription.of(
                swapchain.width(),
                swapchain.height(),
                Format.ofVulkan(swapchain.format()),
                TextureUsage.COLOR_ATTACHMENT,
                TextureUsage.COPY_DST);
        for (int i = 0; i < swapchain.images().size(); i++) {
            images.add(gpu.importTexture(
                    "engine's image " + i, swapchain.images().get(i), shape, TextureLayout.UNDEFINED));
        }
        swapchain.acquired().forEach(semaphore -> acquired.add(gpu.importSemaphore("acquired", semaphore)));
        swapchain.rendered().forEach(semaphore -> rendered.add(gpu.importSemaphore("rendered", semaphore)));
    }

    /** Closes the images before their swapchain is destroyed. */
    void forgetImages() {
        images.forEach(Texture::close);
        images.clear();
        acquired.clear();
        rendered.clear();
    }

    /**
     * Executes a frame.
     *
     * @param image index of the image that is acquired
     * @param slot of the frame, whose semaphore the acquisition signals
     * @param drawn value of the engine's timeline when the picture is drawn; the frame signals the next one
     * @param phase of the rings, in radians
     */
    FrameHandle execute(int image, int slot, long drawn, float phase) {
        Texture target = images.get(image);
        declare(target, phase);
        FramePlan plan = executor.compile(graph);
        return executor.execute(
                plan,
                FrameSync.none()
                        .waitFor(ExternalPoint.of(engineTimeline, drawn), picture)
                        .waitFor(ExternalPoint.of(acquired.get(slot)), target)
                        .signal(ExternalPoint.of(rendered.get(image)), target)
                        .signal(ExternalPoint.of(engineTimeline, drawn + 1)));
    }

    private void declare(Texture target, float phase) {
        graph.reset("frame");
        RdgTexture shown = graph.registerExternal(target, TextureLayout.UNDEFINED);
        graph.finalAccess(shown, Access.PRESENT);
        RdgTexture ringed = graph.registerExternal(picture, TextureLayout.GENERAL);
        graph.finalAccess(ringed, Access.STORAGE_READ_WRITE_COMPUTE);
        TextureDescription shape = picture.description();
        graph.addPass("rings", PassKind.COMPUTE)
                .writes(ringed, Access.STORAGE_READ_WRITE_COMPUTE)
                .record(context -> {
                    context.commands().bindPipeline(rings);
                    context.commands()
                            .bindStorageTexture(
                                    "Picture", context.texture(ringed).view());
                    ByteBuffer push = ByteBuffer.allocate(Float.BYTES).order(ByteOrder.nativeOrder());
                    context.commands().pushConstants(push.putFloat(phase).flip());
                    context.commands()
                            .dispatch((shape.width() + GROUP - 1) / GROUP, (shape.height() + GROUP - 1) / GROUP, 1);
                });
        CopyPasses.blit(
                graph,
                ringed,
                TextureRegion.mip(shape, 0),
                shown,
                TextureRegion.mip(target.description(), 0),
                Filter.LINEAR);
    }

    @Override
    public void close() {
        executor.close();
        forgetImages();
        picture.close();
        rings.close();
    }
}
