package io.frameloom.gpu;

/** A range of a texture as shaders and attachments see it; lives as long as its texture. */
public interface TextureView {
    /** Returns the texture. */
    Texture texture();

    /** Returns the range. */
    SubresourceRange range();

    /** Returns as what it is seen. */
    default TextureViewKind kind() {
        return TextureViewKind.natural(texture().description(), range());
    }

    /** Returns the format in which it is seen. */
    default Format format() {
        return texture().description().format();
    }
}
