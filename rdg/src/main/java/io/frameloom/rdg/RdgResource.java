package io.frameloom.rdg;

/**
 * A handle of a texture or buffer of one {@link RenderGraph}: a promise at declaration, memory only at execution.
 * Immutable; any thread.
 */
public abstract sealed class RdgResource permits RdgTexture, RdgBuffer {
    private final RenderGraph graph;
    private final int index;
    private final String name;

    RdgResource(RenderGraph graph, int index, String name) {
        this.graph = graph;
        this.index = index;
        this.name = name;
    }

    RenderGraph graph() {
        return graph;
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
