package io.frameloom.rdg;

import io.frameloom.gpu.TextureDescription;

/** A handle of a texture of one graph. */
public final class RdgTexture extends RdgResource {
    private final TextureDescription description;

    RdgTexture(RenderGraph graph, int index, String name, TextureDescription description) {
        super(graph, index, name);
        this.description = description;
    }

    /** Returns the shape as declared; the usage of a transient is completed by the compiler. */
    public TextureDescription description() {
        return description;
    }
}
