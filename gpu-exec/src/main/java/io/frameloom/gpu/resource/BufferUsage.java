package io.frameloom.gpu.resource;

/** What a buffer may be used for; fixed at creation. */
public enum BufferUsage {
    /** Uniform block of shaders. */
    UNIFORM,
    /**
     * Storage block of shaders. On a device with acceleration structures also scratch memory of builds, and what is built
     * of it; on one with ray-tracing pipelines also their binding tables.
     */
    STORAGE,
    /** Vertex data. */
    VERTEX,
    /** Index data. */
    INDEX,
    /** Arguments of indirect draws, dispatches and traces, the number of draws, and conditions. */
    INDIRECT,
    /** Source of copies. */
    COPY_SRC,
    /** Destination of copies and fills. */
    COPY_DST,
    /** Memory of an {@link AccelerationStructure}, which is created as one. */
    ACCELERATION_STRUCTURE
}
