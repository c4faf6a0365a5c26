package io.frameloom.rdg.capture;

/** Which numbers of a texel a capture shows. */
public enum CaptureChannel {
    /** Red, green and blue; of a texture with one channel that channel as grey. */
    RGB,
    /** Red, green, blue and alpha. */
    RGBA,
    /** Red, or depth, as grey. */
    R,
    /** Green as grey. */
    G,
    /** Blue as grey. */
    B,
    /** Alpha as grey. */
    A,
    /** Stencil as grey. */
    STENCIL;

    /** Returns the number of channels of the picture. */
    public int count() {
        return this == RGBA ? 4 : this == RGB ? 3 : 1;
    }
}
