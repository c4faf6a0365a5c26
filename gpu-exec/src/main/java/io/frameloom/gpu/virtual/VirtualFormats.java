package io.frameloom.gpu.virtual;

import io.frameloom.gpu.Format;
import io.frameloom.gpu.FormatSupport;

/** What the virtual device does with formats: everything that Vulkan lets a format do. */
final class VirtualFormats {
    private VirtualFormats() {}

    /** Returns whether textures seen as a format are sampled with linear filters. */
    static boolean filters(Format format) {
        return format.kind() == Format.NumericKind.FLOAT && !format.hasStencil();
    }

    static FormatSupport support(Format format) {
        boolean color = !format.isDepth();
        boolean texels = color && !format.isCompressed();
        boolean integers = format.kind() != Format.NumericKind.FLOAT;
        int samples = format.isCompressed() ? 1 : 0b1111;
        return new FormatSupport(
                true,
                filters(format),
                texels && !format.isSrgb(),
                format == Format.R32_UINT || format == Format.R32_SINT,
                texels,
                texels && !integers,
                !color,
                !format.isCompressed(),
                !format.isCompressed(),
                true,
                texels && !format.isSrgb(),
                samples);
    }
}
