package io.frameloom.rdg.declare;

/** What of a texture an attachment is. */
public enum Aspect {
    COLOR,
    DEPTH,
    STENCIL
}
