package io.frameloom.gpu;

/** The texel formats that Frameloom uses; sizes in bytes per texel. */
public enum Format {
    /** One normalised byte. */
    R8_UNORM(1, 1, false),
    /** Four normalised bytes, linear. */
    R8G8B8A8_UNORM(4, 1, false),
    /** Four normalised bytes, sRGB encoded colour. */
    R8G8B8A8_SRGB(4, 1, false),
    /** Four normalised bytes in presentation order, sRGB encoded colour. */
    B8G8R8A8_SRGB(4, 1, false),
    /** Three colour channels of 10 bits and two bits of alpha, normalised. */
    A2B10G10R10_UNORM(4, 1, false),
    /** Two half floats. */
    R16G16_SFLOAT(4, 1, false),
    /** Four half floats. */
    R16G16B16A16_SFLOAT(8, 1, false),
    /** Three packed floats without sign. */
    B10G11R11_UFLOAT(4, 1, false),
    /** One float. */
    R32_SFLOAT(4, 1, false),
    /** One unsigned integer. */
    R32_UINT(4, 1, false),
    /** Two floats. */
    R32G32_SFLOAT(8, 1, false),
    /** Three floats; for vertices. */
    R32G32B32_SFLOAT(12, 1, false),
    /** Four floats. */
    R32G32B32A32_SFLOAT(16, 1, false),
    /** Depth as one float. */
    D32_SFLOAT(4, 1, true),
    /** Depth as one float and eight bits of stencil: two planes. */
    D32_SFLOAT_S8_UINT(8, 2, true);

    private final int bytesPerTexel;
    private final int planes;
    private final boolean depth;

    Format(int bytesPerTexel, int planes, boolean depth) {
        this.bytesPerTexel = bytesPerTexel;
        this.planes = planes;
        this.depth = depth;
    }

    /** Returns the bytes of one texel, all planes together. */
    public int bytesPerTexel() {
        return bytesPerTexel;
    }

    /** Returns the number of separately tracked planes: 2 for depth with stencil, else 1. */
    public int planes() {
        return planes;
    }

    /** Returns whether this is a depth format. */
    public boolean isDepth() {
        return depth;
    }
}
