package io.frameloom.rdg;

import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureKind;
import io.frameloom.rdg.declare.GraphDeclaration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A width and height relative to a reference: an extent that {@link RenderGraph#setExtent} names, such as the
 * swapchain's, or another texture of the graph. Resolved when the texture is declared, rounded up, at least one texel;
 * mips beyond the full chain of the result are dropped. Immutable; any thread.
 */
public final class RelativeExtent {
    private final @Nullable String name;
    private final @Nullable RdgTexture texture;
    private final double scaleX;
    private final double scaleY;

    private RelativeExtent(@Nullable String name, @Nullable RdgTexture texture, double scaleX, double scaleY) {
        if (!(scaleX > 0) || !(scaleY > 0) || Double.isInfinite(scaleX) || Double.isInfinite(scaleY)) {
            throw new IllegalArgumentException("a relative extent needs scales above 0, got " + scaleX + " and "
                    + scaleY + " of " + (name == null ? texture : "'" + name + "'"));
        }
        this.name = name;
        this.texture = texture;
        this.scaleX = scaleX;
        this.scaleY = scaleY;
    }

    /** Returns the extent that has a name. */
    public static RelativeExtent of(String name) {
        return new RelativeExtent(name, null, 1, 1);
    }

    /** Returns the extent of mip 0 of a texture. */
    public static RelativeExtent of(RdgTexture texture) {
        return new RelativeExtent(null, texture, 1, 1);
    }

    /** Returns this extent scaled in both directions. */
    public RelativeExtent scaled(double scale) {
        return scaled(scale, scale);
    }

    /** Returns this extent scaled. */
    public RelativeExtent scaled(double x, double y) {
        return new RelativeExtent(name, texture, scaleX * x, scaleY * y);
    }

    /** Returns a shape with the width and height that this gives it in a graph. */
    TextureDescription resolve(String textureName, GraphDeclaration graph, TextureDescription shape) {
        if (texture != null) {
            graph.requireReference(textureName, texture);
            return resolve(texture.description().width(), texture.description().height(), shape);
        }
        int[] known = graph.extent(textureName, Objects.requireNonNull(name));
        return resolve(known[0], known[1], shape);
    }

    private TextureDescription resolve(int width, int height, TextureDescription shape) {
        int scaledWidth = scaled(width, scaleX);
        int scaledHeight = shape.kind() == TextureKind.CUBE ? scaledWidth : scaled(height, scaleY);
        int largest = Math.max(shape.depth(), Math.max(scaledWidth, scaledHeight));
        int fullChain = Integer.SIZE - Integer.numberOfLeadingZeros(largest);
        return new TextureDescription(
                shape.kind(),
                scaledWidth,
                scaledHeight,
                shape.depth(),
                Math.min(shape.mips(), fullChain),
                shape.layers(),
                shape.samples(),
                shape.format(),
                shape.viewFormats(),
                shape.usage(),
                shape.sharing());
    }

    private static int scaled(int extent, double scale) {
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, Math.ceil(extent * scale)));
    }
}
