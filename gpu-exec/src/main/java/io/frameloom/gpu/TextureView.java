package io.frameloom.gpu;

/** A range of a texture as shaders and attachments see it; lives as long as its texture. */
public interface TextureView {
    /** Returns the texture. */
    Texture texture();

    /** Returns the range. */
    SubresourceRange range();
}
