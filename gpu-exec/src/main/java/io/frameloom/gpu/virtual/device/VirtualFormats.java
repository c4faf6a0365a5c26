package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.record.ResourceLimits;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.FormatSupport;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import org.jspecify.annotations.Nullable;

/** The format support of the virtual device: everything that Vulkan lets a format do. */
final class VirtualFormats {
    private VirtualFormats() {}

    static boolean filters(Format format) {
        return format.kind() == Format.NumericKind.FLOAT && !format.hasStencil();
    }

    /** Returns whether textures seen as a format are sampled with filters that take the smallest or largest texel. */
    static boolean reduces(Format format) {
        return format.kind() == Format.NumericKind.FLOAT;
    }

    /**
     * Refuses a texture whose format cannot be used as it asks, as a driver does.
     *
     * @param name its name, or null while only its shape is asked for
     */
    static void require(@Nullable String name, TextureDescription description, DeviceCapabilities device) {
        FormatSupport support = support(description.format());
        String what = ResourceLimits.texture(name) + " (" + description.format() + ", " + description.usage() + ")";
        for (TextureUsage usage : description.usage()) {
            if (!support.supports(usage)) {
                throw new IllegalArgumentException(what + " is not supported by " + device.name()
                        + ": this format cannot be used so; take another format or usage");
            }
        }
        if (!support.supportsSamples(description.samples())) {
            throw new IllegalArgumentException(what + " with " + description.samples() + " samples is not supported by "
                    + device.name() + "; ask formatSupport for the numbers of samples that are");
        }
    }

    static FormatSupport support(Format format) {
        boolean color = !format.isDepth();
        boolean texels = color && !format.isCompressed();
        boolean integers = format.kind() != Format.NumericKind.FLOAT;
        int samples = format.isCompressed() ? 1 : 0b1111;
        return new FormatSupport(
                true,
                filters(format),
                reduces(format),
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
