package io.frameloom.gpu.resource;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.present.Swapchain;
import org.jspecify.annotations.Nullable;

/** A texture of a device. */
public non-sealed interface Texture extends Resource {
    /** Returns the shape. */
    TextureDescription description();

    /**
     * Returns the levels that have memory only while it is bound; null unless this was made by {@link
     * GpuDevice#createSparseTexture}.
     */
    default @Nullable SparseLevels sparse() {
        return null;
    }

    /**
     * Returns whether this is an image of a {@link Swapchain}, to be used only between its acquisition and its
     * presentation. Only its swapchain can close it.
     */
    default boolean isSwapchainImage() {
        return false;
    }

    @Override
    default boolean isExclusive() {
        if (isSwapchainImage()) {
            return false;
        }
        return imported() == null
                ? description().sharing() == QueueSharing.EXCLUSIVE
                : sharedFamilies().isEmpty();
    }

    /** Returns the view of everything; the same object on every call. Any thread. */
    TextureView view();

    /**
     * Returns the view of a range, as the {@linkplain TextureViewKind#natural natural} kind and in the texture's
     * format; equal ranges give the same object. Any thread.
     *
     * @throws IllegalArgumentException if the range is not within the texture, or the texture is only for copies, which
     *     need no view
     */
    TextureView view(SubresourceRange range);

    /**
     * Returns the view of a range as a kind, such as one layer of an array as {@link TextureViewKind#TWO_D_ARRAY} or
     * the layers of a cube one by one. Equal arguments give the same object. Any thread.
     *
     * <p>{@link TextureViewKind#TWO_D} and {@link TextureViewKind#TWO_D_ARRAY} show slices of one mip of a
     * three-dimensional texture as layers: those of the range then are slices. Such views can only be attachments, so
     * the texture needs {@link TextureUsage#COLOR_ATTACHMENT}. Layouts and barriers still cover the whole mip.
     *
     * @throws IllegalArgumentException if the range is not within the texture or the kind does not fit
     */
    default TextureView view(SubresourceRange range, TextureViewKind kind) {
        return view(range, kind, description().format());
    }

    /**
     * As {@link #view(SubresourceRange, TextureViewKind)}, in another format of equal texel size that the texture was
     * made for by {@link TextureDescription#withViewFormats}. The view has those usages of the texture that its format
     * supports ({@link FormatSupport#supports}), such as all but storage for sRGB.
     *
     * @throws IllegalArgumentException if the range is not within the texture, the kind or format does not fit, or no
     *     usage is left
     */
    default TextureView view(SubresourceRange range, TextureViewKind kind, Format format) {
        return view(range, kind, format, ComponentMapping.IDENTITY);
    }

    /**
     * As {@link #view(SubresourceRange, TextureViewKind, Format)}, with a mapping of channels. A mapping that is not
     * the identity is for {@link TextureUsage#SAMPLED} alone: storage and attachments have channels as they are.
     *
     * @throws IllegalArgumentException if the range is not within the texture, or the kind, format or mapping does not
     *     fit
     */
    TextureView view(SubresourceRange range, TextureViewKind kind, Format format, ComponentMapping components);
}
