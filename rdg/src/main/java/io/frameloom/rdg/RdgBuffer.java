package io.frameloom.rdg;

import io.frameloom.gpu.BufferDescription;

/** A handle of a buffer of one graph. */
public final class RdgBuffer extends RdgResource {
    private final BufferDescription description;

    RdgBuffer(RenderGraph graph, int index, String name, BufferDescription description) {
        super(graph, index, name);
        this.description = description;
    }

    /** Returns the shape as declared; the usage of a transient is completed by the compiler. */
    public BufferDescription description() {
        return description;
    }
}
