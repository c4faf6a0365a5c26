package io.frameloom.gpu.resource;

/** How a value between texels is found. */
public enum Filter {
    /** The nearest texel. */
    NEAREST,
    /** Interpolated between the neighbours. */
    LINEAR
}
