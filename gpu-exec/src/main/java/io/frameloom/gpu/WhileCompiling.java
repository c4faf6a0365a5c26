package io.frameloom.gpu;

import io.frameloom.gpu.pipeline.Pipeline;

/** What binding does with a pipeline that is still being compiled. Immutable. */
public sealed interface WhileCompiling {
    /** Waits until it is compiled. */
    WhileCompiling WAIT = new Wait();

    /** Binds nothing: what would be drawn or dispatched with it is left out. */
    WhileCompiling SKIP = new Skip();

    /**
     * Binds another pipeline.
     *
     * @param pipeline compiled, of the same kind, with the same bindings and push constants, and for the same
     *     attachments. Its vertex buffers and dynamic states must be among those of the other
     */
    static WhileCompiling fallback(Pipeline pipeline) {
        return new Fallback(pipeline);
    }

    /** Waits. */
    record Wait() implements WhileCompiling {}

    /** Binds nothing. */
    record Skip() implements WhileCompiling {}

    /**
     * Binds another pipeline.
     *
     * @param pipeline the other one
     */
    record Fallback(Pipeline pipeline) implements WhileCompiling {}
}
