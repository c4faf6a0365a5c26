package io.frameloom.rdg;

import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureViewKind;

/**
 * A range of mips, layers and planes of a texture of a graph as shaders see it. Passes declare it like a texture and
 * take it by {@link PassContext#view(RdgTextureView)}. Made and kept by {@link RdgTexture#view}; immutable, any thread.
 */
public final class RdgTextureView {
    private final RdgTexture texture;
    private final SubresourceRange range;
    private final TextureViewKind kind;
    private final Format format;

    RdgTextureView(RdgTexture texture, SubresourceRange range, TextureViewKind kind, Format format) {
        this.texture = texture;
        this.range = range;
        this.kind = kind;
        this.format = format;
    }

    /** Returns the texture. */
    public RdgTexture texture() {
        return texture;
    }

    /** Returns the range. */
    public SubresourceRange range() {
        return range;
    }

    /** Returns as what it is seen. */
    public TextureViewKind kind() {
        return kind;
    }

    /** Returns the format in which it is seen. */
    public Format format() {
        return format;
    }

    @Override
    public String toString() {
        return texture + " " + range;
    }
}
