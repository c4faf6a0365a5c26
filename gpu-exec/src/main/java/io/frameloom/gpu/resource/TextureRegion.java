package io.frameloom.gpu.resource;

/**
 * A box of texels of one mip and one plane, in one or more layers: what a copy, blit or resolve reads or writes.
 * Offsets and extents are in texels; of compressed formats they are multiples of the block, but for extents that end at
 * the edge.
 *
 * @param baseLayer first layer
 * @param layers number of layers
 * @param plane plane, 0 unless the texture has stencil next to depth
 * @param x left
 * @param y top
 * @param z front; 0 unless three-dimensional
 * @param depth depth; 1 unless three-dimensional
 */
public record TextureRegion(
        int mip, int baseLayer, int layers, int plane, int x, int y, int z, int width, int height, int depth) {

    /** Returns the region of everything in one mip: all its layers, plane 0. */
    public static TextureRegion mip(TextureDescription description, int mip) {
        return new TextureRegion(
                mip,
                0,
                description.layers(),
                0,
                0,
                0,
                0,
                description.width(mip),
                description.height(mip),
                description.depth(mip));
    }

    /** Returns the same box in {@code count} layers from {@code first} on. */
    public TextureRegion withLayers(int first, int count) {
        return new TextureRegion(mip, first, count, plane, x, y, z, width, height, depth);
    }

    /** Returns the same box of another plane. */
    public TextureRegion withPlane(int other) {
        return new TextureRegion(mip, baseLayer, layers, other, x, y, z, width, height, depth);
    }

    /** Returns a rectangle of the same mip, layers and slices. */
    public TextureRegion withRectangle(int left, int top, int newWidth, int newHeight) {
        return new TextureRegion(mip, baseLayer, layers, plane, left, top, z, newWidth, newHeight, depth);
    }

    /** Returns the same rectangle in {@code count} slices from {@code front} on. */
    public TextureRegion withSlices(int front, int count) {
        return new TextureRegion(mip, baseLayer, layers, plane, x, y, front, width, height, count);
    }
}
