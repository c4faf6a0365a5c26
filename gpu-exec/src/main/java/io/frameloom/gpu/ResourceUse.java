package io.frameloom.gpu;

/** A declared use of a resource by a pass, as handed to {@link CommandList#beginPass}. */
public sealed interface ResourceUse {
    /** Returns the resource. */
    Resource resource();

    /** Returns how it is used. */
    Access access();

    /** Returns whether the old contents are not needed. */
    boolean discard();

    /**
     * Use of a texture.
     *
     * @param resource texture
     * @param range range
     * @param access access
     * @param discard old contents are not needed
     * @param layout the layout the texture is in during the pass (the access's own, or a merged read layout)
     */
    record OfTexture(Texture resource, SubresourceRange range, Access access, boolean discard, TextureLayout layout)
            implements ResourceUse {}

    /**
     * Use of a buffer.
     *
     * @param resource buffer
     * @param offset first byte
     * @param bytes length
     * @param access access
     * @param discard old contents are not needed
     */
    record OfBuffer(Buffer resource, long offset, long bytes, Access access, boolean discard) implements ResourceUse {}
}
