package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.pipeline.ShaderSlot;
import io.frameloom.gpu.record.Perishable;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The common part of both kinds of pipeline of the virtual device. Any thread. */
abstract class VirtualPipeline implements VirtualObject, Perishable {
    private final SimulatedDevice device;
    private final String name;
    private final PipelineInterface shaders;
    private final AtomicBoolean closed = new AtomicBoolean();

    VirtualPipeline(SimulatedDevice device, String name, PipelineInterface shaders) {
        this.device = device;
        this.name = name;
        this.shaders = shaders;
    }

    @Override
    public final String name() {
        return name;
    }

    public final List<ShaderBinding> bindings() {
        return shaders.bindings();
    }

    public final ShaderSlot slot(String binding, int index) {
        return shaders.rules().handle(binding, index);
    }

    public final int pushConstantBytes() {
        return shaders.pushConstantBytes();
    }

    final PipelineInterface shaders() {
        return shaders;
    }

    final SimulatedDevice device() {
        return device;
    }

    final boolean isClosed() {
        return closed.get();
    }

    @Override
    public final @Nullable String closedPart() {
        return closed.get() ? "pipeline '" + name + "'" : null;
    }

    @Override
    public final void close() {
        if (closed.compareAndSet(false, true)) {
            device.closed(this);
        }
    }
}
