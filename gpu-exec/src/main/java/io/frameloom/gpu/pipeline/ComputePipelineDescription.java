package io.frameloom.gpu.pipeline;

import org.jspecify.annotations.Nullable;

/**
 * A compute pipeline.
 *
 * @param name debug name
 * @param shader compute shader
 * @param kernel what the virtual GPU runs instead of the shader; null: the work is simulated by cost alone
 * @param pushDescriptorSet the set whose bindings are written into command lists, -1 for none
 */
public record ComputePipelineDescription(
        String name, ShaderSource shader, @Nullable CpuKernel kernel, int pushDescriptorSet) {
    public ComputePipelineDescription {
        if (shader.stage() != ShaderStage.COMPUTE) {
            throw new IllegalArgumentException("compute pipeline '" + name + "' needs a compute shader, '"
                    + shader.name() + "' is " + shader.stage());
        }
    }

    /** A pipeline without a pushed set. */
    public ComputePipelineDescription(String name, ShaderSource shader, @Nullable CpuKernel kernel) {
        this(name, shader, kernel, -1);
    }

    /** As this, with a pushed set, as {@link GraphicsPipelineDescription#withPushDescriptorSet}. */
    public ComputePipelineDescription withPushDescriptorSet(int set) {
        return new ComputePipelineDescription(name, shader, kernel, set);
    }
}
