package io.frameloom.gpu.virtual.memory;

import io.frameloom.gpu.resource.ComponentMapping;
import io.frameloom.gpu.resource.ComponentSwizzle;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureView;
import java.nio.ByteBuffer;

/** Texels as the numbers that shaders read from a view: in its format, through its component mapping. Stateless. */
public final class SeenTexels {
    private static final int CHANNELS = 4;

    private SeenTexels() {}

    /**
     * Reads a texel.
     *
     * @param at first byte of the texel among {@code texels}
     * @param channels receives red, green, blue and alpha
     */
    public static void read(TextureView view, ByteBuffer texels, int at, double[] channels) {
        Format format = view.format();
        if (format.isDepth()) {
            int plane = view.range().basePlane();
            channels[0] = DepthTexels.get(format, plane, texels, at) / scale(format, plane);
            channels[1] = 0;
            channels[2] = 0;
            channels[3] = 1;
        } else {
            TexelCodec.decode(format, texels, at, channels);
        }
        ComponentMapping components = view.components();
        if (!components.isIdentity()) {
            map(components, channels);
        }
    }

    /** Returns the stored number of 1. */
    private static double scale(Format format, int plane) {
        if (format.aspect(plane) == Format.Aspect.STENCIL) {
            return 1;
        }
        return switch (format) {
            case D16_UNORM -> 0xFFFF;
            case D24_UNORM_S8_UINT -> 0xFFFFFF;
            default -> 1;
        };
    }

    private static void map(ComponentMapping components, double[] channels) {
        double red = channels[0];
        double green = channels[1];
        double blue = channels[2];
        double alpha = channels[3];
        for (int i = 0; i < CHANNELS; i++) {
            ComponentSwizzle swizzle = components.channel(i);
            channels[i] = switch (swizzle) {
                case IDENTITY -> channels[i];
                case ZERO -> 0;
                case ONE -> 1;
                case R -> red;
                case G -> green;
                case B -> blue;
                case A -> alpha;
            };
        }
    }
}
