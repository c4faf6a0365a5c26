package io.frameloom.gpu.pipeline;

import io.frameloom.gpu.Capability;

/**
 * States that command lists set instead of the pipeline, besides viewports and scissors, which they always set. So one
 * pipeline serves where many would differ in these.
 */
public enum DynamicState {
    /** The reference of the stencil test. */
    STENCIL_REFERENCE,
    /** The constants of blending. */
    BLEND_CONSTANTS,
    /** The amount added to depth, instead of the pipeline's {@link GraphicsPipelineDescription.DepthState}. */
    DEPTH_BIAS,
    /** The width of lines, which is 1 for pipelines without it. */
    LINE_WIDTH,
    /** Which faces are dropped; the pipeline's own value until a list sets another in the render pass. */
    CULL_MODE,
    /** Which triangles face the viewer; the pipeline's own value until a list sets another in the render pass. */
    FRONT_FACE,
    /**
     * How vertices are combined; the pipeline's own value until a list sets another in the render pass. Points stay
     * points, lines stay lines and triangles stay triangles.
     */
    TOPOLOGY,
    /**
     * The depth test without its bias, which {@link #DEPTH_BIAS} leaves to the list; the pipeline's own test until a
     * list sets another in the render pass.
     */
    DEPTH_TEST,
    /** The stencil test; the pipeline's own test until a list sets another in the render pass. */
    STENCIL_TEST,
    /**
     * Where vertex attributes lie in which buffers; the pipeline's own vertex buffers until a list sets others in the
     * render pass. They give each attribute that the pipeline's own give, as the same type of number. Needs {@link
     * Capability#DYNAMIC_VERTEX_INPUT}.
     */
    VERTEX_INPUT
}
