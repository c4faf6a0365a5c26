package io.frameloom.gpu.resource;

/** What a channel of a view shows: a channel of its texture, or a number. */
public enum ComponentSwizzle {
    /** The same channel. */
    IDENTITY,
    /** 0. */
    ZERO,
    /** 1; for textures with depth or stencil no device guarantees it. */
    ONE,
    /** Red. */
    R,
    /** Green; 0 if the format has none. */
    G,
    /** Blue; 0 if the format has none. */
    B,
    /** Alpha; 1 if the format has none. */
    A
}
