package io.frameloom.gpu.resource;

/** The kinds of textures; fixed at creation. */
public enum TextureKind {
    /** Two dimensions, one or more array layers, one or more samples. */
    TWO_D,
    /** Three dimensions, one layer. */
    THREE_D,
    /** Six square layers for each cube, in the order +X, -X, +Y, -Y, +Z, -Z; several cubes make a cube array. */
    CUBE
}
