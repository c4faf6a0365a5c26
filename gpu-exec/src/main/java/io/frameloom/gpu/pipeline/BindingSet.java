package io.frameloom.gpu.pipeline;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.resource.Resource;

/**
 * A set of bindings that outlives frames, such as the textures of a material. Made once by {@link
 * GpuDevice#createBindingSet}, bound on any thread by {@link CommandList#bindSet}. The resources in it must outlive it.
 */
public interface BindingSet extends AutoCloseable {
    /** Returns the debug name. */
    String name();

    /** Returns the number of the descriptor set it fills. */
    int set();

    /** Closes the set as a {@link Resource} is closed, also in use; a second call does nothing. */
    @Override
    void close();
}
