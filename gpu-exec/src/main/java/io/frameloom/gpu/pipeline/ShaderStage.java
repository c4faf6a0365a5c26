package io.frameloom.gpu.pipeline;

/** A programmable stage. */
public enum ShaderStage {
    /** Vertex shader. */
    VERTEX,
    /** Fragment shader. */
    FRAGMENT,
    /** Compute shader. */
    COMPUTE
}
