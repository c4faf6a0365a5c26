package io.frameloom.gpu;

/** A compute pipeline. */
public non-sealed interface ComputePipeline extends Pipeline {
    /** Returns the description. */
    ComputePipelineDescription description();
}
