package io.frameloom.rdg.diagnostics;

/**
 * What transient resources of device memory are filled with before their first use. It reveals a pass that takes
 * undefined memory for contents. Unreal's r.RDG.ClobberResources.
 */
public enum Clobber {
    /** Nothing is filled. */
    OFF(0),
    /** The number 1000 in every channel of a float, all ones in normalised ones. */
    LARGE(1000),
    /** What is not a number; magenta in normalised formats. */
    NAN(Float.NaN),
    /** Infinity; all ones in normalised formats. */
    INFINITY(Float.POSITIVE_INFINITY);

    private final float value;

    Clobber(float value) {
        this.value = value;
    }

    /** Returns the number that channels of floats are filled with, and the words of buffers. */
    public float value() {
        return value;
    }
}
