package io.frameloom.gpu.pipeline;

/** A compute pipeline. */
public non-sealed interface ComputePipeline extends Pipeline {
    /** Returns the description. */
    ComputePipelineDescription description();
}
