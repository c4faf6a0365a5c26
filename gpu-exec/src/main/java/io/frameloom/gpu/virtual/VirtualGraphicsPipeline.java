package io.frameloom.gpu.virtual;

import io.frameloom.gpu.GraphicsPipeline;
import io.frameloom.gpu.GraphicsPipelineDescription;
import io.frameloom.gpu.ShaderBinding;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A graphics pipeline of the virtual device. */
final class VirtualGraphicsPipeline implements GraphicsPipeline, VirtualPipeline {
    private final VirtualDevice device;
    private final GraphicsPipelineDescription description;
    private final PipelineInterface shaders;
    private final AtomicBoolean closed = new AtomicBoolean();

    VirtualGraphicsPipeline(VirtualDevice device, GraphicsPipelineDescription description, PipelineInterface shaders) {
        this.device = device;
        this.description = description;
        this.shaders = shaders;
        device.opened(this, description.name());
    }

    @Override
    public String name() {
        return description.name();
    }

    @Override
    public GraphicsPipelineDescription description() {
        return description;
    }

    @Override
    public List<ShaderBinding> bindings() {
        return shaders.bindings();
    }

    @Override
    public int pushConstantBytes() {
        return shaders.pushConstantBytes();
    }

    @Override
    public PipelineInterface shaders() {
        return shaders;
    }

    @Override
    public VirtualDevice device() {
        return device;
    }

    @Override
    public boolean isClosed() {
        return closed.get();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            device.closed(this);
        }
    }
}
