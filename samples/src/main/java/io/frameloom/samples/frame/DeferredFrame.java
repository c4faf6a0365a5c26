package io.frameloom.samples.frame;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.samples.scene.FrameSnapshot;
import io.frameloom.samples.scene.Scene;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The deferred frame: upload, deformation, depth prepass, g-buffer, ambient occlusion beside the shadow map, lighting,
 * temporal history, bloom, tone mapping, and a readback on demand.
 *
 * <p>{@link #declare} is called on the RENDER thread, frame after frame in the order of their execution; closing needs
 * an idle device.
 */
public final class DeferredFrame implements AutoCloseable {
    /** Side of the shadow map in texels. */
    public static final int SHADOW_EXTENT = FrameResources.SHADOW_EXTENT;

    /** Name of the texture that is read back. */
    public static final String PICTURE = "picture";

    /** Name of the scope of the passes that cull and draw meshlets. */
    public static final String MESHLETS = "meshlets";

    private final Scene scene;
    private final GpuDevice device;
    private int width;
    private int height;
    private List<Texture> histories;
    private Texture picture;
    private final SceneBuffers buffers;
    private final UploadPass upload;
    private final DeformPass deform;
    private final DepthPrepass depthPrepass;
    private final GBufferPass gBuffer;
    private final AmbientOcclusionPasses ambientOcclusion;
    private final ShadowPass shadow;
    private final LightingPass lighting;
    private final TemporalPass temporal;
    private final BloomPasses bloom;
    private final FullscreenPasses fullscreen;
    private @Nullable ParticlePasses particles;
    private @Nullable MeshletPasses meshlets;
    private MeshletPasses.@Nullable Found found;
    private boolean started;

    /**
     * Compiles the pipelines and creates what outlives a frame.
     *
     * @param width width of the picture in texels
     * @param height height of the picture in texels
     */
    public DeferredFrame(GpuDevice device, Scene scene, SceneBuffers buffers, int width, int height) {
        this.device = device;
        this.scene = scene;
        this.width = width;
        this.height = height;
        histories = histories();
        picture = picture();
        this.buffers = buffers;
        upload = new UploadPass(scene);
        deform = new DeformPass(device, scene, buffers);
        depthPrepass = new DepthPrepass(device, scene, buffers);
        gBuffer = new GBufferPass(device, scene, buffers);
        ambientOcclusion = new AmbientOcclusionPasses(device);
        shadow = new ShadowPass(device, scene, buffers);
        lighting = new LightingPass(device);
        temporal = new TemporalPass(device);
        bloom = new BloomPasses(device);
        fullscreen = new FullscreenPasses(device);
    }

    private List<Texture> histories() {
        TextureDescription history = TextureDescription.of(
                width,
                height,
                FrameResources.RADIANCE,
                TextureUsage.STORAGE,
                TextureUsage.SAMPLED,
                TextureUsage.COPY_SRC,
                TextureUsage.COPY_DST);
        return List.of(device.createTexture("history 0", history), device.createTexture("history 1", history));
    }

    private Texture picture() {
        return device.createTexture(
                PICTURE,
                TextureDescription.of(
                        width, height, FrameResources.PICTURE, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC));
    }

    /** Adds sparks to later frames, by native passes of the device of this frame. */
    public void showParticles(VulkanDevice vulkan) {
        particles = new ParticlePasses(vulkan);
    }

    /**
     * Lets the device find what later frames show of depth and g-buffer, meshlet by meshlet. The pictures stay the same.
     * Waits for the device.
     *
     * @throws IllegalArgumentException if a draw is deformed, or its material more than plain and opaque
     * @throws UnsupportedOperationException if the device has not the shaders, cannot take the draws from buffers, or not
     *     as many
     */
    public void drawMeshlets(MeshletForm form) {
        drawMeshlets(form, Shaders.load("depth_pyramid.comp"));
    }

    /** As above with another pyramid, also in place of a former one while the device is idle. */
    void drawMeshlets(MeshletForm form, ShaderSource pyramid) {
        if (meshlets != null) {
            meshlets.close();
        }
        meshlets = new MeshletPasses(device, scene, buffers, pyramid, form);
        if (meshlets.drawsMeshes()) {
            depthPrepass.compileMeshes();
            gBuffer.compileMeshes();
        }
    }

    /** Returns the meshlets; null without {@link #drawMeshlets}. */
    @Nullable
    Meshlets meshlets() {
        return meshlets == null ? null : meshlets.meshlets();
    }

    /** Returns what the frame that was declared last finds of its meshlets, to be read back; null without {@link #drawMeshlets}. */
    MeshletPasses.@Nullable Found found() {
        return found;
    }

    /**
     * Returns what became of the meshlets of the last frame with a readback, which is complete; null without one, or
     * without {@link #drawMeshlets}.
     */
    public @Nullable MeshletCounts meshletCounts() {
        return meshlets == null ? null : meshlets.counts();
    }

    /**
     * Makes the pictures of later frames of another size; what former frames have left for them is forgotten. All
     * frames that were declared have been submitted.
     */
    public void resize(int newWidth, int newHeight) {
        closePictures();
        width = newWidth;
        height = newHeight;
        histories = histories();
        picture = picture();
        started = false;
    }

    private void closePictures() {
        histories.forEach(Texture::close);
        picture.close();
    }

    /**
     * Declares one frame.
     *
     * @param graph an empty graph
     * @param snapshot state of the scene; read until the frame has been recorded
     * @param readback receives the picture: rows from the top, four bytes per texel, sRGB encoded; null if nobody wants
     *     it
     * @return the picture
     */
    public RdgTexture declare(RenderGraph graph, FrameSnapshot snapshot, @Nullable Buffer readback) {
        int parity = (int) (snapshot.frame & 1);
        RdgTexture before = graph.registerExternal(histories.get(1 - parity), historyLayout());
        RdgTexture now = graph.registerExternal(histories.get(parity), historyLayout());
        RdgTexture finished =
                graph.registerExternal(picture, started ? TextureLayout.TRANSFER_SRC : TextureLayout.UNDEFINED);
        graph.finalAccess(before, Access.SAMPLED_COMPUTE);
        graph.finalAccess(now, Access.SAMPLED_COMPUTE);
        graph.finalAccess(finished, Access.COPY_SRC);
        if (!started) {
            clear(graph, before);
            started = true;
            snapshot.reset = true;
        }
        FrameResources resources = new FrameResources(graph, scene, buffers, width, height, before, now, finished);
        upload.declare(graph, resources, snapshot);
        deform.declare(graph, resources);
        MeshletPasses drawing = meshlets;
        if (drawing == null) {
            depthPrepass.declare(graph, resources, snapshot);
            gBuffer.declare(graph, resources, snapshot);
        } else {
            graph.scope(
                    MESHLETS,
                    () -> found = drawing.declare(graph, resources, snapshot, depthPrepass, gBuffer, readback != null));
        }
        RdgTexture occlusion = ambientOcclusion.declare(graph, resources);
        shadow.declare(graph, resources, snapshot);
        lighting.declare(graph, resources, occlusion);
        if (particles != null) {
            particles.declare(graph, resources);
        }
        temporal.declare(graph, resources);
        RdgTexture glow = bloom.declare(graph, resources);
        fullscreen.declareToneMapping(graph, resources, glow);
        fullscreen.declareDebug(graph, resources);
        if (readback != null) {
            declareReadback(graph, finished, readback);
        }
        return finished;
    }

    private TextureLayout historyLayout() {
        return started ? TextureLayout.SHADER_RO : TextureLayout.UNDEFINED;
    }

    private static void clear(RenderGraph graph, RdgTexture history) {
        graph.addPass("clear " + history.name(), PassKind.COPY)
                .overwrites(history, Access.COPY_DST)
                .record(context -> context.commands()
                        .clearTexture(
                                context.texture(history),
                                SubresourceRange.all(history.description()),
                                ClearColor.BLACK_TRANSPARENT));
    }

    private static void declareReadback(RenderGraph graph, RdgTexture finished, Buffer readback) {
        RdgBuffer target = graph.registerExternal(readback);
        graph.addPass("readback", PassKind.COPY)
                .reads(finished, Access.COPY_SRC)
                .overwrites(target, Access.COPY_DST)
                .flag(PassFlag.READBACK)
                .record(context -> context.commands()
                        .copyTextureToBuffer(context.texture(finished), 0, 0, context.buffer(target), 0));
    }

    @Override
    public void close() {
        deform.close();
        depthPrepass.close();
        gBuffer.close();
        ambientOcclusion.close();
        shadow.close();
        lighting.close();
        temporal.close();
        bloom.close();
        fullscreen.close();
        if (particles != null) {
            particles.close();
        }
        if (meshlets != null) {
            meshlets.close();
        }
        closePictures();
    }
}
