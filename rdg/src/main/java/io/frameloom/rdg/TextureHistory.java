package io.frameloom.rdg;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.declare.AccessUsage;
import io.frameloom.rdg.declare.FirstContents;
import io.frameloom.rdg.declare.GraphDeclaration;
import java.util.EnumSet;
import java.util.Set;

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

    /** Takes both halves into a graph, and clears the former one if no frame has written it. */
    Frame declare(RenderGraph graph, TextureDescription shape) {
        GraphDeclaration declaration = graph.declaration();
        Set<TextureUsage> usage = EnumSet.of(TextureUsage.COPY_DST);
        usage.addAll(AccessUsage.textureUsage(rest().memoryAccess()));
        usage.addAll(shape.usage());
        prepare(shape.withUsage(usage));
        boolean kept = hasContents();
        String site = declaration.site();
        RdgTexture previous = declaration.history(
                name() + " (previous)",
                previous(),
                Lifetime.EXTERNAL,
                kept ? rest().layout() : TextureLayout.UNDEFINED,
                rest(),
                new HistoryUse(this, false, site),
                !kept);
        RdgTexture current = declaration.history(
                name(),
                current(),
                Lifetime.HISTORY,
                TextureLayout.UNDEFINED,
                rest(),
                new HistoryUse(this, true, site),
                false);
        if (!kept) {
            FirstContents.clear(graph, previous, initial);
        }
        return new Frame(previous, current, kept);
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
