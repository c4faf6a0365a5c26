package io.frameloom.rdg.declare;

import io.frameloom.gpu.resource.TextureDescription;

/**
 * A render area in texels.
 *
 * @param x left edge
 * @param y upper edge
 */
public record Area(int x, int y, int width, int height) {
    boolean covers(TextureDescription shape, int mip) {
        return x == 0 && y == 0 && width == shape.width(mip) && height == shape.height(mip);
    }

    public boolean isWithin(TextureDescription shape, int mip) {
        return x <= shape.width(mip) - width && y <= shape.height(mip) - height;
    }
}
