package io.frameloom.gpu.pipeline;

/** A graphics pipeline. */
public non-sealed interface GraphicsPipeline extends Pipeline {
    /** Returns the description. */
    GraphicsPipelineDescription description();
}
