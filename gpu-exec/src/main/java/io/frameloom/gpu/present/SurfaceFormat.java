package io.frameloom.gpu.present;

import io.frameloom.gpu.resource.Format;
import java.util.Objects;

/**
 * How the images of a swapchain are stored and what they mean.
 *
 * @param format texel format
 * @param colorSpace colour space
 */
public record SurfaceFormat(Format format, ColorSpace colorSpace) {
    public SurfaceFormat {
        Objects.requireNonNull(format, "format must not be null");
        Objects.requireNonNull(colorSpace, "colorSpace must not be null");
    }

    /** 10 bits a channel for HDR10, as most displays take it. */
    public static final SurfaceFormat HDR10 = new SurfaceFormat(Format.A2B10G10R10_UNORM, ColorSpace.HDR10_ST2084);

    /** Half floats for scRGB. */
    public static final SurfaceFormat SC_RGB =
            new SurfaceFormat(Format.R16G16B16A16_SFLOAT, ColorSpace.EXTENDED_SRGB_LINEAR);

    /** Returns a format in sRGB. */
    public static SurfaceFormat srgb(Format format) {
        return new SurfaceFormat(format, ColorSpace.SRGB);
    }

    @Override
    public String toString() {
        return format + " in " + colorSpace;
    }
}
