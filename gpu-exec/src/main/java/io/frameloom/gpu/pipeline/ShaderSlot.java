package io.frameloom.gpu.pipeline;

import io.frameloom.gpu.command.CommandList;

/**
 * An element of a binding of one pipeline. {@link Pipeline#slot} finds it by name, and an application keeps it beside
 * the pipeline. A {@link CommandList} that binds by it looks nothing up. It fits that pipeline and no other, not even
 * one of the same shaders, and holds no memory of the device. Immutable; any thread.
 */
public interface ShaderSlot {
    /** Returns the binding. */
    ShaderBinding binding();

    /** Returns the number of the element, 0 for a binding of one resource. */
    int index();
}
