package io.frameloom.gpu.pipeline;

/** A programmable stage. */
public enum ShaderStage {
    /** Vertex shader. */
    VERTEX,
    /** Fragment shader. */
    FRAGMENT,
    /** Compute shader. */
    COMPUTE,
    /** Task shader, which starts workgroups of the mesh shader. */
    TASK,
    /** Mesh shader, which makes vertices and primitives in place of a vertex shader. */
    MESH,
    /** Ray generation shader, which traces the first rays. */
    RAY_GENERATION,
    /** Any-hit shader, which lets a ray through or not. */
    ANY_HIT,
    /** Closest-hit shader. */
    CLOSEST_HIT,
    /** Miss shader, of rays that hit nothing. */
    MISS,
    /** Intersection shader, which finds what a ray hits in a box. */
    INTERSECTION,
    /** Callable shader, which other shaders of rays call. */
    CALLABLE;

    /** Returns whether it is a stage of ray-tracing pipelines. */
    public boolean isOfRays() {
        return switch (this) {
            case RAY_GENERATION, ANY_HIT, CLOSEST_HIT, MISS, INTERSECTION, CALLABLE -> true;
            case VERTEX, FRAGMENT, COMPUTE, TASK, MESH -> false;
        };
    }
}
