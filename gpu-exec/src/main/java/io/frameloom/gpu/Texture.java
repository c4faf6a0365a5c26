package io.frameloom.gpu;

/** A texture of a device. */
public non-sealed interface Texture extends Resource {
    /** Returns the shape. */
    TextureDescription description();

    /** Returns the view of everything; the same object on every call. Any thread. */
    TextureView view();

    /**
     * Returns the view of a range; equal ranges give the same object. Any thread.
     *
     * @throws IllegalArgumentException if the range is not within the texture
     */
    TextureView view(SubresourceRange range);
}
