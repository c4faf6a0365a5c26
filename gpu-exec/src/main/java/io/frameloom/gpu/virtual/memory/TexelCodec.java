package io.frameloom.gpu.virtual.memory;

import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Format.Encoding;
import io.frameloom.gpu.virtual.Texels;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Encodes and decodes texels of colour as {@link Texels} says. Stateless. */
public final class TexelCodec {
    private static final int CHANNELS = 4;
    private static final int[] RGBA = {0, 1, 2, 3};
    private static final int[] BGRA = {2, 1, 0, 3};

    private TexelCodec() {}

    public static byte[] encode(Format format, double[] channels) {
        ByteBuffer out = ByteBuffer.allocate(format.blockBytes()).order(ByteOrder.LITTLE_ENDIAN);
        switch (format) {
            case A2B10G10R10_UNORM, A2B10G10R10_UINT -> {
                boolean integers = format.encoding() == Encoding.UINT;
                int word = 0;
                for (int i = 0; i < CHANNELS; i++) {
                    int max = i == 3 ? 3 : 1023;
                    word |= (integers ? (int) channels[i] & max : (int) unorm(channels[i], max)) << (10 * i);
                }
                out.putInt(word);
            }
            case B10G11R11_UFLOAT ->
                out.putInt(ufloat(channels[0], 6) | (ufloat(channels[1], 6) << 11) | (ufloat(channels[2], 5) << 22));
            default -> {
                int bytes = format.blockBytes() / format.channels();
                int[] order = order(format);
                for (int i = 0; i < format.channels(); i++) {
                    put(out, bytes, bits(format, order[i], bytes, channels[order[i]]));
                }
            }
        }
        return out.array();
    }

    /** Reads a texel of colour into four channels; those that the format lacks are 0, alpha 1. sRGB becomes linear. */
    public static void decode(Format format, ByteBuffer texels, int at, double[] channels) {
        channels[0] = 0;
        channels[1] = 0;
        channels[2] = 0;
        channels[3] = 1;
        ByteBuffer in = texels.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        switch (format) {
            case A2B10G10R10_UNORM, A2B10G10R10_UINT -> {
                int word = in.getInt(at);
                for (int i = 0; i < CHANNELS; i++) {
                    int max = i == 3 ? 3 : 1023;
                    int value = (word >>> (10 * i)) & max;
                    channels[i] = format.encoding() == Encoding.UINT ? value : (double) value / max;
                }
            }
            case B10G11R11_UFLOAT -> {
                int word = in.getInt(at);
                channels[0] = half((word & 0x7FF) << 4);
                channels[1] = half(((word >>> 11) & 0x7FF) << 4);
                channels[2] = half(((word >>> 22) & 0x3FF) << 5);
            }
            default -> {
                int bytes = format.blockBytes() / format.channels();
                int[] order = order(format);
                for (int i = 0; i < format.channels(); i++) {
                    channels[order[i]] = value(format, order[i], bytes, get(in, at + i * bytes, bytes));
                }
            }
        }
    }

    public static double[] channels(ClearColor color) {
        return new double[] {color.red(), color.green(), color.blue(), color.alpha()};
    }

    private static int[] order(Format format) {
        return format == Format.B8G8R8A8_UNORM || format == Format.B8G8R8A8_SRGB ? BGRA : RGBA;
    }

    private static void put(ByteBuffer out, int bytes, long bits) {
        for (int i = 0; i < bytes; i++) {
            out.put((byte) (bits >>> (8 * i)));
        }
    }

    private static long get(ByteBuffer in, int at, int bytes) {
        long bits = 0;
        for (int i = 0; i < bytes; i++) {
            bits |= (in.get(at + i) & 0xFFL) << (8 * i);
        }
        return bits;
    }

    private static long bits(Format format, int channel, int bytes, double value) {
        long max = (1L << (8 * bytes)) - 1;
        return switch (format.encoding()) {
            case UNORM -> unorm(value, max);
            case SRGB -> unorm(channel < 3 ? toSrgb(value) : value, max);
            case SNORM -> Math.round(Math.max(-1, Math.min(1, value)) * (max >>> 1)) & max;
            case UINT, SINT -> (long) value & max;
            default -> bytes == 4 ? Float.floatToIntBits((float) value) & max : half((float) value) & max;
        };
    }

    private static double value(Format format, int channel, int bytes, long bits) {
        long max = (1L << (8 * bytes)) - 1;
        long signed = bits << (64 - 8 * bytes) >> (64 - 8 * bytes);
        return switch (format.encoding()) {
            case UNORM -> (double) bits / max;
            case SRGB -> channel < 3 ? fromSrgb((double) bits / max) : (double) bits / max;
            case SNORM -> Math.max(-1, (double) signed / (max >>> 1));
            case UINT -> bits;
            case SINT -> signed;
            default -> bytes == 4 ? Float.intBitsToFloat((int) bits) : half((int) bits);
        };
    }

    private static long unorm(double value, long max) {
        return Math.round(Math.max(0, Math.min(1, value)) * max);
    }

    /** Returns the sRGB code, 0 to 1, of a linear number. */
    public static double toSrgb(double linear) {
        return linear <= 0.0031308 ? linear * 12.92 : 1.055 * Math.pow(linear, 1 / 2.4) - 0.055;
    }

    private static double fromSrgb(double encoded) {
        return encoded <= 0.04045 ? encoded / 12.92 : Math.pow((encoded + 0.055) / 1.055, 2.4);
    }

    /** Converts to IEEE 754 binary16, to nearest even; values below the smallest normal become zero. */
    private static short half(float value) {
        int bits = Float.floatToIntBits(value);
        int sign = (bits >>> 16) & 0x8000;
        int magnitude = bits & 0x7FFFFFFF;
        if (magnitude > 0x7F800000) {
            return (short) (sign | 0x7E00);
        }
        if (magnitude >= 0x477FF000) {
            return (short) (sign | 0x7C00);
        }
        if (magnitude < 0x38800000) {
            return (short) sign;
        }
        int rounded = magnitude - 0x38000000 + 0xFFF + ((magnitude >>> 13) & 1);
        return (short) (sign | (rounded >>> 13));
    }

    /** Converts from IEEE 754 binary16. */
    private static double half(int bits) {
        int exponent = (bits >>> 10) & 0x1F;
        int mantissa = bits & 0x3FF;
        double sign = (bits & 0x8000) == 0 ? 1 : -1;
        if (exponent == 0) {
            return sign * mantissa * 0x1p-24;
        }
        if (exponent == 0x1F) {
            return mantissa == 0 ? sign * Double.POSITIVE_INFINITY : Double.NaN;
        }
        return sign * (1 + mantissa * 0x1p-10) * Math.scalb(1.0, exponent - 15);
    }

    /** Converts to a float without sign of five exponent bits and {@code mantissa} bits, by truncation. */
    private static int ufloat(double value, int mantissa) {
        return value <= 0 ? 0 : (half((float) value) & 0x7FFF) >>> (10 - mantissa);
    }
}
