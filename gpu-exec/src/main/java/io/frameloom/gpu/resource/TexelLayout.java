package io.frameloom.gpu.resource;

/**
 * How texels lie in a buffer: rows of texels (of blocks in compressed formats), rows in slices, and slices one after
 * the other for depth or for layers.
 *
 * @param offset first byte: a multiple of the bytes of a block, and of 4 for depth, stencil, and on copy queues
 * @param rowPitch bytes from one row to the next, a multiple of the bytes of a block; 0 if rows are tightly packed
 * @param slicePitch bytes from one slice or layer to the next, a multiple of the row pitch; 0 if tightly packed
 */
public record TexelLayout(long offset, long rowPitch, long slicePitch) {
    /** Returns the layout of tightly packed texels. */
    public static TexelLayout tight(long offset) {
        return new TexelLayout(offset, 0, 0);
    }

    /** Returns the bytes from one row of a region to the next in a format's plane. */
    public long rowBytes(Format format, TextureRegion region) {
        return rowPitch != 0 ? rowPitch : (long) format.columns(region.width()) * format.planeBytes(region.plane());
    }

    /** Returns the bytes from one slice or layer of a region to the next in a format's plane. */
    public long sliceBytes(Format format, TextureRegion region) {
        return slicePitch != 0 ? slicePitch : (long) format.rows(region.height()) * rowBytes(format, region);
    }

    /** Returns the bytes from the first of a region's texels to the end of its last. */
    public long totalBytes(Format format, TextureRegion region) {
        long rows = format.rows(region.height());
        long lastRow = (long) format.columns(region.width()) * format.planeBytes(region.plane());
        long slices = (long) region.depth() * region.layers();
        return (slices - 1) * sliceBytes(format, region) + (rows - 1) * rowBytes(format, region) + lastRow;
    }
}
