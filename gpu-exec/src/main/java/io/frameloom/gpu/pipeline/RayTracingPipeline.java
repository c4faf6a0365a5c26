package io.frameloom.gpu.pipeline;

import java.nio.ByteBuffer;
import java.util.Map;

/** A ray-tracing pipeline. */
public non-sealed interface RayTracingPipeline extends Pipeline {
    /**
     * Sizes and alignments of the records of binding tables, in bytes.
     *
     * @param handle size of the handle of a shader group
     * @param alignment alignment of records
     * @param baseAlignment alignment of the tables of ray generation, misses, hits and callables
     * @param maxStride most from one record to the next
     */
    record RecordLimits(int handle, int alignment, int baseAlignment, int maxStride) {}

    /** Returns the description. */
    RayTracingPipelineDescription description();

    /** Returns how the device wants the records of its tables. */
    RecordLimits recordLimits();

    /** Returns, by the names of groups, the bytes of data that their records have at least. */
    Map<String, Integer> recordBytes();

    /**
     * Returns the handles of all groups in their order, which {@link ShaderBindingTable} writes into its records: a
     * read-only view.
     */
    ByteBuffer handles();
}
