package io.frameloom.gpu.command;

/**
 * A number that {@link QueryKind#STATISTICS} counts. Drivers may count more than a reader expects, as "Pipeline
 * Statistics Queries" in the Vulkan specification allows. The virtual GPU has the first three, of draws
 * whose arguments are not in buffers; the others are 0 there.
 */
public enum PipelineStatistic {
    /** Vertices that draws have; with indices each index counts. */
    VERTICES,
    /** Points, lines and triangles that draws have. */
    PRIMITIVES,
    /** Runs of vertex shaders. */
    VERTEX_INVOCATIONS,
    /** Primitives that reach clipping. */
    CLIPPED_PRIMITIVES,
    /** Primitives that clipping lets through. */
    DRAWN_PRIMITIVES,
    /** Runs of fragment shaders. */
    FRAGMENT_INVOCATIONS,
    /** Runs of compute shaders. */
    COMPUTE_INVOCATIONS
}
