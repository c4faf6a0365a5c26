package io.frameloom.gpu.pipeline;

import java.nio.ByteBuffer;

/** A ray-tracing pipeline. */
public non-sealed interface RayTracingPipeline extends Pipeline {
    /** Returns the description. */
    RayTracingPipelineDescription description();

    /**
     * Returns the handles of all groups in their order, which {@link ShaderBindingTable} writes into its records: a
     * read-only view.
     */
    ByteBuffer handles();
}
