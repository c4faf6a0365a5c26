package io.frameloom.streaming;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.rdg.OverlapGroup;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import java.util.Map;

/**
 * The streamed textures as one frame has them. {@link TextureStreamer#addTo} makes it. Passes of that frame use it, on
 * any thread.
 */
public final class StreamedFrame {
    private final TextureStreamer owner;
    private final RenderGraph graph;
    private final RdgBuffer residency;
    private final RdgBuffer feedback;
    private final OverlapGroup wishes;
    private final Map<StreamedTexture, TextureView> views;
    private final TextureView placeholder;

    StreamedFrame(
            TextureStreamer owner,
            RenderGraph graph,
            RdgBuffer residency,
            RdgBuffer feedback,
            Map<StreamedTexture, TextureView> views,
            TextureView placeholder) {
        this.owner = owner;
        this.graph = graph;
        this.residency = residency;
        this.feedback = feedback;
        this.wishes = graph.overlapGroup("streaming wishes");
        this.views = views;
        this.placeholder = placeholder;
    }

    /**
     * Declares that shaders of a pass sample streamed textures and ask for levels, with {@code streamed.glsl}. What they
     * take from the bindless table needs no more.
     *
     * @param stage FRAGMENT or COMPUTE, whose shaders do so
     * @param bound textures whose {@link #view} the pass binds
     * @return the pass
     */
    public PassBuilder sampledBy(PassBuilder pass, ShaderStage stage, StreamedTexture... bound) {
        boolean isFragment = stage == ShaderStage.FRAGMENT;
        if (!isFragment && stage != ShaderStage.COMPUTE) {
            throw new IllegalArgumentException(
                    "streamed textures are sampled by FRAGMENT and COMPUTE shaders, not " + stage);
        }
        pass.reads(residency, isFragment ? Access.STORAGE_READ_FRAGMENT : Access.STORAGE_READ_COMPUTE);
        pass.writes(
                feedback, isFragment ? Access.STORAGE_READ_WRITE_FRAGMENT : Access.STORAGE_READ_WRITE_COMPUTE, wishes);
        for (StreamedTexture each : bound) {
            TextureView view = view(each);
            Texture texture = view.texture();
            RdgTexture filled = graph.findExternal(texture);
            pass.reads(
                    filled == null ? graph.registerPassthrough(texture, TextureLayout.SHADER_RO) : filled,
                    view.range(),
                    isFragment ? Access.SAMPLED_FRAGMENT : Access.SAMPLED_COMPUTE);
        }
        return pass;
    }

    /** Binds the two buffers of {@code streamed.glsl}, in the body of a pass with {@link #sampledBy}. */
    public void bind(PassContext context) {
        bind(context, "StreamedResidency", context.buffer(residency));
        bind(context, "StreamedFeedback", context.buffer(feedback));
    }

    private static void bind(PassContext context, String name, Buffer buffer) {
        context.commands().bindBuffer(name, buffer, 0, buffer.description().bytes());
    }

    /**
     * Returns the view of the levels in memory: its mip 0 is the finest of them, so a sampler takes no other. A texture
     * that has none yet, was closed before this frame or registered after it gives a single opaque grey texel.
     */
    public TextureView view(StreamedTexture texture) {
        if (texture.owner != owner) {
            throw new IllegalArgumentException(
                    "texture '" + texture.file().path() + "' is of another streamer than this frame");
        }
        return views.getOrDefault(texture, placeholder);
    }
}
