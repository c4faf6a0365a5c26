package io.frameloom.gpu;

/** What command lists set instead of the pipeline, besides viewport and scissor, which they always set. */
public enum DynamicState {
    /** The reference of the stencil test. */
    STENCIL_REFERENCE,
    /** The constants of blending. */
    BLEND_CONSTANTS
}
