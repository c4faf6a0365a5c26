package io.frameloom.gpu.pipeline;

import java.nio.ByteBuffer;
import java.util.Map;

/** A ray-tracing pipeline. */
public non-sealed interface RayTracingPipeline extends Pipeline {
    /** Returns the description. */
    RayTracingPipelineDescription description();

    /** Returns, by the names of groups, the bytes of data that their records have at least. */
    Map<String, Integer> recordBytes();

    /**
     * Returns the handles of all groups in their order, which {@link ShaderBindingTable} writes into its records: a
     * read-only view.
     */
    ByteBuffer handles();
}
