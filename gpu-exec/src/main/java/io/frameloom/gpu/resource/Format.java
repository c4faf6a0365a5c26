package io.frameloom.gpu.resource;

import io.frameloom.gpu.GpuDevice;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The texel formats that Frameloom knows. {@link GpuDevice#formatSupport} returns the uses that a device supports. */
public enum Format {
    /** One normalised integer without sign of 8 bits. */
    R8_UNORM(9, 1, Encoding.UNORM, 1),
    /** One normalised integer with sign of 8 bits. */
    R8_SNORM(10, 1, Encoding.SNORM, 1),
    /** One integer without sign of 8 bits. */
    R8_UINT(13, 1, Encoding.UINT, 1),
    /** One integer with sign of 8 bits. */
    R8_SINT(14, 1, Encoding.SINT, 1),
    /** Two normalised integers without sign of 8 bits. */
    R8G8_UNORM(16, 2, Encoding.UNORM, 2),
    /** Two normalised integers with sign of 8 bits. */
    R8G8_SNORM(17, 2, Encoding.SNORM, 2),
    /** Two integers without sign of 8 bits. */
    R8G8_UINT(20, 2, Encoding.UINT, 2),
    /** Two integers with sign of 8 bits. */
    R8G8_SINT(21, 2, Encoding.SINT, 2),
    /** Four normalised integers without sign of 8 bits. */
    R8G8B8A8_UNORM(37, 4, Encoding.UNORM, 4),
    /** Four normalised integers with sign of 8 bits. */
    R8G8B8A8_SNORM(38, 4, Encoding.SNORM, 4),
    /** Four integers without sign of 8 bits. */
    R8G8B8A8_UINT(41, 4, Encoding.UINT, 4),
    /** Four integers with sign of 8 bits. */
    R8G8B8A8_SINT(42, 4, Encoding.SINT, 4),
    /** Four normalised integers, sRGB encoded colour of 8 bits. */
    R8G8B8A8_SRGB(43, 4, Encoding.SRGB, 4),
    /** Four normalised bytes in presentation order. */
    B8G8R8A8_UNORM(44, 4, Encoding.UNORM, 4),
    /** Four normalised bytes in presentation order, sRGB encoded colour. */
    B8G8R8A8_SRGB(50, 4, Encoding.SRGB, 4),
    /** Three colour channels of 10 bits and two bits of alpha, normalised. */
    A2B10G10R10_UNORM(64, 4, Encoding.UNORM, 4),
    /** Three colour channels of 10 bits and two bits of alpha, integers. */
    A2B10G10R10_UINT(68, 4, Encoding.UINT, 4),
    /** Three packed floats without sign. */
    B10G11R11_UFLOAT(122, 4, Encoding.FLOAT, 3),
    /** One normalised integer without sign of 16 bits. */
    R16_UNORM(70, 2, Encoding.UNORM, 1),
    /** One normalised integer with sign of 16 bits. */
    R16_SNORM(71, 2, Encoding.SNORM, 1),
    /** One integer without sign of 16 bits. */
    R16_UINT(74, 2, Encoding.UINT, 1),
    /** One integer with sign of 16 bits. */
    R16_SINT(75, 2, Encoding.SINT, 1),
    /** One float of 16 bits. */
    R16_SFLOAT(76, 2, Encoding.FLOAT, 1),
    /** Two normalised integers without sign of 16 bits. */
    R16G16_UNORM(77, 4, Encoding.UNORM, 2),
    /** Two normalised integers with sign of 16 bits. */
    R16G16_SNORM(78, 4, Encoding.SNORM, 2),
    /** Two integers without sign of 16 bits. */
    R16G16_UINT(81, 4, Encoding.UINT, 2),
    /** Two integers with sign of 16 bits. */
    R16G16_SINT(82, 4, Encoding.SINT, 2),
    /** Two floats of 16 bits. */
    R16G16_SFLOAT(83, 4, Encoding.FLOAT, 2),
    /** Four normalised integers without sign of 16 bits. */
    R16G16B16A16_UNORM(91, 8, Encoding.UNORM, 4),
    /** Four normalised integers with sign of 16 bits. */
    R16G16B16A16_SNORM(92, 8, Encoding.SNORM, 4),
    /** Four integers without sign of 16 bits. */
    R16G16B16A16_UINT(95, 8, Encoding.UINT, 4),
    /** Four integers with sign of 16 bits. */
    R16G16B16A16_SINT(96, 8, Encoding.SINT, 4),
    /** Four floats of 16 bits. */
    R16G16B16A16_SFLOAT(97, 8, Encoding.FLOAT, 4),
    /** One integer without sign of 32 bits. */
    R32_UINT(98, 4, Encoding.UINT, 1),
    /** One integer with sign of 32 bits. */
    R32_SINT(99, 4, Encoding.SINT, 1),
    /** One float of 32 bits. */
    R32_SFLOAT(100, 4, Encoding.FLOAT, 1),
    /** Two integers without sign of 32 bits. */
    R32G32_UINT(101, 8, Encoding.UINT, 2),
    /** Two integers with sign of 32 bits. */
    R32G32_SINT(102, 8, Encoding.SINT, 2),
    /** Two floats of 32 bits. */
    R32G32_SFLOAT(103, 8, Encoding.FLOAT, 2),
    /** Three floats; for vertices. */
    R32G32B32_SFLOAT(106, 12, Encoding.FLOAT, 3),
    /** Four integers without sign of 32 bits. */
    R32G32B32A32_UINT(107, 16, Encoding.UINT, 4),
    /** Four integers with sign of 32 bits. */
    R32G32B32A32_SINT(108, 16, Encoding.SINT, 4),
    /** Four floats of 32 bits. */
    R32G32B32A32_SFLOAT(109, 16, Encoding.FLOAT, 4),
    /** Blocks of colour, 4 bits a texel. */
    BC1_RGB_UNORM(131, 8, Encoding.UNORM, 3, 4),
    /** Blocks of sRGB colour, 4 bits a texel. */
    BC1_RGB_SRGB(132, 8, Encoding.SRGB, 3, 4),
    /** Blocks of colour with one bit of alpha, 4 bits a texel. */
    BC1_RGBA_UNORM(133, 8, Encoding.UNORM, 4, 4),
    /** Blocks of sRGB colour with one bit of alpha, 4 bits a texel. */
    BC1_RGBA_SRGB(134, 8, Encoding.SRGB, 4, 4),
    /** Blocks of colour with four bits of alpha, 8 bits a texel. */
    BC2_UNORM(135, 16, Encoding.UNORM, 4, 4),
    /** Blocks of sRGB colour with four bits of alpha, 8 bits a texel. */
    BC2_SRGB(136, 16, Encoding.SRGB, 4, 4),
    /** Blocks of colour with interpolated alpha, 8 bits a texel. */
    BC3_UNORM(137, 16, Encoding.UNORM, 4, 4),
    /** Blocks of sRGB colour with interpolated alpha, 8 bits a texel. */
    BC3_SRGB(138, 16, Encoding.SRGB, 4, 4),
    /** Blocks of one channel, 4 bits a texel. */
    BC4_UNORM(139, 8, Encoding.UNORM, 1, 4),
    /** Blocks of one channel with sign, 4 bits a texel. */
    BC4_SNORM(140, 8, Encoding.SNORM, 1, 4),
    /** Blocks of two channels, 8 bits a texel. */
    BC5_UNORM(141, 16, Encoding.UNORM, 2, 4),
    /** Blocks of two channels with sign, 8 bits a texel. */
    BC5_SNORM(142, 16, Encoding.SNORM, 2, 4),
    /** Blocks of floats without sign, 8 bits a texel. */
    BC6H_UFLOAT(143, 16, Encoding.FLOAT, 3, 4),
    /** Blocks of floats, 8 bits a texel. */
    BC6H_SFLOAT(144, 16, Encoding.FLOAT, 3, 4),
    /** Blocks of colour with alpha, 8 bits a texel. */
    BC7_UNORM(145, 16, Encoding.UNORM, 4, 4),
    /** Blocks of sRGB colour with alpha, 8 bits a texel. */
    BC7_SRGB(146, 16, Encoding.SRGB, 4, 4),
    /** Blocks of colour, 4 bits a texel. */
    ETC2_R8G8B8_UNORM(147, 8, Encoding.UNORM, 3, 4),
    /** Blocks of sRGB colour, 4 bits a texel. */
    ETC2_R8G8B8_SRGB(148, 8, Encoding.SRGB, 3, 4),
    /** Blocks of colour with one bit of alpha, 4 bits a texel. */
    ETC2_R8G8B8A1_UNORM(149, 8, Encoding.UNORM, 4, 4),
    /** Blocks of sRGB colour with one bit of alpha, 4 bits a texel. */
    ETC2_R8G8B8A1_SRGB(150, 8, Encoding.SRGB, 4, 4),
    /** Blocks of colour with alpha, 8 bits a texel. */
    ETC2_R8G8B8A8_UNORM(151, 16, Encoding.UNORM, 4, 4),
    /** Blocks of sRGB colour with alpha, 8 bits a texel. */
    ETC2_R8G8B8A8_SRGB(152, 16, Encoding.SRGB, 4, 4),
    /** Blocks of one channel, 4 bits a texel. */
    EAC_R11_UNORM(153, 8, Encoding.UNORM, 1, 4),
    /** Blocks of one channel with sign, 4 bits a texel. */
    EAC_R11_SNORM(154, 8, Encoding.SNORM, 1, 4),
    /** Blocks of two channels, 8 bits a texel. */
    EAC_R11G11_UNORM(155, 16, Encoding.UNORM, 2, 4),
    /** Blocks of two channels with sign, 8 bits a texel. */
    EAC_R11G11_SNORM(156, 16, Encoding.SNORM, 2, 4),
    /** Blocks of 4x4 texels of colour with alpha, 8 bits a texel. */
    ASTC_4X4_UNORM(157, 16, Encoding.UNORM, 4, 4, 4),
    /** Blocks of 4x4 texels of sRGB colour with alpha, 8 bits a texel. */
    ASTC_4X4_SRGB(158, 16, Encoding.SRGB, 4, 4, 4),
    /** Blocks of 5x4 texels of colour with alpha, 6.40 bits a texel. */
    ASTC_5X4_UNORM(159, 16, Encoding.UNORM, 4, 5, 4),
    /** Blocks of 5x4 texels of sRGB colour with alpha, 6.40 bits a texel. */
    ASTC_5X4_SRGB(160, 16, Encoding.SRGB, 4, 5, 4),
    /** Blocks of 5x5 texels of colour with alpha, 5.12 bits a texel. */
    ASTC_5X5_UNORM(161, 16, Encoding.UNORM, 4, 5, 5),
    /** Blocks of 5x5 texels of sRGB colour with alpha, 5.12 bits a texel. */
    ASTC_5X5_SRGB(162, 16, Encoding.SRGB, 4, 5, 5),
    /** Blocks of 6x5 texels of colour with alpha, 4.27 bits a texel. */
    ASTC_6X5_UNORM(163, 16, Encoding.UNORM, 4, 6, 5),
    /** Blocks of 6x5 texels of sRGB colour with alpha, 4.27 bits a texel. */
    ASTC_6X5_SRGB(164, 16, Encoding.SRGB, 4, 6, 5),
    /** Blocks of 6x6 texels of colour with alpha, 3.56 bits a texel. */
    ASTC_6X6_UNORM(165, 16, Encoding.UNORM, 4, 6, 6),
    /** Blocks of 6x6 texels of sRGB colour with alpha, 3.56 bits a texel. */
    ASTC_6X6_SRGB(166, 16, Encoding.SRGB, 4, 6, 6),
    /** Blocks of 8x5 texels of colour with alpha, 3.20 bits a texel. */
    ASTC_8X5_UNORM(167, 16, Encoding.UNORM, 4, 8, 5),
    /** Blocks of 8x5 texels of sRGB colour with alpha, 3.20 bits a texel. */
    ASTC_8X5_SRGB(168, 16, Encoding.SRGB, 4, 8, 5),
    /** Blocks of 8x6 texels of colour with alpha, 2.67 bits a texel. */
    ASTC_8X6_UNORM(169, 16, Encoding.UNORM, 4, 8, 6),
    /** Blocks of 8x6 texels of sRGB colour with alpha, 2.67 bits a texel. */
    ASTC_8X6_SRGB(170, 16, Encoding.SRGB, 4, 8, 6),
    /** Blocks of 8x8 texels of colour with alpha, 2 bits a texel. */
    ASTC_8X8_UNORM(171, 16, Encoding.UNORM, 4, 8, 8),
    /** Blocks of 8x8 texels of sRGB colour with alpha, 2 bits a texel. */
    ASTC_8X8_SRGB(172, 16, Encoding.SRGB, 4, 8, 8),
    /** Blocks of 10x5 texels of colour with alpha, 2.56 bits a texel. */
    ASTC_10X5_UNORM(173, 16, Encoding.UNORM, 4, 10, 5),
    /** Blocks of 10x5 texels of sRGB colour with alpha, 2.56 bits a texel. */
    ASTC_10X5_SRGB(174, 16, Encoding.SRGB, 4, 10, 5),
    /** Blocks of 10x6 texels of colour with alpha, 2.13 bits a texel. */
    ASTC_10X6_UNORM(175, 16, Encoding.UNORM, 4, 10, 6),
    /** Blocks of 10x6 texels of sRGB colour with alpha, 2.13 bits a texel. */
    ASTC_10X6_SRGB(176, 16, Encoding.SRGB, 4, 10, 6),
    /** Blocks of 10x8 texels of colour with alpha, 1.60 bits a texel. */
    ASTC_10X8_UNORM(177, 16, Encoding.UNORM, 4, 10, 8),
    /** Blocks of 10x8 texels of sRGB colour with alpha, 1.60 bits a texel. */
    ASTC_10X8_SRGB(178, 16, Encoding.SRGB, 4, 10, 8),
    /** Blocks of 10x10 texels of colour with alpha, 1.28 bits a texel. */
    ASTC_10X10_UNORM(179, 16, Encoding.UNORM, 4, 10, 10),
    /** Blocks of 10x10 texels of sRGB colour with alpha, 1.28 bits a texel. */
    ASTC_10X10_SRGB(180, 16, Encoding.SRGB, 4, 10, 10),
    /** Blocks of 12x10 texels of colour with alpha, 1.07 bits a texel. */
    ASTC_12X10_UNORM(181, 16, Encoding.UNORM, 4, 12, 10),
    /** Blocks of 12x10 texels of sRGB colour with alpha, 1.07 bits a texel. */
    ASTC_12X10_SRGB(182, 16, Encoding.SRGB, 4, 12, 10),
    /** Blocks of 12x12 texels of colour with alpha, 0.89 bits a texel. */
    ASTC_12X12_UNORM(183, 16, Encoding.UNORM, 4, 12, 12),
    /** Blocks of 12x12 texels of sRGB colour with alpha, 0.89 bits a texel. */
    ASTC_12X12_SRGB(184, 16, Encoding.SRGB, 4, 12, 12),
    /** Depth as a normalised integer of 16 bits. */
    D16_UNORM(124, 2, 0),
    /** Depth as a normalised integer of 24 bits and eight bits of stencil: two planes. */
    D24_UNORM_S8_UINT(129, 4, 1),
    /** Depth as one float. */
    D32_SFLOAT(126, 4, 0),
    /** Depth as one float and eight bits of stencil: two planes. */
    D32_SFLOAT_S8_UINT(130, 4, 1),
    /** Eight bits of stencil alone; its only plane, 0, is stencil. */
    S8_UINT(127, 0, 1);

    /** Formats with depth and stencil, the one with the better precision first; a device supports at least one. */
    public static final List<Format> DEPTH_STENCIL = List.of(D32_SFLOAT_S8_UINT, D24_UNORM_S8_UINT);

    private static final Map<Integer, Format> BY_VULKAN =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Format::vulkan, Function.identity()));

    /** The type of a texel's numbers in a shader that reads them. */
    public enum NumericKind {
        /** Floats, also for normalised integers, sRGB and depth. */
        FLOAT,
        /** Integers with sign. */
        SINT,
        /** Integers without sign, also for stencil. */
        UINT
    }

    /** How a texel's numbers are encoded. */
    public enum Encoding {
        /** Integers without sign that stand for 0 to 1. */
        UNORM,
        /** Integers with sign that stand for -1 to 1. */
        SNORM,
        /** As {@link #UNORM}, with the colour channels through the sRGB curve. */
        SRGB,
        /** Floats. */
        FLOAT,
        /** Integers without sign. */
        UINT,
        /** Integers with sign. */
        SINT,
        /** Depth. */
        DEPTH,
        /** Depth and stencil. */
        DEPTH_STENCIL,
        /** Stencil. */
        STENCIL
    }

    /** What a plane holds. */
    public enum Aspect {
        /** Colour. */
        COLOR,
        /** Depth. */
        DEPTH,
        /** Stencil. */
        STENCIL
    }

    private final int vulkan;
    private final int colorBytes;
    private final int depthBytes;
    private final int stencilBytes;
    private final Encoding encoding;
    private final int channels;
    private final int blockWidth;
    private final int blockHeight;

    Format(int vulkan, int bytes, Encoding encoding, int channels) {
        this(vulkan, bytes, encoding, channels, 1);
    }

    Format(int vulkan, int bytes, Encoding encoding, int channels, int blockExtent) {
        this(vulkan, bytes, encoding, channels, blockExtent, blockExtent);
    }

    Format(int vulkan, int bytes, Encoding encoding, int channels, int blockWidth, int blockHeight) {
        this.vulkan = vulkan;
        this.colorBytes = bytes;
        this.depthBytes = 0;
        this.stencilBytes = 0;
        this.encoding = encoding;
        this.channels = channels;
        this.blockWidth = blockWidth;
        this.blockHeight = blockHeight;
    }

    Format(int vulkan, int depthBytes, int stencilBytes) {
        this.vulkan = vulkan;
        this.colorBytes = 0;
        this.depthBytes = depthBytes;
        this.stencilBytes = stencilBytes;
        this.encoding =
                depthBytes == 0 ? Encoding.STENCIL : stencilBytes == 0 ? Encoding.DEPTH : Encoding.DEPTH_STENCIL;
        this.channels = 1;
        this.blockWidth = 1;
        this.blockHeight = 1;
    }

    /**
     * Returns the format with a number of Vulkan, which files such as KTX 2 use, too.
     *
     * @param vulkan value of VkFormat
     * @throws IllegalArgumentException if Frameloom has no such format
     */
    public static Format ofVulkan(int vulkan) {
        Format format = BY_VULKAN.get(vulkan);
        if (format == null) {
            throw new IllegalArgumentException("VkFormat " + vulkan + " is none of the formats that Frameloom has;"
                    + " Format.values() lists them, each with its vulkan()");
        }
        return format;
    }

    /** Returns the number of the format in Vulkan, and in files such as KTX 2: the value of VkFormat. */
    public int vulkan() {
        return vulkan;
    }

    /** Returns the bytes of one block, which is one texel unless the format is compressed, all planes together. */
    public int blockBytes() {
        return colorBytes + depthBytes + stencilBytes;
    }

    /**
     * Returns the bytes of one texel, all planes together and padded as devices keep them.
     *
     * @throws IllegalStateException if the format is compressed
     */
    public int bytesPerTexel() {
        if (isCompressed()) {
            throw new IllegalStateException(this + " is compressed: " + blockBytes() + " bytes a block of " + blockWidth
                    + "x" + blockHeight + " texels; use blockBytes");
        }
        return encoding == Encoding.DEPTH_STENCIL ? 2 * depthBytes : blockBytes();
    }

    /** Returns the width of a block in texels; 1 unless the format is compressed. */
    public int blockWidth() {
        return blockWidth;
    }

    /** Returns the height of a block in texels; 1 unless the format is compressed. */
    public int blockHeight() {
        return blockHeight;
    }

    /** Returns the number of blocks that cover a width in texels. */
    public int columns(int width) {
        return (int) (((long) width + blockWidth - 1) / blockWidth);
    }

    /** Returns the number of blocks that cover a height in texels. */
    public int rows(int height) {
        return (int) (((long) height + blockHeight - 1) / blockHeight);
    }

    /** Returns whether blocks have the extent of the other format's. */
    public boolean hasBlocksOf(Format other) {
        return blockWidth == other.blockWidth && blockHeight == other.blockHeight;
    }

    /** Returns whether texels come in compressed blocks. */
    public boolean isCompressed() {
        return blockWidth > 1;
    }

    /** Returns the number of separately tracked planes: 2 for depth with stencil, else 1. */
    public int planes() {
        return encoding == Encoding.DEPTH_STENCIL ? 2 : 1;
    }

    /** Returns what a plane holds. */
    public Aspect aspect(int plane) {
        return switch (encoding) {
            case DEPTH -> Aspect.DEPTH;
            case STENCIL -> Aspect.STENCIL;
            case DEPTH_STENCIL -> plane == 0 ? Aspect.DEPTH : Aspect.STENCIL;
            default -> Aspect.COLOR;
        };
    }

    /**
     * Returns the bytes of one block of one plane as copies to and from buffers see it. Depth of 24 bits takes four,
     * the highest of them undefined.
     */
    public int planeBytes(int plane) {
        return switch (aspect(plane)) {
            case COLOR -> colorBytes;
            case DEPTH -> depthBytes;
            case STENCIL -> stencilBytes;
        };
    }

    /** Returns the number of colour channels; 1 for depth and stencil. */
    public int channels() {
        return channels;
    }

    /** Returns how the numbers are encoded. */
    public Encoding encoding() {
        return encoding;
    }

    /** Returns the type of the numbers in a shader. */
    public NumericKind kind() {
        return switch (encoding) {
            case UINT, STENCIL -> NumericKind.UINT;
            case SINT -> NumericKind.SINT;
            default -> NumericKind.FLOAT;
        };
    }

    /** Returns whether colour is sRGB encoded. */
    public boolean isSrgb() {
        return encoding == Encoding.SRGB;
    }

    /** Returns whether this is a format of depth and stencil attachments: one with depth, with stencil or with both. */
    public boolean isDepth() {
        return hasDepth() || hasStencil();
    }

    /** Returns whether there is a plane of depth. */
    public boolean hasDepth() {
        return depthBytes > 0;
    }

    /** Returns whether there is a plane of stencil. */
    public boolean hasStencil() {
        return stencilBytes > 0;
    }

    /** Returns whether a view of one format can look at a texture of the other: colour, with texels of equal size. */
    public boolean isViewCompatible(Format other) {
        if (this == other) {
            return true;
        }
        return !isDepth()
                && !other.isDepth()
                && colorBytes == other.colorBytes
                && hasBlocksOf(other)
                && (!isCompressed() || blockClass().equals(other.blockClass()));
    }

    /** The name without the encoding: compressed formats are view compatible if it is equal. */
    private String blockClass() {
        return name().substring(0, name().lastIndexOf('_'));
    }
}
