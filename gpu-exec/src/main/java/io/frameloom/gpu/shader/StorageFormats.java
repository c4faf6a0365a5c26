package io.frameloom.gpu.shader;

import io.frameloom.gpu.resource.Format;
import org.jspecify.annotations.Nullable;
import org.lwjgl.util.spvc.Spv;

/** The formats that shaders declare for storage textures. */
final class StorageFormats {
    private StorageFormats() {}

    /** Returns the format of an SpvImageFormat; null for none, or one that Frameloom does not have. */
    static @Nullable Format of(int format) {
        return switch (format) {
            case Spv.SpvImageFormatRgba32f -> Format.R32G32B32A32_SFLOAT;
            case Spv.SpvImageFormatRgba16f -> Format.R16G16B16A16_SFLOAT;
            case Spv.SpvImageFormatR32f -> Format.R32_SFLOAT;
            case Spv.SpvImageFormatRgba8 -> Format.R8G8B8A8_UNORM;
            case Spv.SpvImageFormatRgba8Snorm -> Format.R8G8B8A8_SNORM;
            case Spv.SpvImageFormatRg32f -> Format.R32G32_SFLOAT;
            case Spv.SpvImageFormatRg16f -> Format.R16G16_SFLOAT;
            case Spv.SpvImageFormatR11fG11fB10f -> Format.B10G11R11_UFLOAT;
            case Spv.SpvImageFormatR16f -> Format.R16_SFLOAT;
            case Spv.SpvImageFormatRgba16 -> Format.R16G16B16A16_UNORM;
            case Spv.SpvImageFormatRgb10A2 -> Format.A2B10G10R10_UNORM;
            case Spv.SpvImageFormatRg16 -> Format.R16G16_UNORM;
            case Spv.SpvImageFormatRg8 -> Format.R8G8_UNORM;
            case Spv.SpvImageFormatR16 -> Format.R16_UNORM;
            case Spv.SpvImageFormatR8 -> Format.R8_UNORM;
            case Spv.SpvImageFormatRgba32i -> Format.R32G32B32A32_SINT;
            case Spv.SpvImageFormatRgba16i -> Format.R16G16B16A16_SINT;
            case Spv.SpvImageFormatRgba8i -> Format.R8G8B8A8_SINT;
            case Spv.SpvImageFormatR32i -> Format.R32_SINT;
            case Spv.SpvImageFormatRg32i -> Format.R32G32_SINT;
            case Spv.SpvImageFormatRg16i -> Format.R16G16_SINT;
            case Spv.SpvImageFormatRg8i -> Format.R8G8_SINT;
            case Spv.SpvImageFormatR16i -> Format.R16_SINT;
            case Spv.SpvImageFormatR8i -> Format.R8_SINT;
            case Spv.SpvImageFormatRgba32ui -> Format.R32G32B32A32_UINT;
            case Spv.SpvImageFormatRgba16ui -> Format.R16G16B16A16_UINT;
            case Spv.SpvImageFormatRgba8ui -> Format.R8G8B8A8_UINT;
            case Spv.SpvImageFormatR32ui -> Format.R32_UINT;
            case Spv.SpvImageFormatRgb10a2ui -> Format.A2B10G10R10_UINT;
            case Spv.SpvImageFormatRg32ui -> Format.R32G32_UINT;
            case Spv.SpvImageFormatRg16ui -> Format.R16G16_UINT;
            case Spv.SpvImageFormatRg8ui -> Format.R8G8_UINT;
            case Spv.SpvImageFormatR16ui -> Format.R16_UINT;
            case Spv.SpvImageFormatR8ui -> Format.R8_UINT;
            default -> null;
        };
    }
}
