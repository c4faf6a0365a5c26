package io.frameloom.gpu.pipeline;

/** States that command lists set instead of the pipeline, besides viewport and scissor, which they always set. */
public enum DynamicState {
    /** The reference of the stencil test. */
    STENCIL_REFERENCE,
    /** The constants of blending. */
    BLEND_CONSTANTS,
    /** The amount added to depth, instead of the pipeline's {@link GraphicsPipelineDescription.DepthState}. */
    DEPTH_BIAS,
    /** The width of lines, which is 1 for pipelines without it. */
    LINE_WIDTH
}
