package io.frameloom.gpu;

/** A texture of a device. */
public non-sealed interface Texture extends Resource {
    /** Returns the shape. */
    TextureDescription description();

    /**
     * Returns whether this is an image of a {@link Swapchain}, to be used only between its acquisition and its
     * presentation. Its swapchain closes it; closing it otherwise is refused.
     */
    default boolean isSwapchainImage() {
        return false;
    }

    /** Returns the view of everything; the same object on every call. Any thread. */
    TextureView view();

    /**
     * Returns the view of a range, as the {@linkplain TextureViewKind#natural natural} kind and in the texture's format;
     * equal ranges give the same object. Any thread.
     *
     * @throws IllegalArgumentException if the range is not within the texture
     */
    TextureView view(SubresourceRange range);

    /**
     * Returns the view of a range as a kind, such as one layer of an array as {@link TextureViewKind#TWO_D_ARRAY} or the
     * layers of a cube one by one. Equal arguments give the same object. Any thread.
     *
     * @throws IllegalArgumentException if the range is not within the texture or cannot be seen so
     */
    default TextureView view(SubresourceRange range, TextureViewKind kind) {
        return view(range, kind, description().format());
    }

    /**
     * As {@link #view(SubresourceRange, TextureViewKind)}, in another format of equal texel size that the texture was
     * made for by {@link TextureDescription#withViewFormats}.
     *
     * @throws IllegalArgumentException if the range is not within the texture or cannot be seen so
     */
    TextureView view(SubresourceRange range, TextureViewKind kind, Format format);
}
