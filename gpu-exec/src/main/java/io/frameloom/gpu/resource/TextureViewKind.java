package io.frameloom.gpu.resource;

/** The shape in which shaders and attachments see a range of a texture. */
public enum TextureViewKind {
    /** One layer of a two-dimensional texture, one face of a cube, or one slice of a mip of a 3D texture. */
    TWO_D,
    /** Layers of a two-dimensional texture, faces of cubes, or slices of a three-dimensional texture's mip. */
    TWO_D_ARRAY,
    /** A three-dimensional texture. */
    THREE_D,
    /** Six faces, from a layer on. */
    CUBE,
    /** A multiple of six faces. */
    CUBE_ARRAY;

    /** Returns the default kind of the view of a range: an array where there are several layers. */
    public static TextureViewKind natural(TextureDescription description, SubresourceRange range) {
        return switch (description.kind()) {
            case THREE_D -> THREE_D;
            case TWO_D -> range.layerCount() > 1 ? TWO_D_ARRAY : TWO_D;
            case CUBE -> {
                if (range.layerCount() == 1) {
                    yield TWO_D;
                }
                yield range.layerCount() % 6 != 0 ? TWO_D_ARRAY : range.layerCount() == 6 ? CUBE : CUBE_ARRAY;
            }
        };
    }

    /** Returns whether the layers of a view's range are slices of a three-dimensional texture. */
    public boolean isOfSlices(TextureDescription description) {
        return description.kind() == TextureKind.THREE_D && this != THREE_D;
    }

    /**
     * Checks that a texture can have such a view.
     *
     * @throws IllegalArgumentException naming the texture and what would fit
     */
    public void require(String texture, TextureDescription description, SubresourceRange range, Format format) {
        int layers = range.layerCount();
        boolean fits = switch (this) {
            case TWO_D -> layers == 1;
            case TWO_D_ARRAY -> true;
            case THREE_D -> description.kind() == TextureKind.THREE_D;
            case CUBE -> description.kind() == TextureKind.CUBE && layers == 6;
            case CUBE_ARRAY -> description.kind() == TextureKind.CUBE && layers % 6 == 0;
        };
        if (!fits) {
            throw new IllegalArgumentException("texture '" + texture + "' is " + description.kind() + " and cannot be"
                    + " seen as " + this + " with " + layers + " layers; TWO_D takes one layer, CUBE 6 and CUBE_ARRAY"
                    + " a multiple of 6 layers of a CUBE texture, THREE_D a THREE_D texture");
        }
        if (format != description.format() && !description.viewFormats().contains(format)) {
            throw new IllegalArgumentException("texture '" + texture + "' of " + description.format()
                    + " is not made to be seen as " + format + "; name it by TextureDescription.withViewFormats");
        }
    }
}
