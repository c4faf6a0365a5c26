package io.frameloom.gpu.virtual;

/** What both kinds of pipeline of the virtual device offer to command lists. */
interface VirtualPipeline {
    String name();

    PipelineInterface shaders();

    VirtualDevice device();

    boolean isClosed();
}
