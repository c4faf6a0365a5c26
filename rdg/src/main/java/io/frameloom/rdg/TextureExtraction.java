package io.frameloom.rdg;

import io.frameloom.gpu.resource.Texture;

/** A texture of the graph that outlives the frame: see {@link RdgExtraction}. */
public final class TextureExtraction extends RdgExtraction<Texture> {
    TextureExtraction(String name) {
        super("texture", name);
    }

    /**
     * Returns the texture.
     *
     * @throws IllegalStateException if the frame has not been executed yet
     */
    public Texture texture() {
        return resource();
    }
}
