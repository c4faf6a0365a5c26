package io.frameloom.gpu;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The shape of a 2D texture.
 *
 * @param width width of mip 0 in texels, at least 1
 * @param height height of mip 0 in texels, at least 1
 * @param mips number of mip levels, at least 1 and at most the full chain
 * @param layers number of array layers, at least 1
 * @param format texel format
 * @param usage what the texture may be used for; not empty
 */
public record TextureDescription(int width, int height, int mips, int layers, Format format, Set<TextureUsage> usage) {

    /** Checks the shape and copies the usage. */
    public TextureDescription {
        if (width < 1 || height < 1 || layers < 1) {
            throw new IllegalArgumentException(
                    "texture extent must be at least 1x1 with 1 layer, got " + width + "x" + height + "x" + layers);
        }
        int fullChain = 32 - Integer.numberOfLeadingZeros(Math.max(width, height));
        if (mips < 1 || mips > fullChain) {
            throw new IllegalArgumentException(
                    "a texture of " + width + "x" + height + " has 1 to " + fullChain + " mips, got " + mips);
        }
        if (usage.isEmpty()) {
            throw new IllegalArgumentException("texture usage must not be empty");
        }
        usage = Collections.unmodifiableSet(EnumSet.copyOf(usage));
    }

    /** Returns the description of a texture with one mip and one layer. */
    public static TextureDescription of(
            int width, int height, Format format, TextureUsage first, TextureUsage... more) {
        return new TextureDescription(width, height, 1, 1, format, EnumSet.of(first, more));
    }

    /** Returns the same texture with {@code mips} levels. */
    public TextureDescription withMips(int mips) {
        return new TextureDescription(width, height, mips, layers, format, usage);
    }

    /** Returns the same texture with {@code layers} array layers. */
    public TextureDescription withLayers(int layers) {
        return new TextureDescription(width, height, mips, layers, format, usage);
    }

    /** Returns the width of a mip level in texels. */
    public int width(int mip) {
        return Math.max(1, width >> mip);
    }

    /** Returns the height of a mip level in texels. */
    public int height(int mip) {
        return Math.max(1, height >> mip);
    }
}
