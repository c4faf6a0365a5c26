package io.frameloom.gpu.virtual;

import io.frameloom.gpu.ComputePipeline;
import io.frameloom.gpu.ComputePipelineDescription;
import io.frameloom.gpu.ShaderBinding;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A compute pipeline of the virtual device. */
final class VirtualComputePipeline implements ComputePipeline, VirtualPipeline {
    private final VirtualDevice device;
    private final ComputePipelineDescription description;
    private final PipelineInterface shaders;
    private final AtomicBoolean closed = new AtomicBoolean();

    VirtualComputePipeline(VirtualDevice device, ComputePipelineDescription description, PipelineInterface shaders) {
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
    public ComputePipelineDescription description() {
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
