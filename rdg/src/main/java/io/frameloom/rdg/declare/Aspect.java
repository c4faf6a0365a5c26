package io.frameloom.rdg.declare;

/** What of a texture an attachment is. */
public enum Aspect {
    /** Colour. */
    COLOR,
    /** Depth. */
    DEPTH,
    /** Stencil. */
    STENCIL
}
