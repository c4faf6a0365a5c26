package io.frameloom.gpu;

/**
 * What a pipeline library has done so far.
 *
 * @param compilations compilations begun
 * @param shared requests that met a compilation begun before
 * @param failures compilations that failed
 * @param reloads compilations begun because a file had changed
 * @param raised compilations that were made urgent
 * @param binds binds of pipelines that were ready
 * @param waits binds that had to wait
 * @param waitNanos nanoseconds that they waited, all together
 * @param skips binds that were left out
 * @param fallbacks binds of another pipeline
 * @param unoptimised pipelines of now that were linked from parts and wait for their optimisation, or whose optimisation
 *     failed; 0 without {@link Capability#GRAPHICS_PIPELINE_LIBRARY}
 */
public record PipelineLibraryStatistics(
        long compilations,
        long shared,
        long failures,
        long reloads,
        long raised,
        long binds,
        long waits,
        long waitNanos,
        long skips,
        long fallbacks,
        long unoptimised) {}
