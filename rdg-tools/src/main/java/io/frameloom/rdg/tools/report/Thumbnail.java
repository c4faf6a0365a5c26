package io.frameloom.rdg.tools.report;

/** A picture of a texture. Immutable; any thread. */
public final class Thumbnail {
    private static final int MAX_BYTES = 4 << 20;

    private final String texture;
    private final byte[] png;
    private final int width;
    private final int height;

    /**
     * Copies a picture.
     *
     * @param texture name of the texture in the graph
     * @param png the picture as a PNG file of at most 4 MiB
     * @param width width of the picture in texels
     * @param height height of the picture in texels
     */
    public Thumbnail(String texture, byte[] png, int width, int height) {
        if (width < 1 || height < 1) {
            throw new IllegalArgumentException(
                    "the thumbnail of '" + texture + "' must be at least 1x1, got " + width + "x" + height);
        }
        if (png.length > MAX_BYTES) {
            throw new IllegalArgumentException("the thumbnail of '" + texture + "' has " + png.length
                    + " bytes, more than " + MAX_BYTES + "; make it smaller");
        }
        this.texture = texture;
        this.png = png.clone();
        this.width = width;
        this.height = height;
    }

    String texture() {
        return texture;
    }

    /** Returns a copy of the PNG file. */
    byte[] png() {
        return png.clone();
    }

    int width() {
        return width;
    }

    int height() {
        return height;
    }
}
