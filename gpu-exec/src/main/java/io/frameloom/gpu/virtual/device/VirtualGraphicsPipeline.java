package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;

/** A graphics pipeline of the virtual device. */
final class VirtualGraphicsPipeline extends VirtualPipeline implements GraphicsPipeline {
    private final GraphicsPipelineDescription description;

    VirtualGraphicsPipeline(
            SimulatedDevice device, GraphicsPipelineDescription description, PipelineInterface shaders) {
        super(device, description.name(), shaders);
        this.description = description;
    }

    @Override
    public GraphicsPipelineDescription description() {
        return description;
    }
}
