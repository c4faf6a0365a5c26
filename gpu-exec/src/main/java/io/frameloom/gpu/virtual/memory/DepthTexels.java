package io.frameloom.gpu.virtual.memory;

import io.frameloom.gpu.resource.Format;
import java.nio.ByteBuffer;

/**
 * The numbers of planes of depth and stencil: depth as it is stored, so that values without averaging stay exact.
 * Stateless.
 */
public final class DepthTexels {
    private static final int DEPTH_24 = 0xFFFFFF;

    private DepthTexels() {}

    public static double get(Format format, int plane, ByteBuffer texels, int at) {
        if (format.aspect(plane) == Format.Aspect.STENCIL) {
            return Byte.toUnsignedInt(texels.get(at));
        }
        return switch (format) {
            case D16_UNORM -> Short.toUnsignedInt(texels.getShort(at));
            case D24_UNORM_S8_UINT -> texels.getInt(at) & DEPTH_24;
            default -> texels.getFloat(at);
        };
    }

    public static void put(Format format, int plane, ByteBuffer texels, int at, double value) {
        if (format.aspect(plane) == Format.Aspect.STENCIL) {
            texels.put(at, (byte) Math.round(value));
            return;
        }
        switch (format) {
            case D16_UNORM -> texels.putShort(at, (short) Math.round(value));
            case D24_UNORM_S8_UINT -> texels.putInt(at, (int) Math.round(value));
            default -> texels.putFloat(at, (float) value);
        }
    }
}
