package io.frameloom.gpu.resource;

/**
 * A range of a texture as shaders and attachments see it; lives as long as its texture, which makes it. A device
 * refuses views that the application implements. The range is one of mips, layers and planes. Slices and component
 * mappings stand beside it, so rules about ranges know neither.
 */
public interface TextureView {
    /** Returns the texture. */
    Texture texture();

    /** Returns the range. For slices it is the mip that has them: they are one subresource. */
    SubresourceRange range();

    /** Returns the first layer, or the first slice of a view of slices. */
    default int baseLayer() {
        return range().baseLayer();
    }

    /** Returns the number of layers, or of slices of a view of slices. */
    default int layerCount() {
        return range().layerCount();
    }

    /** Returns which channels of the texture its channels show. */
    default ComponentMapping components() {
        return ComponentMapping.IDENTITY;
    }

    /** Returns whether these are slices of a three-dimensional texture, one by one; only attachments can be. */
    default boolean isOfSlices() {
        return kind().isOfSlices(texture().description());
    }

    /** Returns the kind of the view. */
    default TextureViewKind kind() {
        return TextureViewKind.natural(texture().description(), range());
    }

    /** Returns the format of the view. */
    default Format format() {
        return texture().description().format();
    }
}
