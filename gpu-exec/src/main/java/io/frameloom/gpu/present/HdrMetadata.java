package io.frameloom.gpu.present;

import java.util.Objects;

/**
 * What a display should know of the pictures to fit them to what it can show ("VkHdrMetadataEXT" in the Vulkan
 * specification; SMPTE ST 2086 and CTA-861.3). Luminances are in cd/m².
 *
 * @param primaries colours of the display on which the pictures were judged
 * @param maxLuminance its brightest white, above {@code minLuminance}
 * @param minLuminance its darkest black, at least 0
 * @param maxContentLightLevel brightest texel of all pictures, 0 if unknown
 * @param maxFrameAverageLightLevel brightest average of a picture, 0 if unknown
 */
public record HdrMetadata(
        Primaries primaries,
        float maxLuminance,
        float minLuminance,
        float maxContentLightLevel,
        float maxFrameAverageLightLevel) {
    /** Red, green and blue of a display; the white is D65. */
    public enum Primaries {
        /** Those of sRGB. */
        BT709,
        /** Those of DCI-P3. */
        DISPLAY_P3,
        /** Those of BT.2020. */
        BT2020
    }

    public HdrMetadata {
        Objects.requireNonNull(primaries, "primaries must not be null");
        if (!(minLuminance >= 0 && maxLuminance > minLuminance && maxLuminance <= Float.MAX_VALUE)) {
            throw new IllegalArgumentException(
                    "a display is brighter than 0 or more cd/m², got " + minLuminance + " to " + maxLuminance);
        }
        if (!(isLevel(maxContentLightLevel) && isLevel(maxFrameAverageLightLevel))) {
            throw new IllegalArgumentException("light levels are 0 or more cd/m², got " + maxContentLightLevel + " and "
                    + maxFrameAverageLightLevel);
        }
    }

    private static boolean isLevel(float level) {
        return level >= 0 && level <= Float.MAX_VALUE;
    }
}
