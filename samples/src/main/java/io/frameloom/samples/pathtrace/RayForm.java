package io.frameloom.samples.pathtrace;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.command.Access;

/** How a device traces rays, the better way first. */
enum RayForm {
    /** By a pipeline of ray generation, hit and miss shaders. */
    PIPELINE(
            Capability.RAY_TRACING_PIPELINES,
            Access.STORAGE_READ_RAYS,
            Access.STORAGE_WRITE_RAYS,
            Access.ACCELERATION_STRUCTURE_TRACE_RAYS),
    /** By ray queries of a compute shader. */
    QUERIES(
            Capability.RAY_QUERIES,
            Access.STORAGE_READ_COMPUTE,
            Access.STORAGE_WRITE_COMPUTE,
            Access.ACCELERATION_STRUCTURE_TRACE_COMPUTE);

    final Capability needed;
    final Access reads;
    final Access writes;
    final Access traces;

    RayForm(Capability needed, Access reads, Access writes, Access traces) {
        this.needed = needed;
        this.reads = reads;
        this.writes = writes;
        this.traces = traces;
    }
}
