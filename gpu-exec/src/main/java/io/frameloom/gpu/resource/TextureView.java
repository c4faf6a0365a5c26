package io.frameloom.gpu.resource;

/**
 * A range of a texture as shaders and attachments see it; lives as long as its texture. The range is one of mips,
 * layers and planes. Slices and component mappings stand beside it, so rules about ranges know neither.
 */
public interface TextureView {
    /** Returns the texture. */
    Texture texture();

    /** Returns the range; of slices, the mip that has them: they are one subresource. */
    SubresourceRange range();

    /** Returns the first layer; of slices, the first slice. */
    default int baseLayer() {
        return range().baseLayer();
    }

    /** Returns the number of layers; of slices, the number of slices. */
    default int layerCount() {
        return range().layerCount();
    }

    /** Returns what its channels show of the texture's. */
    default ComponentMapping components() {
        return ComponentMapping.IDENTITY;
    }

    /** Returns whether these are slices of a three-dimensional texture, one by one: attachments alone can be. */
    default boolean isOfSlices() {
        return kind().isOfSlices(texture().description());
    }

    /** Returns as what it is seen. */
    default TextureViewKind kind() {
        return TextureViewKind.natural(texture().description(), range());
    }

    /** Returns the format in which it is seen. */
    default Format format() {
        return texture().description().format();
    }
}
