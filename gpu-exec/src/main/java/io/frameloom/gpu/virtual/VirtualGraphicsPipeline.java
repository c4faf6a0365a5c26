package io.frameloom.gpu.virtual;

import io.frameloom.gpu.GraphicsPipeline;
import io.frameloom.gpu.GraphicsPipelineDescription;

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
