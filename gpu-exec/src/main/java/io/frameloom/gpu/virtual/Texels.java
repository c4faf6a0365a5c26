package io.frameloom.gpu.virtual;

import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.virtual.memory.TexelCodec;
import java.nio.ByteBuffer;

/**
 * Texels of colour as numbers, in the bits of their format: red, green, blue, alpha from the lowest bit on, unless the
 * name of the format says otherwise. sRGB is encoded and decoded ("Data Format Descriptor", sRGB transfer function).
 * Stateless.
 */
public final class Texels {
    private Texels() {}

    /**
     * Reads a texel of colour into four channels; those that the format lacks are 0, alpha 1. sRGB becomes linear.
     *
     * @param format a format of colour that is not compressed
     * @param at first byte of the texel
     * @param channels receives red, green, blue and alpha
     */
    public static void decode(Format format, ByteBuffer texels, int at, double[] channels) {
        TexelCodec.decode(format, texels, at, channels);
    }

    /** Returns the sRGB code, 0 to 1, of a linear number. */
    public static double toSrgb(double linear) {
        return TexelCodec.toSrgb(linear);
    }
}
