package io.frameloom.gpu.virtual;

import io.frameloom.gpu.Format;
import io.frameloom.gpu.RenderingInfo;
import io.frameloom.gpu.ResourceUse;
import io.frameloom.gpu.SubresourceRange;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Contents of resources: hashes of what is there, results of simulated work, clear values. */
final class Contents {
    private Contents() {}

    static long hash(ResourceUse use) {
        if (use instanceof ResourceUse.OfTexture texture) {
            return hash((VirtualTexture) texture.resource(), texture.range());
        }
        ResourceUse.OfBuffer of = (ResourceUse.OfBuffer) use;
        VirtualBuffer buffer = (VirtualBuffer) of.resource();
        return buffer.memory().hash(buffer.base() + of.offset(), of.bytes());
    }

    static long hash(VirtualTexture texture, SubresourceRange range) {
        long[] hash = {0};
        texture.pieces(
                range,
                (offset, bytes) -> hash[0] = Mix.mix(hash[0], texture.memory().hash(offset, bytes)));
        return hash[0];
    }

    /** Gives a use's range the contents that the work identified by {@code stamp} leaves. */
    static void simulate(ResourceUse use, long stamp) {
        if (use instanceof ResourceUse.OfTexture texture) {
            simulate((VirtualTexture) texture.resource(), texture.range(), stamp);
            return;
        }
        ResourceUse.OfBuffer of = (ResourceUse.OfBuffer) use;
        VirtualBuffer buffer = (VirtualBuffer) of.resource();
        long start = buffer.base() + of.offset();
        buffer.memory().set(start, of.bytes(), Pattern.ofStamp(Mix.mix(stamp, buffer.name()), start));
    }

    static void simulate(VirtualTexture texture, SubresourceRange range, long stamp) {
        long own = Mix.mix(stamp, texture.name());
        texture.pieces(
                range,
                (offset, bytes) -> texture.memory()
                        .set(offset, bytes, Pattern.ofStamp(Mix.mix(own, offset - texture.base()), offset)));
    }

    /** Makes a use's range undefined: no old contents survive. */
    static void clobber(ResourceUse use) {
        VirtualResource resource = (VirtualResource) use.resource();
        if (resource.device().clobbers()) {
            simulate(use, resource.clobberStamp());
        }
    }

    static void clobber(VirtualTexture texture, SubresourceRange range) {
        if (texture.device().clobbers()) {
            simulate(texture, range, texture.clobberStamp());
        }
    }

    static void clear(VirtualTexture texture, SubresourceRange range, RenderingInfo.ClearColor color) {
        byte[] unit = texel(texture.description().format(), color);
        texture.pieces(range, (offset, bytes) -> texture.memory().set(offset, bytes, Pattern.ofUnit(unit, offset)));
    }

    /** Returns the bytes of one texel of one plane with a colour, or with {@code red} as depth. */
    static byte[] texel(Format format, RenderingInfo.ClearColor color) {
        ByteBuffer out =
                ByteBuffer.allocate(format.bytesPerTexel() / format.planes()).order(ByteOrder.nativeOrder());
        float[] channels = {color.red(), color.green(), color.blue(), color.alpha()};
        switch (format) {
            case R8_UNORM -> out.put(unorm8(color.red()));
            case R8G8B8A8_UNORM -> {
                for (float channel : channels) {
                    out.put(unorm8(channel));
                }
            }
            case R8G8B8A8_SRGB ->
                out.put(srgb8(color.red()))
                        .put(srgb8(color.green()))
                        .put(srgb8(color.blue()))
                        .put(unorm8(color.alpha()));
            case B8G8R8A8_SRGB ->
                out.put(srgb8(color.blue()))
                        .put(srgb8(color.green()))
                        .put(srgb8(color.red()))
                        .put(unorm8(color.alpha()));
            case A2B10G10R10_UNORM ->
                out.putInt(unorm(color.red(), 1023)
                        | (unorm(color.green(), 1023) << 10)
                        | (unorm(color.blue(), 1023) << 20)
                        | (unorm(color.alpha(), 3) << 30));
            case R16G16_SFLOAT -> out.putShort(half(color.red())).putShort(half(color.green()));
            case R16G16B16A16_SFLOAT -> {
                for (float channel : channels) {
                    out.putShort(half(channel));
                }
            }
            case B10G11R11_UFLOAT ->
                out.putInt(ufloat(color.red(), 6) | (ufloat(color.green(), 6) << 11) | (ufloat(color.blue(), 5) << 22));
            case R32_UINT -> out.putInt((int) color.red());
            default -> {
                for (int i = 0; out.remaining() >= 4; i++) {
                    out.putFloat(channels[i]);
                }
            }
        }
        return out.array();
    }

    private static byte unorm8(float value) {
        return (byte) unorm(value, 255);
    }

    private static byte srgb8(float linear) {
        double value = linear <= 0.0031308 ? linear * 12.92 : 1.055 * Math.pow(linear, 1 / 2.4) - 0.055;
        return unorm8((float) value);
    }

    private static int unorm(float value, int max) {
        return Math.round(Math.max(0, Math.min(1, value)) * max);
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

    /** Converts to a float without sign of five exponent bits and {@code mantissa} bits, by truncation. */
    private static int ufloat(float value, int mantissa) {
        return value <= 0 ? 0 : (half(value) & 0x7FFF) >>> (10 - mantissa);
    }
}
