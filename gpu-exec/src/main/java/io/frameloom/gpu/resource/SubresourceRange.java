package io.frameloom.gpu.resource;

import java.util.List;
import java.util.stream.IntStream;

/**
 * A box of texture subresources: mips, array layers and planes. Plane 0 is colour or depth, plane 1 is stencil; stencil
 * alone is plane 0. The slices of a three-dimensional texture are one subresource.
 */
public record SubresourceRange(
        int baseMip, int mipCount, int baseLayer, int layerCount, int basePlane, int planeCount) {
    /** The ranges that nearly all frames use. */
    private static final List<SubresourceRange> FIRST_MIPS = IntStream.range(0, 16)
            .mapToObj(mip -> new SubresourceRange(mip, 1, 0, 1, 0, 1))
            .toList();

    /** Checks that the range is not empty, not negative, and ends within {@code int}. */
    public SubresourceRange {
        if (baseMip < 0 || baseLayer < 0 || basePlane < 0 || mipCount < 1 || layerCount < 1 || planeCount < 1) {
            throw new IllegalArgumentException("subresource range needs bases >= 0 and counts >= 1, got mips "
                    + baseMip + "+" + mipCount + ", layers " + baseLayer + "+" + layerCount + ", planes " + basePlane
                    + "+" + planeCount);
        }
        if (baseMip + mipCount < 0 || baseLayer + layerCount < 0 || basePlane + planeCount < 0) {
            throw new IllegalArgumentException("subresource range of mips " + baseMip + "+" + mipCount + ", layers "
                    + baseLayer + "+" + layerCount + ", planes " + basePlane + "+" + planeCount
                    + " ends after any texture; use SubresourceRange.all for everything");
        }
    }

    /** Returns the range of everything in a texture of the given description. */
    public static SubresourceRange all(TextureDescription description) {
        return new SubresourceRange(
                0,
                description.mips(),
                0,
                description.layers(),
                0,
                description.format().planes());
    }

    /** Returns the range of one mip of layer 0 and plane 0. */
    public static SubresourceRange mip(int mip) {
        return of(mip, 0);
    }

    /** Returns the range of one mip of one layer, plane 0. */
    public static SubresourceRange of(int mip, int layer) {
        return layer == 0 && mip >= 0 && mip < FIRST_MIPS.size()
                ? FIRST_MIPS.get(mip)
                : new SubresourceRange(mip, 1, layer, 1, 0, 1);
    }

    /** Returns the same mips and layers of one plane. */
    public SubresourceRange plane(int plane) {
        return basePlane == plane && planeCount == 1
                ? this
                : new SubresourceRange(baseMip, mipCount, baseLayer, layerCount, plane, 1);
    }

    /** Returns whether the range has a subresource. */
    public boolean contains(int mip, int layer, int plane) {
        return baseMip <= mip
                && mip < baseMip + mipCount
                && baseLayer <= layer
                && layer < baseLayer + layerCount
                && basePlane <= plane
                && plane < basePlane + planeCount;
    }

    /** Returns whether the two ranges share a subresource. */
    public boolean overlaps(SubresourceRange other) {
        return baseMip < other.baseMip + other.mipCount
                && other.baseMip < baseMip + mipCount
                && baseLayer < other.baseLayer + other.layerCount
                && other.baseLayer < baseLayer + layerCount
                && basePlane < other.basePlane + other.planeCount
                && other.basePlane < basePlane + planeCount;
    }

    /** Returns whether every subresource of {@code other} is in this range. */
    public boolean contains(SubresourceRange other) {
        return baseMip <= other.baseMip
                && other.baseMip + other.mipCount <= baseMip + mipCount
                && baseLayer <= other.baseLayer
                && other.baseLayer + other.layerCount <= baseLayer + layerCount
                && basePlane <= other.basePlane
                && other.basePlane + other.planeCount <= basePlane + planeCount;
    }
}
