package io.frameloom.gpu.pipeline;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.resource.Resource;
import java.util.List;

/** A compiled pipeline. Any thread may use it; the owner closes it. */
public sealed interface Pipeline extends AutoCloseable permits GraphicsPipeline, ComputePipeline, RayTracingPipeline {
    /** Returns the debug name. */
    String name();

    /** Returns the resources that the shaders use, ordered by set and binding. */
    List<ShaderBinding> bindings();

    /** Returns the one element, or the first, of a binding. */
    default ShaderSlot slot(String name) {
        return slot(name, 0);
    }

    /**
     * Returns an element of a binding, for {@link CommandList}s to bind by without looking up a name.
     *
     * @throws IllegalArgumentException if there is no such binding, naming those that there are, or no such element
     */
    ShaderSlot slot(String name, int index);

    /** Returns the bytes of push constants that a draw, dispatch or trace needs: a multiple of 4, 0 for none. */
    int pushConstantBytes();

    /** Closes the pipeline as a {@link Resource} is closed, also in use; a second call does nothing. */
    @Override
    void close();
}
