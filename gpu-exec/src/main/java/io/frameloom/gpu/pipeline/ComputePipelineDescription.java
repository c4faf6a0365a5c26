package io.frameloom.gpu.pipeline;

import org.jspecify.annotations.Nullable;

/**
 * A compute pipeline.
 *
 * @param name debug name
 * @param shader compute shader
 * @param kernel what the virtual GPU runs instead of the shader; null: the work is simulated by cost alone
 */
public record ComputePipelineDescription(
        String name, ShaderSource shader, @Nullable CpuKernel kernel) {
    /** Checks the stage. */
    public ComputePipelineDescription {
        if (shader.stage() != ShaderStage.COMPUTE) {
            throw new IllegalArgumentException("compute pipeline '" + name + "' needs a compute shader, '"
                    + shader.name() + "' is " + shader.stage());
        }
    }
}
