package io.frameloom.samples.pathtrace;

import java.nio.ByteBuffer;

/** Makes a picture of light, as {@code tonemap.frag} of the demo does, without its bloom. Any thread. */
final class Film {
    /** Twice what the demo's tone mapping multiplies light by, since the light of its lamps is not here. */
    private static final float GAIN = 2.5f;

    private static final float[] TO_ACES = {
        0.59719f, 0.35458f, 0.04823f, 0.07600f, 0.90834f, 0.01566f, 0.02840f, 0.13383f, 0.83777f
    };
    private static final float[] FROM_ACES = {
        1.60475f, -0.53108f, -0.07367f, -0.10208f, 1.10813f, -0.00605f, -0.00327f, -0.07276f, 1.07602f
    };

    private Film() {}

    /**
     * Develops a picture (fit of the ACES curve by Hill, sRGB).
     *
     * @param light four floats a pixel: the sum of the light of its samples, and their number
     * @param exposure multiplies all light
     * @return four bytes a pixel, red first
     */
    static ByteBuffer develop(ByteBuffer light, float exposure) {
        ByteBuffer texels = ByteBuffer.allocate(light.limit() / Float.BYTES);
        float[] color = new float[3];
        for (int at = 0; at < light.limit(); at += 16) {
            float scale = exposure * GAIN / light.getFloat(at + 12);
            for (int i = 0; i < 3; i++) {
                color[i] = light.getFloat(at + 4 * i) * scale;
            }
            float[] film = times(TO_ACES, color);
            for (int i = 0; i < 3; i++) {
                float v = film[i];
                film[i] = (v * (v + 0.0245786f) - 0.000090537f) / (v * (0.983729f * v + 0.4329510f) + 0.238081f);
            }
            for (float channel : times(FROM_ACES, film)) {
                texels.put(encode(channel));
            }
            texels.put((byte) 255);
        }
        return texels.flip();
    }

    private static float[] times(float[] matrix, float[] vector) {
        float[] product = new float[3];
        for (int i = 0; i < 9; i++) {
            product[i / 3] += matrix[i] * vector[i % 3];
        }
        return product;
    }

    private static byte encode(float linear) {
        double shown = Math.min(1, Math.max(0, linear));
        double encoded = shown <= 0.0031308 ? shown * 12.92 : 1.055 * Math.pow(shown, 1 / 2.4) - 0.055;
        return (byte) Math.round(encoded * 255);
    }
}
