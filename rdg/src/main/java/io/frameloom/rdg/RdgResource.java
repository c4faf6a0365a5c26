package io.frameloom.rdg;

import io.frameloom.rdg.declare.GraphDeclaration;
import io.frameloom.rdg.declare.Handle;

/**
 * A handle of a texture or buffer of one {@link RenderGraph}: a promise at declaration, memory only at execution.
 * Immutable but for the views it keeps; handed out by the thread that declares the graph, then any thread. When the
 * graph is {@linkplain RenderGraph#reset reset}, it is no longer valid, except in bodies of frames that were compiled
 * before.
 */
public abstract class RdgResource {
    private final int index;
    private final String name;

    /** For graphs alone, which make the handles of their resources. */
    protected RdgResource(int index, String name) {
        this.index = index;
        this.name = name;
    }

    /** Returns the graph, the resource and where it was declared, the beginning of a message. */
    final String subject(String kind) {
        GraphDeclaration graph = Handle.of(this).graph();
        return "graph '" + graph.name() + "': " + kind + " '" + name + "'" + graph.siteSuffix(this);
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
