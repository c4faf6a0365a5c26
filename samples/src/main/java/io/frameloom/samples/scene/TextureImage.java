package io.frameloom.samples.scene;

import java.util.ArrayList;
import java.util.List;

/**
 * A texture in memory: RGBA, eight bits per channel, rows from the top, with its whole mip chain. Immutable once built;
 * equality is identity, so that a texture shared by materials is uploaded once.
 */
public final class TextureImage {
    private static final float[] FRACTION = new float[256];
    private static final float[] TO_LINEAR = new float[256];

    static {
        for (int i = 0; i < 256; i++) {
            double value = i / 255.0;
            FRACTION[i] = (float) value;
            TO_LINEAR[i] = (float) (value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4));
        }
    }

    private final String name;
    private final int width;
    private final int height;
    private final boolean srgb;
    private final List<byte[]> mips;

    private TextureImage(String name, int width, int height, boolean srgb, List<byte[]> mips) {
        this.name = name;
        this.width = width;
        this.height = height;
        this.srgb = srgb;
        this.mips = List.copyOf(mips);
    }

    /**
     * Makes a texture and its mip chain (averages by area, in linear light for sRGB).
     *
     * @param name name for messages
     * @param width width in texels
     * @param height height in texels
     * @param srgb whether the colour channels are sRGB encoded
     * @param rgba four bytes per texel; kept, not copied
     */
    public static TextureImage of(String name, int width, int height, boolean srgb, byte[] rgba) {
        if (rgba.length != 4L * width * height) {
            throw new IllegalArgumentException("texture '" + name + "' of " + width + "x" + height + " needs "
                    + 4L * width * height + " bytes, got " + rgba.length);
        }
        List<byte[]> mips = new ArrayList<>();
        mips.add(rgba);
        int w = width;
        int h = height;
        byte[] last = rgba;
        while (w > 1 || h > 1) {
            last = halve(last, w, h, srgb);
            w = Math.max(1, w / 2);
            h = Math.max(1, h / 2);
            mips.add(last);
        }
        return new TextureImage(name, width, height, srgb, mips);
    }

    /** Makes a texture of one texel; channels from 0 to 255. */
    public static TextureImage solid(String name, boolean srgb, int red, int green, int blue, int alpha) {
        return of(name, 1, 1, srgb, new byte[] {(byte) red, (byte) green, (byte) blue, (byte) alpha});
    }

    /** Returns this texture without its largest mips, so that no side exceeds {@code extent}. */
    public TextureImage limitedTo(int extent) {
        int skip = 0;
        while (skip < mips.size() - 1 && Math.max(width >> skip, height >> skip) > extent) {
            skip++;
        }
        return skip == 0
                ? this
                : new TextureImage(
                        name,
                        Math.max(1, width >> skip),
                        Math.max(1, height >> skip),
                        srgb,
                        mips.subList(skip, mips.size()));
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Returns the width in texels. */
    public int width() {
        return width;
    }

    /** Returns the height in texels. */
    public int height() {
        return height;
    }

    /** Returns whether the colour channels are sRGB encoded. */
    public boolean srgb() {
        return srgb;
    }

    /** Returns the texels of every mip, the largest first; not to be written. */
    public List<byte[]> mips() {
        return mips;
    }

    private static byte[] halve(byte[] source, int width, int height, boolean srgb) {
        int w = Math.max(1, width / 2);
        int h = Math.max(1, height / 2);
        int rows = taps(height);
        int columns = taps(width);
        float[] across = weights(width);
        float[] down = weights(height);
        byte[] target = new byte[4 * w * h];
        float[] light = srgb ? TO_LINEAR : FRACTION;
        for (int y = 0; y < h; y++) {
            for (int x = 0; x < w; x++) {
                float red = 0;
                float green = 0;
                float blue = 0;
                float alpha = 0;
                for (int row = 0; row < rows; row++) {
                    int at = 4 * ((2 * y + row) * width + 2 * x);
                    for (int column = 0; column < columns; column++, at += 4) {
                        float weight = down[y * rows + row] * across[x * columns + column];
                        red += weight * light[source[at] & 255];
                        green += weight * light[source[at + 1] & 255];
                        blue += weight * light[source[at + 2] & 255];
                        alpha += weight * FRACTION[source[at + 3] & 255];
                    }
                }
                int to = 4 * (y * w + x);
                target[to] = srgb ? encode(red) : (byte) Math.round(red * 255);
                target[to + 1] = srgb ? encode(green) : (byte) Math.round(green * 255);
                target[to + 2] = srgb ? encode(blue) : (byte) Math.round(blue * 255);
                target[to + 3] = (byte) Math.round(alpha * 255);
            }
        }
        return target;
    }

    /** The texels of a side that one of half the side covers: an odd side leaves none out. */
    private static int taps(int side) {
        return side == 1 ? 1 : 2 + (side & 1);
    }

    /** The shares of these texels in each texel of half the side, one after another. */
    private static float[] weights(int side) {
        int taps = taps(side);
        int half = Math.max(1, side / 2);
        float[] weights = new float[half * taps];
        for (int at = 0; at < half; at++) {
            for (int tap = 0; tap < taps; tap++) {
                int part = tap == 0 ? half - at : tap == 1 ? half : at + 1;
                weights[at * taps + tap] = taps < 3 ? 1f / taps : (float) part / side;
            }
        }
        return weights;
    }

    private static byte encode(float linear) {
        double value = linear <= 0.0031308 ? linear * 12.92 : 1.055 * Math.pow(linear, 1 / 2.4) - 0.055;
        return (byte) Math.round(Math.min(1, Math.max(0, value)) * 255);
    }
}
