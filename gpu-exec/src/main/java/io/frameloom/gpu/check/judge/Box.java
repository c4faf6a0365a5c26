package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.resource.SubresourceRange;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A box of a resource: mips, layers and planes of a texture, or bytes of a buffer on the first axis. Ends are
 * exclusive.
 */
record Box(long low, long high, int layer, int layerEnd, int plane, int planeEnd) {
    static Box of(SubresourceRange range) {
        return new Box(
                range.baseMip(),
                range.baseMip() + range.mipCount(),
                range.baseLayer(),
                range.baseLayer() + range.layerCount(),
                range.basePlane(),
                range.basePlane() + range.planeCount());
    }

    static Box of(ResourceUse use) {
        return use instanceof ResourceUse.OfTexture texture
                ? of(texture.range())
                : bytes(((ResourceUse.OfBuffer) use).offset(), ((ResourceUse.OfBuffer) use).bytes());
    }

    static Box bytes(long offset, long bytes) {
        return new Box(offset, offset + bytes, 0, 1, 0, 1);
    }

    Box unitedWith(Box other) {
        return new Box(
                Math.min(low, other.low),
                Math.max(high, other.high),
                Math.min(layer, other.layer),
                Math.max(layerEnd, other.layerEnd),
                Math.min(plane, other.plane),
                Math.max(planeEnd, other.planeEnd));
    }

    boolean contains(Box other) {
        return low <= other.low
                && other.high <= high
                && layer <= other.layer
                && other.layerEnd <= layerEnd
                && plane <= other.plane
                && other.planeEnd <= planeEnd;
    }

    @Nullable
    Box intersection(Box other) {
        long newLow = Math.max(low, other.low);
        long newHigh = Math.min(high, other.high);
        int newLayer = Math.max(layer, other.layer);
        int newLayerEnd = Math.min(layerEnd, other.layerEnd);
        int newPlane = Math.max(plane, other.plane);
        int newPlaneEnd = Math.min(planeEnd, other.planeEnd);
        return newLow < newHigh && newLayer < newLayerEnd && newPlane < newPlaneEnd
                ? new Box(newLow, newHigh, newLayer, newLayerEnd, newPlane, newPlaneEnd)
                : null;
    }

    /** Gives the parts of this box outside of {@code inner}, which lies within it. */
    void without(Box inner, Consumer<Box> parts) {
        if (plane < inner.plane) {
            parts.accept(new Box(low, high, layer, layerEnd, plane, inner.plane));
        }
        if (inner.planeEnd < planeEnd) {
            parts.accept(new Box(low, high, layer, layerEnd, inner.planeEnd, planeEnd));
        }
        if (layer < inner.layer) {
            parts.accept(new Box(low, high, layer, inner.layer, inner.plane, inner.planeEnd));
        }
        if (inner.layerEnd < layerEnd) {
            parts.accept(new Box(low, high, inner.layerEnd, layerEnd, inner.plane, inner.planeEnd));
        }
        if (low < inner.low) {
            parts.accept(new Box(low, inner.low, inner.layer, inner.layerEnd, inner.plane, inner.planeEnd));
        }
        if (inner.high < high) {
            parts.accept(new Box(inner.high, high, inner.layer, inner.layerEnd, inner.plane, inner.planeEnd));
        }
    }
}
