package io.frameloom.rdg;

import io.frameloom.gpu.resource.TextureLayout;
import org.jspecify.annotations.Nullable;

/**
 * A handle of a texture or buffer of one {@link RenderGraph}: a promise at declaration, memory only at execution.
 * Immutable but for the views it keeps; handed out by the thread that declares the graph, then any thread. When the graph is
 * {@linkplain RenderGraph#reset reset}, it is over, but for bodies of frames that were compiled before.
 */
public abstract sealed class RdgResource permits RdgTexture, RdgBuffer {
    private final RenderGraph graph;
    private final int index;
    private final String name;
    private final @Nullable TextureLayout passthrough;

    RdgResource(RenderGraph graph, int index, String name, @Nullable TextureLayout passthrough) {
        this.graph = graph;
        this.index = index;
        this.name = name;
        this.passthrough = passthrough;
    }

    RenderGraph graph() {
        return graph;
    }

    /** Returns whether a declaration of the same kind says what this one did, so that it may have this handle. */
    final boolean isAgain(String otherName, @Nullable TextureLayout otherPassthrough) {
        return passthrough == otherPassthrough && name.equals(otherName);
    }

    /** Returns the layout in which a passthrough resource stays ({@code UNDEFINED} for a buffer), or null. */
    @Nullable
    TextureLayout passthrough() {
        return passthrough;
    }

    /** Returns the position in {@link FramePlan#resources}. */
    public final int index() {
        return index;
    }

    /** Returns the debug name. */
    public final String name() {
        return name;
    }

    @Override
    public final String toString() {
        return name + '@' + index;
    }
}
