package io.frameloom.samples.city;

import io.frameloom.samples.scene.TextureImage;

/** Paints square, tileable textures texel by texel. */
final class Painter {
    private Painter() {}

    /** The colour of one texel. */
    @FunctionalInterface
    interface Texel {
        /** Writes red, green, blue and alpha, 0 to 1, as stored. */
        void paint(int x, int y, float[] rgba);
    }

    static TextureImage paint(String name, int size, boolean srgb, Texel texel) {
        byte[] bytes = new byte[4 * size * size];
        float[] rgba = new float[4];
        for (int y = 0; y < size; y++) {
            for (int x = 0; x < size; x++) {
                rgba[3] = 1;
                texel.paint(x, y, rgba);
                for (int c = 0; c < 4; c++) {
                    float value = rgba[c];
                    bytes[4 * (y * size + x) + c] =
                            (byte) (value <= 0 ? 0 : value >= 1 ? 255 : (int) (value * 255 + 0.5f));
                }
            }
        }
        return TextureImage.of(name, size, size, srgb, bytes);
    }

    /** Stores the normal of a height field with these slopes. */
    static void normal(float slopeX, float slopeUp, float[] rgba) {
        float length = (float) Math.sqrt(slopeX * slopeX + slopeUp * slopeUp + 1);
        rgba[0] = 0.5f - 0.5f * slopeX / length;
        rgba[1] = 0.5f - 0.5f * slopeUp / length;
        rgba[2] = 0.5f + 0.5f / length;
    }

    /** Returns a hash of two integers and a seed, 0 (inclusive) to 1. */
    static float hash(int x, int y, int seed) {
        int h = x * 0x9E3779B1 ^ y * 0x85EBCA77 ^ seed * 0xC2B2AE3D;
        h = (h ^ h >>> 15) * 0x2C1B3C6D;
        h = (h ^ h >>> 12) * 0x297A2D39;
        h ^= h >>> 15;
        return (h >>> 8) * (1f / (1 << 24));
    }

    /**
     * Returns value noise that repeats every {@code period} cells, 0 to 1.
     *
     * @param x in cells, not negative
     * @param y in cells, not negative
     */
    static float noise(float x, float y, int period, int seed) {
        int x0 = (int) x;
        int y0 = (int) y;
        float fx = x - x0;
        float fy = y - y0;
        fx = fx * fx * (3 - 2 * fx);
        fy = fy * fy * (3 - 2 * fy);
        int xa = x0 % period;
        int xb = xa + 1 == period ? 0 : xa + 1;
        int ya = y0 % period;
        int yb = ya + 1 == period ? 0 : ya + 1;
        float top = mix(hash(xa, ya, seed), hash(xb, ya, seed), fx);
        float bottom = mix(hash(xa, yb, seed), hash(xb, yb, seed), fx);
        return mix(top, bottom, fy);
    }

    /** Returns three octaves of {@link #noise}, 0 to 1. */
    static float fractal(float x, float y, int period, int seed) {
        return (4 * noise(x, y, period, seed)
                        + 2 * noise(2 * x, 2 * y, 2 * period, seed + 1)
                        + noise(4 * x, 4 * y, 4 * period, seed + 2))
                / 7;
    }

    static float mix(float a, float b, float t) {
        return a + (b - a) * t;
    }

    static float smooth(float from, float to, float value) {
        float t = Math.min(1, Math.max(0, (value - from) / (to - from)));
        return t * t * (3 - 2 * t);
    }
}
