package io.frameloom.gpu.present;

/**
 * What the numbers of a presented image mean ("VkColorSpaceKHR" in the Vulkan specification, "WSI Swapchain"). The
 * application's shaders encode them so; only formats that end in {@code _SRGB} encode by themselves, for {@link #SRGB}
 * and {@link #DISPLAY_P3}.
 */
public enum ColorSpace {
    /** BT.709 primaries and the transfer function of sRGB: every window has it. */
    SRGB,
    /** The wider primaries of DCI-P3 with the white D65, and the transfer function of sRGB. */
    DISPLAY_P3,
    /**
     * scRGB: BT.709 primaries, linear, in a floating-point format. 1 is the white of sRGB; more is brighter, less than 0
     * outside of sRGB's colours.
     */
    EXTENDED_SRGB_LINEAR,
    /** HDR10: BT.2020 primaries and the transfer function PQ of SMPTE ST 2084, whose 1 is 10,000 cd/m². */
    HDR10_ST2084
}
