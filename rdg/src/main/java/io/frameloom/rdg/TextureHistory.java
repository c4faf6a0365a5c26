package io.frameloom.rdg;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;

/**
 * A texture with a history, such as that of temporal anti-aliasing: see {@link RdgHistory} and {@link
 * RenderGraph#history(TextureHistory, TextureDescription)}. The thread that declares and executes graphs, one at a
 * time; close it after the executor, or when its frames have completed.
 */
public final class TextureHistory extends RdgHistory<Texture, TextureDescription> {
    private final ClearColor initial;

    /**
     * A history without memory yet.
     *
     * @param rest the access that most passes read it by: between frames both textures are ready for it
     * @param initial colour of what a frame reads if there is no former frame; red is the depth of depth formats
     * @throws IllegalArgumentException if {@code rest} writes, is one of the host, or reads no textures
     */
    public TextureHistory(GpuDevice device, String name, Access rest, ClearColor initial) {
        super(
                name,
                rest,
                rest.layout() != TextureLayout.UNDEFINED && rest.layout() != TextureLayout.PRESENT,
                device::createTexture);
        this.initial = initial;
    }

    ClearColor initial() {
        return initial;
    }

    /**
     * The textures of one frame.
     *
     * @param previous what the former frame wrote, or what was cleared
     * @param current what this frame writes for the next; it has no contents before
     * @param hasContents whether a former frame wrote {@code previous}
     */
    public record Frame(RdgTexture previous, RdgTexture current, boolean hasContents) {}
}
