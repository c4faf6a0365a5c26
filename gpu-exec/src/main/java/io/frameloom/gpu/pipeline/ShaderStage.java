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
    MESH
}
