package io.frameloom.gpu;

import java.util.List;

/** A compiled pipeline. Any thread may use it; the owner closes it when no submission uses it. */
public sealed interface Pipeline extends AutoCloseable permits GraphicsPipeline, ComputePipeline {
    /** Returns the debug name. */
    String name();

    /** Returns the resources that the shaders use, ordered by set and binding. */
    List<ShaderBinding> bindings();

    /** Returns the bytes of push constants, 0 for none. */
    int pushConstantBytes();

    /** Destroys the pipeline; a second call does nothing. */
    @Override
    void close();
}
