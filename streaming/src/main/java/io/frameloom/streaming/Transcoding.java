package io.frameloom.streaming;

import io.frameloom.gpu.resource.Format;
import org.lwjgl.util.ktx.KTX;

/** What UASTC is transcoded to, the best first. */
enum Transcoding {
    BC7(KTX.KTX_TTF_BC7_RGBA, Format.BC7_UNORM, Format.BC7_SRGB),
    ASTC_4X4(KTX.KTX_TTF_ASTC_LDR_4x4_RGBA, Format.ASTC_4X4_UNORM, Format.ASTC_4X4_SRGB),
    ETC2(KTX.KTX_TTF_ETC2_RGBA, Format.ETC2_R8G8B8A8_UNORM, Format.ETC2_R8G8B8A8_SRGB),
    RGBA8(KTX.KTX_TTF_RGBA32, Format.R8G8B8A8_UNORM, Format.R8G8B8A8_SRGB);

    private final int code;
    private final Format linear;
    private final Format srgb;

    Transcoding(int code, Format linear, Format srgb) {
        this.code = code;
        this.linear = linear;
        this.srgb = srgb;
    }

    /** Returns the target's number in the library. */
    int code() {
        return code;
    }

    Format format(boolean isSrgb) {
        return isSrgb ? srgb : linear;
    }
}
