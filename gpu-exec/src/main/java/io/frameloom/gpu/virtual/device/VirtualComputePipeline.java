package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;

/** A compute pipeline of the virtual device. */
final class VirtualComputePipeline extends VirtualPipeline implements ComputePipeline {
    private final ComputePipelineDescription description;

    VirtualComputePipeline(SimulatedDevice device, ComputePipelineDescription description, PipelineInterface shaders) {
        super(device, description.name(), shaders);
        this.description = description;
    }

    @Override
    public ComputePipelineDescription description() {
        return description;
    }
}
